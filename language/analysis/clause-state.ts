import type { AnalysedRule } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause, Rule } from '#language/program/program.ts';
import { type ClauseSummary, clauseSummary } from './clause-summary.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { RuleFacts } from './program-facts.ts';
import type { QueryOf } from './queries.ts';

/** What the analysis of a program keeps of one clause from change to change. */
export interface ClauseState {
    readonly clause: Clause;
    readonly summary: ClauseSummary;
    /** What the clause means in its program, when it is a rule. */
    rule: RuleState | undefined;
    /** What is wrong with the clause, as far as it shows in the clause and in what the names in it mean. */
    own: readonly Problem[];
    /** Problems at this clause that belong to a name, an annotation or a cycle. */
    others: Set<Problem> | undefined;
    /** All of them in text order; absent when they have to be put together again. */
    problems: readonly Problem[] | undefined;
}

/** What the analysis keeps of a rule. */
export interface RuleState {
    readonly clause: Rule;
    readonly state: ClauseState;
    facts: RuleFacts;
    /** The predicates that the rule defines, and those that it needs. */
    heads: readonly PredicateNode[];
    needs: readonly PredicateNode[];
    /** The rule before it in the text. */
    previous: RuleState | undefined;
    /** Its number when somebody asked last; -1 before that. */
    index: number;
    /** What the rule was then; absent when it has to be made anew. */
    analysed: AnalysedRule | undefined;
}

export function clauseState(clause: Clause, queryOf: QueryOf): ClauseState {
    return { clause, summary: clauseSummary(clause, queryOf), rule: undefined, own: NONE, others: undefined, problems: undefined };
}

const NONE: readonly Problem[] = [];
