import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { MIXED } from '#language/program/types.ts';
import { variableNames } from '#language/program/variable-names.ts';
import { startsWithFacts } from '../facts-relation.ts';
import {
    contributesFacts,
    inputsOf,
    isInParts,
    isTested,
    type PlanLiteral,
    type PlanOutput,
    type PlanParts,
    type PlanRelation,
    type PlanRule,
    type PlanStratum,
    unwritten,
} from '../plan.ts';
import { type DraftPlan, type ProgramPass, recursiveOnes } from '../program-pass.ts';
import { differsPerMatch } from './first-match.ts';
import { isHelper } from './helper-relations.ts';

/** Evaluates recursions for some values of a column at a time, where the program lets them be taken apart so. */
export const parts: ProgramPass<'parts'> = {
    name: 'parts',
    needs: () => true,
    run: (plan, planning) => ({ strata: recursiveOnes(plan.strata, planning, stratum => inParts(stratum, plan)) }),
};

/** Lets recursions in parts forget the rows of a complete part that are never read. */
export const forgottenParts: ProgramPass<'parts'> = {
    name: 'parts',
    needs: ({ wanted }) => wanted !== undefined,
    run: ({ strata, relations, constraints }, { wanted = new Set() }) => {
        const forgetting = forgetParts(strata, constraints, wanted, relations);
        return {
            strata: forgetting,
            partial: forgetting.flatMap(({ execution }) => (isInParts(execution) ? [...execution.parts.forgotten] : [])),
        };
    },
};

/** Parts start with nothing in their relations, and have no rounds that all facts share. */
function inParts(stratum: PlanStratum, plan: DraftPlan): PlanStratum {
    const { relations, heights, rewrites } = plan;
    const filled = stratum.relations.map(key => relations.get(key)!);
    if (heights || rewrites || stratum.growing || stratum.relations.some(isHelper)) return stratum;
    if (filled.some(relation => startsWithFacts(relation, relations)) || stratum.rules.some(rule => isTested(rule, plan))) return stratum;
    const found = addParts(stratum.rules, stratum.relations, relations);
    if (found === undefined) return stratum;
    const [{ key, arity, groups, columns }] = filled as [PlanRelation];
    const arePairs = filled.length === 1 && arity === 2 && groups === undefined && !columns.some(({ cast }) => cast);
    if (!arePairs) return { ...stratum, execution: { kind: 'parts', parts: found } };
    return { ...stratum, execution: { kind: 'sources', parts: found, relation: key, column: found.columns.get(key) === 0 ? 0 : 1 } };
}

/**
 * How a recursion can be evaluated for some values of one column at a time: a column of each relation whose value passes
 * unchanged through all recursive rules, each of which has one recursive literal, as X does in `path(X,Z) <- path(X,Y),
 * edge(Y,Z)`. What follows for one such value has nothing to do with what follows for another, so that a part is never
 * looked at again, and what tells its rows apart stays in the cache. Undefined where there is no such column.
 */
export function addParts(
    rules: readonly PlanRule[],
    own: readonly PredicateKey[],
    relations: Map<PredicateKey, PlanRelation>,
): PlanParts | undefined {
    const [first] = own;
    if (first === undefined || rules.length === 0 || !rules.every(isSeparable)) return undefined;
    const starting = rules.filter(rule => ownLiterals(rule).length === 0);
    for (const column of keysOf(relations.get(first)!)) {
        const columns = passedColumns(new Map([[first, column]]), rules, relations);
        if (columns === undefined || !own.every(key => columns.has(key))) continue;
        const variables = starting.flatMap(rule => sourceOf(rule, columns, relations) ?? []);
        if (variables.length < starting.length) continue;
        const key = `parts of ${first}` as PredicateKey;
        const { predicate } = relations.get(first)!;
        const type = starting[0]?.types.get(variables[0]!) ?? MIXED;
        relations.set(key, {
            key,
            arity: 1,
            columns: [{ name: 'c_0', type, cast: false }],
            predicate,
            internal: true,
            level: 'predicates',
        });
        return {
            columns,
            values: key,
            sources: starting.map((rule, i) => withValuesOnly(rule, variables[i]!, key)),
            starts: new Map(starting.map((rule, i) => [rule, restricted(rule, variables[i]!, key)])),
            forgotten: new Set(),
        };
    }
    return undefined;
}

