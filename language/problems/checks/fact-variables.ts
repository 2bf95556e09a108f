import type { Problem } from '#language/program/problem.ts';
import type { Expression, Fact } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem, withWritten } from '../catalogue.ts';
import { FOREIGN_CONSTANTS } from '../meant-items.ts';

/** Variables in facts: RL2003. */
export function* checkFactVariables(fact: Fact): Iterable<Problem> {
    for (const term of fact.atom.arguments) {
        if (term.kind === 'string' || term.kind === 'integer' || term.kind === 'double') continue;
        const variables: Extract<Expression, { kind: 'variable' | 'anonymous' }>[] = [];
        visitExpression(term, part => {
            if (part.kind === 'variable' || part.kind === 'anonymous') variables.push(part);
        });
        for (const variable of variables)
            yield withWritten(
                problem('RL2003', fact.place, variable.span, variable.name),
                FOREIGN_CONSTANTS.get(variable.name.toLowerCase()),
            );
    }
}
