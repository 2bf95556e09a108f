import type { AnalysedRule } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause, Rule } from '#language/program/program.ts';
import { type ClauseSummary, clauseSummary } from './clause-summary.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { RuleFacts } from './program-facts.ts';
import type { QueryOf } from './queries.ts';

/** State of one clause that the analysis of a program keeps from change to change. */
export interface ClauseState {
    readonly clause: Clause;
    readonly summary: ClauseSummary;
    /** The state of the rule, if the clause is one. */
    rule: RuleState | undefined;
    /** Problems that the clause itself shows, and the meanings of the names in it. */
    own: readonly Problem[];
    /** Problems at this clause that belong to a name, an annotation or a cycle. */
    others: Set<Problem> | undefined;
    /** All of them in text order; absent when they have to be put together again. */
    problems: readonly Problem[] | undefined;
}

/** State of a rule that the analysis keeps. */
export interface RuleState {
    readonly clause: Rule;
    readonly state: ClauseState;
    facts: RuleFacts;
    /** The predicates that the rule defines, and those that it needs. */
    heads: readonly PredicateNode[];
    needs: readonly PredicateNode[];
    /** The rule before it in the text. */
    previous: RuleState | undefined;
    /** Its number at the last request; -1 before the first. */
    index: number;
    /** The rule at that request; absent if the next one has to build it anew. */
    analysed: AnalysedRule | undefined;
}

export function clauseState(clause: Clause, queryOf: QueryOf): ClauseState {
    return { clause, summary: clauseSummary(clause, queryOf), rule: undefined, own: NONE, others: undefined, problems: undefined };
}

const NONE: readonly Problem[] = [];
