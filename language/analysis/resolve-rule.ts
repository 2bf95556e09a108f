import type { Assignment, Condition, Literal, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import type { Aggregate, Expression, Rule } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { trimmed } from '#language/program/trimmed.ts';
import { orderAssignments } from './assignments.ts';
import type { KeyInterner } from './key-interner.ts';
import { withoutLegacyForms } from './legacy-aggregates.ts';
import { matchAtom } from './names.ts';
import { variableOccurrences, visitVariables } from './occurrences.ts';
import type { AtomMatch, Meanings, QueryFacts, ReadItem, RuleFacts } from './program-facts.ts';
import { withPromptVariables } from './prompt-variables.ts';
import { calledFacts, searchedCollections } from './queries.ts';
import { compoundExpressions } from './rule-expressions.ts';

/** Finds the predicates of a rule's atoms and what its equations mean. */
export function resolveRule(
    rule: Rule,
    written: readonly ReadItem[],
    meaningOf: Meanings,
    keyOf: KeyInterner,
    query?: QueryFacts,
): RuleFacts {
    const items = withPromptVariables(written);
    const heads = resolvedHeads(rule, keyOf);
    const { occurrences, anonymous } = variableOccurrences(rule, items);
    const positive = new Set<string>();
    for (const [name, places] of occurrences) if (places.some(place => place.where === 'positive')) positive.add(name);
    const order = orderAssignments(items, positive);
    const { assignments, aggregated } = resolvedAssignments(items, order.assignments);
    const literals: Literal[] = [];
    const matches: AtomMatch[] = [];
    for (const item of items) {
        if (item.kind !== 'literal') continue;
        const { atom, negated } = item;
        const { arity, match } = matchAtom(meaningOf(atom.predicate), atom.arguments.length);
        const afterAggregation = negated && atom.arguments.some(term => dependsOn(term, aggregated));
        literals.push({ atom, predicate: keyOf(atom.predicate, arity), negated, afterAggregation });
        matches.push(match);
    }
    const conditions: Condition[] = [];
    items.forEach((item, i) => {
        const compares =
            item.kind === 'condition' || item.kind === 'negated-condition' || (item.kind === 'equation' && !order.assignments.includes(i));
        if (compares) conditions.push({ expression: item.expression, afterAggregation: dependsOn(item.expression, aggregated) });
    });
    const { bound } = order;
    return {
        rule,
        place: rule.place,
        items: written,
        resolved: {
            rule,
            heads,
            literals: trimmed(literals),
            conditions: trimmed(conditions),
            assignments,
            bound,
            existential:
                rule.body.kind === 'items' && rule.head.kind === 'atoms' ? trimmed(unboundHeadVariables(occurrences, bound)) : NO_NAMES,
            constantsOnly: items.some(item => item.kind === 'domain'),
            reads: readsOf(rule, query, meaningOf, keyOf),
            ...(query && { tables: query.tables, ...(query.width === undefined ? {} : { width: query.width }) }),
        },
        ...(query && { query }),
        matches: trimmed(matches),
        occurrences,
        anonymous: trimmed(anonymous),
        expressions: trimmed(compoundExpressions(rule, written, assignments)),
        positive,
        aggregated,
        circles: order.circles,
        secondAssignments: order.seconds,
    };
}

/** The predicates that the rule's relation function or query reads, or its calls search. */
function readsOf(rule: Rule, query: QueryFacts | undefined, meaningOf: Meanings, keyOf: KeyInterner): readonly PredicateKey[] {
    const { body } = rule;
    const keyNamed = (name: string): PredicateKey => keyOf(name, meaningOf(name)?.arities.at(-1) ?? 0);
    const facts = calledFacts(rule).map(keyNamed);
    if (query !== undefined) return [...query.tables.map(({ predicate }) => predicate), ...facts];
    if (body.kind === 'items') {
        return trimmed(
            searchedCollections(rule).flatMap(name => {
                const arity = meaningOf(name)?.arities.at(-1);
                return arity === undefined ? [] : [keyOf(name, arity)];
            }),
        );
    }
    if (body.kind !== 'relation-function' || body.call.input.kind !== 'predicate') return NO_READS;
    return [keyNamed(body.call.input.text), ...facts];
}

const NO_READS: readonly PredicateKey[] = [];
const NO_NAMES: readonly string[] = [];

function resolvedHeads(rule: Rule, keyOf: KeyInterner): ResolvedAtom[] {
    if (rule.head.kind !== 'atoms') return [];
    return rule.head.atoms.map(atom => ({ atom, predicate: keyOf(atom.predicate, atom.arguments.length) }));
}

interface ResolvedAssignments {
    readonly assignments: readonly Assignment[];
    readonly aggregated: ReadonlySet<string>;
}

const NO_ASSIGNMENTS: ResolvedAssignments = { assignments: [], aggregated: new Set() };

function resolvedAssignments(items: readonly ReadItem[], order: readonly number[]): ResolvedAssignments {
    if (order.length === 0) return NO_ASSIGNMENTS;
    const aggregated = new Set<string>();
    const assignments = order.flatMap((index): Assignment[] => {
        const item = items[index];
        if (item?.kind !== 'equation') return [];
        const value = withoutLegacyForms(item.value);
        const aggregates = aggregatesIn(value);
        const afterAggregation = aggregates.length > 0 || dependsOn(value, aggregated);
        if (afterAggregation) aggregated.add(item.variable.name);
        return [{ variable: item.variable, value, aggregates, afterAggregation }];
    });
    return { assignments, aggregated };
}

/** The aggregates of an expression, in text order. */
export function aggregatesIn(expression: Expression): Aggregate[] {
    const found: Aggregate[] = [];
    visitExpression(expression, part => {
        if (part.kind === 'aggregate') found.push(part);
    });
    return found;
}

/** True when the expression mentions one of the variables. */
export function dependsOn(expression: Expression, variables: ReadonlySet<string>): boolean {
    if (variables.size === 0) return false;
    let found = false;
    visitVariables(expression, variable => {
        found ||= variables.has(variable.name);
    });
    return found;
}

function unboundHeadVariables(occurrences: RuleFacts['occurrences'], bound: ReadonlySet<string>): string[] {
    const unbound: string[] = [];
    for (const [name, places] of occurrences) if (!bound.has(name) && places.some(place => place.where === 'head')) unbound.push(name);
    return unbound;
}
