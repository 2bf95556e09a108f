import type { Aggregate, Expression, Variable } from '#language/program/program.ts';
import { visitExpression, withParts } from '#language/program/subexpressions.ts';

/** An aggregate with its group key written out (5.9), and what it says without it. */
export interface LegacyForm {
    readonly keys: readonly Expression[];
    readonly keySpan: Expression['span'];
    readonly plain: Aggregate;
}

const KEYED_BY_ARGUMENTS: ReadonlySet<string> = new Set(['mmin', 'min', 'mmax', 'max']);

/** The older form `msum(e, [K…])`, `msum(e, [K…], [C…])`, `mmin(e, K…)` or `mcount(K…)`, if the aggregate has one. */
export function legacyForm(aggregate: Aggregate): LegacyForm | undefined {
    const [value, keys, contributors] = aggregate.arguments;
    if (value !== undefined && keys?.kind === 'list') {
        const third = contributors?.kind === 'list' ? contributors.items.filter(isVariable) : [];
        const list = aggregate.contributors ?? (third.length > 0 ? third : undefined);
        const { contributors: _, ...rest } = aggregate;
        return {
            keys: keys.items,
            keySpan: keys.span,
            plain: { ...rest, arguments: [value], ...(list !== undefined && { contributors: list }) },
        };
    }
    const counting = aggregate.name === 'mcount' || aggregate.name === 'count';
    if (aggregate.arguments.length < 2 || (!counting && !KEYED_BY_ARGUMENTS.has(aggregate.name))) return undefined;
    const written = counting ? aggregate.arguments : aggregate.arguments.slice(1);
    const first = written[0];
    const last = written.at(-1);
    if (first === undefined || last === undefined) return undefined;
    return {
        keys: written,
        keySpan: { start: first.span.start, end: last.span.end },
        plain: { ...aggregate, arguments: counting || value === undefined ? [] : [value] },
    };
}

function isVariable(expression: Expression): expression is Variable {
    return expression.kind === 'variable';
}

/** The expression with its aggregates in today's form. */
export function withoutLegacyForms(expression: Expression): Expression {
    let found = false;
    visitExpression(expression, part => {
        found ||= part.kind === 'aggregate' && part.arguments.length > 1 && legacyForm(part) !== undefined;
    });
    return found ? rewritten(expression) : expression;
}

function rewritten(expression: Expression): Expression {
    if (expression.kind === 'aggregate') return legacyForm(expression)?.plain ?? expression;
    return withParts(expression, rewritten);
}
