import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import { variableNames } from '#language/program/variable-names.ts';
import { LeastFirst } from '../least-first.ts';
import type { PlanLiteral, PlanRelation, PlanRule } from '../plan.ts';
import { waitsForMatch } from '../waits-for-match.ts';

/** How values reach a literal of a rule, from its constants and from variables of its head that are known. */
export interface ValueFlow {
    /** Columns of the literal that values reach, ascending. */
    readonly columns: readonly number[];
    /** The positive literals that bring them. */
    readonly through: readonly PlanLiteral[];
    /** Conditions on what these bring. */
    readonly filters: readonly Expression[];
    /** Some of them come from the head. */
    readonly fromHead: boolean;
}

/**
 * The positive literals of a rule that values reach, each after those that its values come from. The literal with the fewest
 * unknown variables is next; of equal ones, the first that is `ready`, whose rows do not depend on what is asked.
 */
export function reachedLiterals(rule: PlanRule, known: ReadonlySet<string>, ready: (literal: PlanLiteral) => boolean): PlanLiteral[] {
    const names = new Set([...known, ...rule.constants.map(({ variable }) => variable)]);
    const open = new Set(rule.literals.filter(literal => !literal.negated));
    const literals = [...open];
    const readers = new Map<string, number[]>();
    const cheapest = new LeastFirst();
    const costs: number[] = [];
    const estimate = (index: number): void => {
        const literal = literals[index]!;
        const variables = new Set(variablesIn(literal));
        const unknown = [...variables].filter(name => !names.has(name)).length;
        if (unknown === variables.size) return;
        costs[index] = 2 * unknown + (ready(literal) ? 0 : 1);
        cheapest.add(index, costs[index]);
    };
    for (const [index, literal] of literals.entries()) {
        for (const name of new Set(variablesIn(literal))) append(readers, name, index);
        estimate(index);
    }
    const reached: PlanLiteral[] = [];
    for (let next = cheapest.next(); next !== undefined; next = cheapest.next()) {
        const literal = literals[next.thing]!;
        if (costs[next.thing] !== next.cost || !open.delete(literal)) continue;
        reached.push(literal);
        for (const name of variablesIn(literal)) {
            if (names.has(name)) continue;
            names.add(name);
            for (const index of readers.get(name)!) if (open.has(literals[index]!)) estimate(index);
        }
    }
    return reached;
}

/**
 * The values that reach the given columns of a literal by the literals before it that may be used. Values of groups which still
 * change lead nowhere.
 */
export function flowTo(
    literal: PlanLiteral,
    wanted: readonly number[],
    rule: PlanRule,
    from: {
        readonly known: ReadonlySet<string>;
        readonly reached: readonly PlanLiteral[];
        readonly mayUse: (literal: PlanLiteral) => boolean;
        readonly relations: ReadonlyMap<PredicateKey, PlanRelation>;
    },
): ValueFlow {
    const origins = new Map<string, PlanLiteral | 'head' | 'constant'>();
    for (const name of from.known) origins.set(name, 'head');
    for (const { variable } of rule.constants) origins.set(variable, 'constant');
    const before = literal.negated ? from.reached : from.reached.slice(0, from.reached.indexOf(literal));
    const sources = new Map<PlanLiteral, readonly string[]>();
    for (const one of before) {
        const met = variablesIn(one).filter(name => origins.has(name));
        if (met.length === 0 || !from.mayUse(one)) continue;
        sources.set(one, met);
        const groups = one.recursive ? from.relations.get(one.relation)?.groups : undefined;
        for (const [column, term] of one.terms.entries()) {
            const isFixed = groups === undefined || groups.keys.includes(column);
            if (term.kind === 'variable' && isFixed && !origins.has(term.name)) origins.set(term.name, one);
        }
    }
    const nameAt = (column: number): string => {
        const term = literal.terms[column]!;
        return term.kind === 'variable' ? term.name : '';
    };
    const columns = wanted.filter(column => origins.has(nameAt(column)));
    const needed = new Set(columns.map(nameAt));
    const through = new Set<PlanLiteral>();
    let fromHead = false;
    for (const name of needed) {
        const origin = origins.get(name)!;
        if (origin === 'head') fromHead = true;
        if (typeof origin === 'string') continue;
        through.add(origin);
        for (const met of sources.get(origin)!) needed.add(met);
    }
    const isBrought = (name: string): boolean => {
        const origin = origins.get(name);
        return origin === 'constant' || (origin === 'head' ? fromHead : origin !== undefined && through.has(origin));
    };
    const filters = rule.filters.filter(filter => !waitsForMatch(filter) && variablesOf(filter).every(isBrought));
    return { columns, through: before.filter(one => through.has(one)), filters, fromHead };
}

export function variablesIn(literal: PlanLiteral): string[] {
    return variableNames(literal.terms);
}
