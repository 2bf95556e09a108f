import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { expressionsOf } from '#language/analysis/rule-expressions.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem, withRelated } from '../catalogue.ts';

/** Variables of body atoms that occur nowhere else: RL9001. */
export function* checkSingletonVariables({ occurrences, place }: RuleFacts): Iterable<Problem> {
    for (const [name, [first, second]] of occurrences) {
        if (first === undefined || second !== undefined) continue;
        if (first.where === 'positive' || first.where === 'negated') yield problem('RL9001', place, first.variable.span, name);
    }
}

/** Anonymous variables with a name that stands twice, as if it joined: RL9004. */
export function* checkRepeatedAnonymous(facts: RuleFacts): Iterable<Problem> {
    const seen = new Map<string, Span>();
    const repeated: { readonly name: string; readonly span: Span; readonly first: Span }[] = [];
    const visit = (part: Expression): void => {
        if (part.kind !== 'anonymous' || part.name === '_') return;
        const first = seen.get(part.name);
        if (first === undefined) seen.set(part.name, part.span);
        else repeated.push({ name: part.name, span: part.span, first });
    };
    for (const { expression } of expressionsOf(facts)) visitExpression(expression, visit);
    for (const { name, span, first } of repeated) {
        const related = [{ place: facts.place, span: first, message: 'the first occurrence' }];
        yield withRelated(problem('RL9004', facts.place, span, name), related);
    }
}