/** The strata, where recursions in parts forget the rows of relations that are not wanted and that nothing else reads. */
function forgetParts(
    strata: readonly PlanStratum[],
    constraints: readonly PlanRule[],
    wanted: ReadonlySet<PredicateKey>,
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
): readonly PlanStratum[] {
    const asked = new Set([...relations.values()].flatMap(({ call }) => (call === undefined ? [] : inputsOf(call))));
    /** The strata that read a relation, by their numbers; constraints come after all of them. */
    const readers = new Map<PredicateKey, Set<number>>();
    const note = (rules: readonly PlanRule[], number: number): void => {
        for (const { relation } of rules.flatMap(({ literals }) => literals)) {
            const known = readers.get(relation);
            if (known === undefined) readers.set(relation, new Set([number]));
            else known.add(number);
        }
    };
    for (const [number, { rules, equalities }] of strata.entries()) note([...rules, ...(equalities?.turns.flat() ?? [])], number);
    note(constraints, strata.length);
    return strata.map((stratum, number) => {
        const { execution } = stratum;
        if (!isInParts(execution) || stratum.finalPass === 'needed') return stratum;
        const isReadBy = (readers: ReadonlySet<number>): boolean => readers.size > (readers.has(number) ? 1 : 0);
        const isRead = (key: PredicateKey): boolean => isReadBy(readers.get(key) ?? new Set());
        const forgotten = stratum.relations.filter(key => !wanted.has(key) && !isRead(key) && !asked.has(key));
        if (forgotten.length === 0) return stratum;
        return { ...stratum, execution: { ...execution, parts: { ...execution.parts, forgotten: new Set(forgotten) } } };
    });
}

function ownLiterals(rule: PlanRule): PlanLiteral[] {
    return rule.literals.filter(literal => literal.recursive);
}

function isSeparable(rule: PlanRule): boolean {
    const own = ownLiterals(rule);
    return (
        !contributesFacts(rule) &&
        rule.parent === undefined &&
        rule.inventions.length === 0 &&
        own.length <= 1 &&
        !own.some(literal => literal.negated) &&
        rule.outputs.every(output => output.kind !== 'match') &&
        (own.length === 1 || ![...rule.assignments.map(({ value }) => value), ...rule.filters].some(differsPerMatch))
    );
}

function keysOf({ arity, groups }: PlanRelation): readonly number[] {
    return groups?.keys ?? Array.from({ length: arity }, (_, column) => column);
}

/** Follows the column of one relation through the recursive rules to those of the others. */
function passedColumns(
    columns: Map<PredicateKey, number>,
    rules: readonly PlanRule[],
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
): ReadonlyMap<PredicateKey, number> | undefined {
    const readers = new Map<PredicateKey, PlanRule[]>();
    for (const rule of rules) {
        for (const { relation } of ownLiterals(rule)) append(readers, relation, rule);
    }
    for (const [key, column] of columns) {
        for (const { literals, outputs } of readers.get(key) ?? []) {
            const term = literals.find(one => one.recursive && one.relation === key)?.terms[column];
            if (term === undefined) continue;
            if (term.kind !== 'variable') return undefined;
            for (const output of outputs) {
                const relation = relations.get(output.relation)!;
                const passed = columns.get(output.relation) ?? keysOf(relation).find(one => termAt(output, one, relation) === term.name);
                if (passed === undefined || relation.columns[passed]!.cast || termAt(output, passed, relation) !== term.name) {
                    return undefined;
                }
                columns.set(output.relation, passed);
            }
        }
    }
    return columns;
}

/** The variable of a rule without recursive literals whose values make the parts: a literal binds it, and it leads to all others. */
function sourceOf(
    rule: PlanRule,
    columns: ReadonlyMap<PredicateKey, number>,
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
): string | undefined {
    const names = new Set(
        rule.outputs.map(output => {
            const relation = relations.get(output.relation)!;
            const column = columns.get(output.relation)!;
            return relation.columns[column]!.cast ? undefined : termAt(output, column, relation);
        }),
    );
    const [name] = names;
    const constants = new Set(rule.constants.map(constant => constant.variable));
    if (name === undefined || names.size > 1 || constants.has(name)) return undefined;
    const positive = rule.literals.filter(literal => !literal.negated);
    const open = new Set(positive);
    const reached = new Set([name]);
    for (const one of reached) {
        for (const literal of open) {
            const variables = literal.terms.flatMap(term => (term.kind === 'variable' && !constants.has(term.name) ? [term.name] : []));
            if (!variables.includes(one)) continue;
            open.delete(literal);
            for (const variable of variables) reached.add(variable);
        }
    }
    return open.size === 0 && open.size < positive.length ? name : undefined;
}

/** The rule with the values of the parts for its only output. */
function withValuesOnly(rule: PlanRule, variable: string, values: PredicateKey): PlanRule {
    const read = new Set([...rule.filters.flatMap(variablesOf), ...rule.literals.flatMap(literal => variableNames(literal.terms))]);
    const assignments = rule.assignments.some(one => read.has(one.variable)) ? rule.assignments : [];
    return { ...rule, literals: unwritten(rule.literals), assignments, outputs: [{ kind: 'emit', relation: values, terms: [variable] }] };
}

/** The rule for the values of one part. */
function restricted(rule: PlanRule, name: string, values: PredicateKey): PlanRule {
    const part: PlanLiteral = { relation: values, negated: false, terms: [{ kind: 'variable', name }], recursive: true };
    return { ...rule, literals: [...rule.literals, part] };
}

function termAt(output: PlanOutput, column: number, { groups }: PlanRelation): string | undefined {
    if (output.kind !== 'contribute') return output.terms[column];
    return output.keys[groups!.keys.indexOf(column)];
}
