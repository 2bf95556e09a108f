import type { Expression } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import type { NameIndex } from './name-index.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { RuleFacts } from './program-facts.ts';

/**
 * Whether nulls which no rule creates may come to the body of a rule: from sources, from `null` in facts and rules, or from
 * functions without a result for some values.
 */
export function mayReadOtherNulls({ resolved }: RuleFacts, names: NameIndex): boolean {
    const seen = new Set<PredicateNode>();
    const agenda = resolved.literals.flatMap(({ predicate, negated }) => (negated ? [] : [names.nodeOf(predicate)]));
    for (let node = agenda.pop(); node !== undefined; node = agenda.pop()) {
        if (seen.has(node)) continue;
        seen.add(node);
        if (hasOtherNulls(node, names)) return true;
        for (const { needs } of node.rules) agenda.push(...needs);
    }
    return false;
}

function hasOtherNulls({ name, arity, rules }: PredicateNode, names: NameIndex): boolean {
    const facts = names.factsOf(name);
    if (facts === undefined || facts.openColumns || facts.possiblyDefined || facts.binds.length > 0 || facts.input !== undefined)
        return true;
    const terms = facts.definitions.get(arity)?.facts.flatMap(({ atom }) => atom.arguments) ?? [];
    return terms.some(term => term.kind === 'null') || rules.some(rule => mayMakeNull(rule.facts));
}

function mayMakeNull({ resolved, rule }: RuleFacts): boolean {
    if (rule.body.kind !== 'items') return true;
    const made = [...resolved.assignments.map(({ value }) => value), ...resolved.heads.flatMap(({ atom }) => atom.arguments)];
    return made.some(holdsCallOrNull);
}

function holdsCallOrNull(expression: Expression): boolean {
    let found = false;
    visitExpression(expression, part => {
        found ||= part.kind === 'call' || part.kind === 'null';
    });
    return found;
}
