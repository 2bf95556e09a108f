import { headsOf, literalsOf } from '#language/analysis/atoms-by-predicate.ts';
import type { NameIndex } from '#language/analysis/name-index.ts';
import type { PredicateNode } from '#language/analysis/predicate-graph.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { explodedCollection } from '#language/library/exploded-collection.ts';
import type { TypeEnvironment } from '#language/library/expression-type.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Aggregate } from '#language/program/program.ts';
import { problem } from '../catalogue.ts';

/** Sums over a predicate whose rules leave out what tells equal values apart: RL3015, at the sums. */
export function* checkMergedValues(node: PredicateNode, names: NameIndex): Iterable<Problem> {
    const { key, name, component, rules } = node;
    const facts = names.factsOf(name);
    const isDerived = rules.length > 0 && rules.every(rule => leavesOut(rule.facts, key));
    const others = facts?.definitions.get(node.arity)?.facts.length ?? 0;
    if (facts === undefined || component !== undefined || !isDerived || others > 0 || facts.possiblyDefined) return;
    const from = rules[0]?.facts.resolved.literals[0]?.atom.predicate ?? '';
    for (const { rule } of names.entry(name)?.askers ?? []) {
        if (rule === undefined) continue;
        for (const {
            arguments: [argument],
        } of sumsOfAll(rule.facts, key))
            if (argument?.kind === 'variable') yield problem('RL3015', rule.facts.place, argument.span, argument.name, name, from);
    }
}

/**
 * Sums over elements of lists that the rules of a predicate have made rows of: equal elements of one list are one row, whatever else is in the
 * head (D-55). RL3015, at the sums.
 */
export function* checkMergedElements(
    { key, name, component, rules }: PredicateNode,
    names: NameIndex,
    typesIn: (rule: RuleFacts) => TypeEnvironment,
): Iterable<Problem> {
    const [first, ...others] = rules.map(({ facts }) => explodedLists(facts, key, typesIn));
    if (first === undefined || first.size === 0 || component !== undefined || names.factsOf(name)?.possiblyDefined) return;
    for (const { rule } of names.entry(name)?.askers ?? []) {
        if (rule === undefined) continue;
        const [literal] = literalsOf(rule.facts.resolved, key);
        for (const {
            arguments: [argument],
        } of sumsOfAll(rule.facts, key)) {
            if (argument?.kind !== 'variable') continue;
            const column = literal?.atom.arguments.findIndex(term => term.kind === 'variable' && term.name === argument.name) ?? -1;
            const list = first.get(column);
            if (list !== undefined && others.every(lists => lists.has(column)))
                yield problem('RL3015', rule.facts.place, argument.span, argument.name, name, list, true);
        }
    }
}

/** The columns of a head that have the elements of lists, and the lists as they are written. */
function explodedLists(
    facts: RuleFacts,
    key: PredicateNode['key'],
    typesIn: (rule: RuleFacts) => TypeEnvironment,
): ReadonlyMap<number, string> {
    const { resolved, rule } = facts;
    const found = new Map<number, string>();
    const [head, another] = headsOf(resolved, key);
    if (rule.body.kind !== 'items' || head === undefined || another !== undefined) return found;
    for (const { variable, value } of resolved.assignments) {
        const list = explodedCollection(value);
        if (list?.kind !== 'variable' || !facts.positive.has(list.name) || typesIn(facts).variable(list.name).kind !== 'list') continue;
        const column = head.atom.arguments.findIndex(term => term.kind === 'variable' && term.name === variable.name);
        if (column >= 0) found.set(column, list.name);
    }
    return found;
}

/** The rule takes facts of one predicate, and leaves out some of their columns; it computes nothing. */
function leavesOut({ rule, resolved, occurrences }: RuleFacts, key: PredicateNode['key']): boolean {
    const [literal, another] = resolved.literals;
    const [head] = headsOf(resolved, key);
    if (rule.body.kind !== 'items' || literal === undefined || another !== undefined || literal.negated || head === undefined) return false;
    if (resolved.assignments.length > 0) return false;
    const given = new Set(head.atom.arguments.flatMap(term => (term.kind === 'variable' ? [term.name] : [])));
    const isPlain = head.atom.arguments.every(term => term.kind === 'variable');
    return (
        isPlain &&
        literal.atom.arguments.some(
            term => term.kind === 'anonymous' || (term.kind === 'variable' && !given.has(term.name) && occurrences.has(term.name)),
        )
    );
}

/** The sums of a rule over nothing but the predicate, whose other columns are groups: each value counts once in its group. */
function sumsOfAll({ rule, resolved, aggregated }: RuleFacts, key: PredicateNode['key']): readonly Aggregate[] {
    const [literal] = literalsOf(resolved, key);
    const [head, another] = resolved.heads;
    if (rule.body.kind !== 'items' || resolved.literals.length !== 1 || literal?.negated !== false) return [];
    if (head === undefined || another !== undefined) return [];
    const groups = new Set(
        head.atom.arguments.flatMap(term => (term.kind === 'variable' && !aggregated.has(term.name) ? [term.name] : [])),
    );
    const aggregates = resolved.assignments.flatMap(assignment => assignment.aggregates);
    return aggregates.filter(({ name, arguments: [argument], contributors }) => {
        const { domain, idempotent, chooses } = AGGREGATES[name];
        if (domain !== 'numbers' || idempotent === true || chooses === 'one' || contributors !== undefined || argument?.kind !== 'variable')
            return false;
        return literal.atom.arguments.every(term => term.kind === 'variable' && (term.name === argument.name || groups.has(term.name)));
    });
}
