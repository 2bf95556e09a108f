import type { NameFacts } from '#language/analysis/program-facts.ts';
import type { RepeatedClauses } from '#language/analysis/repeated-clauses.ts';
import { isTestFile } from '#language/analysis/test-cases.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Fact, Rule } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { problem, withRelated } from '../catalogue.ts';

/** Facts that stand twice in a file, RL1114, and rules that are the same up to the names of variables, RL1113. */
export function* checkDuplicateClauses({ definitions }: NameFacts): Iterable<Problem> {
    for (const { repeatedFacts, repeatedRules } of definitions.values()) {
        yield* repeated(repeatedFacts, 'RL1114', say`the same fact`);
        yield* repeated(repeatedRules, 'RL1113', say`the same rule`);
    }
}

function* repeated(clauses: RepeatedClauses<Fact> | RepeatedClauses<Rule>, code: 'RL1113' | 'RL1114', message: string): Iterable<Problem> {
    for (const [first, ...others] of clauses.groups()) {
        if (first === undefined) continue;
        const related = { place: first.place, span: spanOf(first), message };
        for (const clause of others) {
            // Cases of a test give and expect the same facts.
            if (clause.place.file === first.place.file && !isTestFile(clause.place.file))
                yield withRelated(problem(code, clause.place, spanOf(clause)), [related]);
        }
    }
}

function spanOf(clause: Fact | Rule): Span {
    return clause.kind === 'fact' ? clause.atom.span : clause.head.span;
}
