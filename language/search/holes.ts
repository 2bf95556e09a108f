import type { Expression } from '#language/program/program.ts';

/** Stand-ins for `$X`, `$name(` and `$...` that let the parser read a pattern as a clause. */
export const HOLE = 'Any__';
export const PREDICATE_HOLE = 'any__';
export const REST = 'Rest__';

/** Returns the name of a hole as the user writes it; undefined for another name. Each `$_` is another hole. */
export function holeName(name: string): string | undefined {
    if (name === REST) return '$...';
    return name.startsWith(HOLE) || name.startsWith(PREDICATE_HOLE) ? `$${name.slice(HOLE.length)}` : undefined;
}

/** It stands for any further terms. */
export function isRest(expression: Expression | undefined): boolean {
    return expression?.kind === 'variable' && expression.name === REST;
}

/** The expressions inside an expression, itself included. */
export function* expressionsOf(expression: Expression): Generator<Expression> {
    yield expression;
    for (const child of childrenOf(expression)) yield* expressionsOf(child);
}

/** The expressions directly inside an expression, in their order. */
export function childrenOf(expression: Expression): readonly Expression[] {
    switch (expression.kind) {
        case 'list':
        case 'set':
            return expression.items;
        case 'unary':
            return [expression.operand];
        case 'binary':
            return [expression.left, expression.right];
        case 'call':
        case 'skolem':
            return expression.arguments;
        case 'aggregate':
            return [...expression.arguments, ...(expression.contributors ?? [])];
        default:
            return [];
    }
}
