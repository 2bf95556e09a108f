import { headsOf, literalsOf } from '#language/analysis/atoms-by-predicate.ts';
import type { NameIndex } from '#language/analysis/name-index.ts';
import type { PredicateNode } from '#language/analysis/predicate-graph.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
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
