import type { ProgramFacts } from '#language/analysis/declarations.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { explodedCollection } from '#language/library/exploded-collection.ts';
import type { Problem } from '#language/program/problem.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem } from '../catalogue.ts';

/** Calls of `explode` that are not the whole right side of an assignment, RL5012. */
export function* checkExplodePlaces({ expressions, place }: RuleFacts, { prefixes }: Pick<ProgramFacts, 'prefixes'>): Iterable<Problem> {
    const found: Problem[] = [];
    for (const { expression, assigned } of expressions) {
        visitExpression(expression, part => {
            if (part.kind !== 'call' || explodedCollection(part, prefixes) === undefined) return;
            if (part !== expression || !assigned) found.push(problem('RL5012', place, part.span));
        });
    }
    yield* found;
}
