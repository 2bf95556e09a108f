import type { PredicateKey } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import { strongComponents } from '../../graph/strong-components.ts';
import { type PlanLiteral, type PlanRelation, type PlanRule, unwritten } from '../plan.ts';
import type { Pattern } from './binding-patterns.ts';
import type { ValueFlow } from './value-flow.ts';

/** The key of the relation of demand for a relation in some of its columns. */
export function demandKey({ key }: PlanRelation, pattern: Pattern): PredicateKey {
    return `asked of ${key} by ${pattern.join(', ')}` as PredicateKey;
}

/** The internal relation of the values that a relation is asked for in some of its columns. */
export function demandRelation(asked: PlanRelation, pattern: Pattern): PlanRelation {
    return {
        key: demandKey(asked, pattern),
        arity: pattern.length,
        columns: pattern.map((column, i) => ({ name: `c_${i}`, type: asked.columns[column]!.type, cast: false })),
        predicate: asked.predicate,
        internal: true,
        level: 'predicates',
        isDemand: true,
    };
}

/** The rule by which another one asks a literal: what brings the values, and what is asked of the other rule's head where they come from there. */
export function demandRule(
    rule: PlanRule,
    literal: PlanLiteral,
    { columns, through, filters, fromHead }: ValueFlow,
    { key }: PlanRelation,
    demand: PlanLiteral | undefined,
): PlanRule {
    const terms = columns.map(column => {
        const term = literal.terms[column]!;
        if (term.kind === 'anonymous') throw new Error('A demand without a value');
        return term.name;
    });
    return {
        ...rule,
        literals: unwritten([...(fromHead && demand !== undefined ? [demand] : []), ...through]),
        filters,
        assignments: [],
        constantsOnly: [],
        inventions: [],
        outputs: [{ kind: 'emit', relation: key, terms }],
    };
}

/** Relations of demands that only copy each other, each with the one that stands for all of them. */
export function sameDemands(rules: readonly PlanRule[]): ReadonlyMap<PredicateKey, PredicateKey> {
    const copies = new Map<PredicateKey, Set<PredicateKey>>();
    for (const rule of rules) {
        const [{ relation: target, terms }] = emitted(rule);
        const [literal, ...others] = rule.literals;
        const isCopy =
            literal !== undefined &&
            others.length + rule.filters.length === 0 &&
            literal.terms.length === terms.length &&
            literal.terms.every((term, i) => term.kind === 'variable' && term.name === terms[i]) &&
            new Set(terms).size === terms.length &&
            !rule.constants.some(({ variable }) => terms.includes(variable));
        if (isCopy) copies.set(target, (copies.get(target) ?? new Set()).add(literal.relation));
    }
    const keys = [...copies.keys()];
    const numbers = new Map(keys.map((key, number) => [key, number]));
    const offsets = new Int32Array(keys.length + 1);
    const successors: number[] = [];
    for (const [number, read] of [...copies.values()].entries()) {
        for (const key of read) if (numbers.has(key)) successors.push(numbers.get(key)!);
        offsets[number + 1] = successors.length;
    }
    const graph = { size: keys.length, offsets, successors: Int32Array.from(successors) };
    const { componentOf } = strongComponents(graph, { ints: length => new Int32Array(length), step: () => {} });
    const first = new Map<number, PredicateKey>();
    for (const [number, key] of keys.entries()) if (!first.has(componentOf[number]!)) first.set(componentOf[number]!, key);
    return new Map(keys.map((key, number) => [key, first.get(componentOf[number]!)!]));
}

/** The rules with other names for relations, without those that say nothing or the same as an earlier one. */
export function withoutRepetition(rules: readonly PlanRule[], nameOf: (key: PredicateKey) => PredicateKey): PlanRule[] {
    const kept = new Map<string, PlanRule>();
    for (const rule of rules) {
        const renamed: PlanRule = {
            ...rule,
            literals: rule.literals.map(literal => ({ ...literal, relation: nameOf(literal.relation) })),
            outputs: emitted(rule).map(output => ({ ...output, relation: nameOf(output.relation) })),
        };
        const text = withPlainNames(renamed);
        if (text !== undefined && !kept.has(text)) kept.set(text, renamed);
    }
    return [...kept.values()];
}

/** Returns the meaning of a rule as text, whatever its variables are called; undefined if it derives what it reads. */
function withPlainNames(rule: PlanRule): string | undefined {
    const constants = new Map(rule.constants.map(({ variable, value }) => [variable, value]));
    const names = new Map<string, string>();
    const plain = (name: string): string => {
        const constant = constants.get(name);
        if (constant !== undefined) return printExpression(constant);
        if (!names.has(name)) names.set(name, `$${names.size}`);
        return names.get(name)!;
    };
    const literals = rule.literals.map(
        ({ relation, terms }) => `${relation} ${terms.map(term => (term.kind === 'variable' ? plain(term.name) : '_')).join(' ')}`,
    );
    const [{ relation, terms }] = emitted(rule);
    const head = `${relation} ${terms.map(plain).join(' ')}`;
    if (literals.includes(head)) return undefined;
    // Two rules with conditions are not compared.
    const conditions =
        rule.filters.length === 0 ? '' : `${rule.place.offset} ${rule.span.start} ${rule.filters.map(one => printExpression(one)).join()}`;
    return [head, ...literals, conditions].join('\n');
}

function emitted(rule: PlanRule) {
    const [output] = rule.outputs;
    if (output?.kind !== 'emit') throw new Error('A demand is a row');
    return [output] as const;
}
