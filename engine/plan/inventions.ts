import type { AnalysedRule, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import type { NullSource } from '../values/null-store.ts';
import { dependentVariables, dependsOn } from './rule-parts.ts';

/** An existential variable of a head: it stands for one null for each value of the frontier (4.5). */
export interface Invention {
    readonly variable: string;
    readonly source: NullSource;
    /** The terms on which the null depends: the bound variables of the head, or with aggregates the key of the group (5.2). */
    readonly frontier: readonly Expression[];
}

/** The rule with a variable of its own for each anonymous term of its heads: `_1`, `_2`… in text order. */
export function withNamedTerms(rule: AnalysedRule): AnalysedRule {
    if (!rule.heads.some(head => head.atom.arguments.some(term => term.kind === 'anonymous'))) return rule;
    let number = 0;
    const named = (term: Expression): Expression =>
        term.kind === 'anonymous' ? { kind: 'variable', name: `_${++number}`, span: term.span } : term;
    const heads = rule.heads.map((head): ResolvedAtom => ({ ...head, atom: { ...head.atom, arguments: head.atom.arguments.map(named) } }));
    return { ...rule, heads };
}

/** The existential variables of a rule whose head terms are named. */
export function inventionsOf(rule: AnalysedRule): readonly Invention[] {
    if (rule.rule.body.kind !== 'items') return [];
    const terms = rule.heads.flatMap(head => head.atom.arguments);
    const unbound = new Set(terms.flatMap(variablesOf).filter(name => !rule.bound.has(name)));
    if (unbound.size === 0) return [];
    const frontier = frontierOf(rule, terms, unbound);
    return [...unbound].map(variable => ({ variable, source: { invented: true, rule: rule.index, name: variable }, frontier }));
}

function frontierOf(rule: AnalysedRule, terms: readonly Expression[], unbound: ReadonlySet<string>): Expression[] {
    const dependent = dependentVariables(rule);
    const frontier: Expression[] = [];
    const names = new Set<string>();
    for (const term of terms) {
        const isKey = dependent.size > 0 && term.kind !== 'variable' && !dependsOn(term, dependent) && !dependsOn(term, unbound);
        if (isKey) {
            if (variablesOf(term).length > 0) frontier.push(term);
            continue;
        }
        for (const name of variablesOf(term)) {
            if (unbound.has(name) || dependent.has(name) || names.has(name)) continue;
            names.add(name);
            frontier.push({ kind: 'variable', name, span: term.span });
        }
    }
    return frontier;
}

/** Whether matches of the rule make nulls that were not there: through existential variables or Skolem terms. */
export function inventsNulls(rule: AnalysedRule): boolean {
    return inventionsOf(withNamedTerms(rule)).length > 0 || rule.assignments.some(({ value }) => hasSkolemTerm(value));
}

function hasSkolemTerm(expression: Expression): boolean {
    return expression.kind === 'skolem' || partsOf(expression).some(hasSkolemTerm);
}
