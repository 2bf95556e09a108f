import type { Problem } from '#language/program/problem.ts';
import type { Expression, Fact } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem, withRemedy } from '../catalogue.ts';

/** The remedies for constants as other languages write them. */
export const CONSTANT_REMEDIES: ReadonlyMap<string, string> = new Map([
    ['true', "write '#T'"],
    ['false', "write '#F'"],
    ['none', "write 'null'"],
    ['nil', "write 'null'"],
    ['nan', "write 'null'"],
    ['undefined', "write 'null'"],
]);

/** Variables in facts: RL2003. */
export function* checkFactVariables(fact: Fact): Iterable<Problem> {
    for (const term of fact.atom.arguments) {
        if (term.kind === 'string' || term.kind === 'integer' || term.kind === 'double') continue;
        const variables: Extract<Expression, { kind: 'variable' | 'anonymous' }>[] = [];
        visitExpression(term, part => {
            if (part.kind === 'variable' || part.kind === 'anonymous') variables.push(part);
        });
        for (const variable of variables)
            yield withRemedy(
                problem('RL2003', fact.place, variable.span, variable.name),
                CONSTANT_REMEDIES.get(variable.name.toLowerCase()),
            );
    }
}
