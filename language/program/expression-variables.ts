import type { Expression } from './program.ts';
import { visitExpression } from './subexpressions.ts';

/** The variables that an expression mentions, without duplicates, in text order. */
export function variablesOf(expression: Expression): string[] {
    const names = new Set<string>();
    visitExpression(expression, part => {
        if (part.kind === 'variable') names.add(part.name);
    });
    return [...names];
}
