import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { problem, withRelated, withSeverity, withWritten } from '../catalogue.ts';
import { FOREIGN_CONSTANTS } from '../meant-items.ts';
import { isNullWord } from './null-terms.ts';

/** Variables of body atoms that occur nowhere else: RL9001. Of those that stand for an unknown value elsewhere RL4032 speaks. */
export function* checkSingletonVariables({ occurrences, place }: RuleFacts): Iterable<Problem> {
    for (const [name, [first, second]] of occurrences) {
        if (first === undefined || second !== undefined) continue;
        if (first.where !== 'positive' && first.where !== 'negated') continue;
        const found = problem('RL9001', place, first.variable.span, name);
        const meant = FOREIGN_CONSTANTS.get(name.toLowerCase());
        if (meant === undefined) yield found;
        else if (!isNullWord(name)) yield withWritten(withSeverity(found, 'warning'), meant);
    }
}

/** Anonymous variables with a name that stands twice, as if it joined: RL9004. */
export function* checkRepeatedAnonymous({ anonymous, place }: RuleFacts): Iterable<Problem> {
    if (anonymous.length < 2) return;
    const seen = new Map<string, Span>();
    for (const { name, span } of anonymous) {
        const first = seen.get(name);
        if (first === undefined) seen.set(name, span);
        else yield withRelated(problem('RL9004', place, span, name), [{ place, span: first, message: say`the first occurrence` }]);
    }
}
