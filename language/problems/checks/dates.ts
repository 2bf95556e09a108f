import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem, withWritten } from '../catalogue.ts';

/** Differences of integers that are written as dates are elsewhere, `2031-1-5`: RL4016. */
export function* checkDates({ expressions, place }: RuleFacts): Iterable<Problem> {
    const found: Problem[] = [];
    for (const { expression } of expressions)
        visitExpression(expression, part => {
            const date = writtenDate(part);
            if (date === undefined) return;
            const [year, month, day] = date;
            const meant = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
            found.push(withWritten(problem('RL4016', place, part.span, date.join('-'), year - month - day), meant));
        });
    yield* found;
}

const YEARS = [1000, 2999] as const;

/** Year, month and day of three integers with nothing between them but two signs. */
function writtenDate(expression: Expression): readonly [year: number, month: number, day: number] | undefined {
    const [first, day] = difference(expression) ?? [];
    const [year, month] = (first && difference(first)) ?? [];
    const date = [integerIn(year, ...YEARS), integerIn(month, 1, 12), integerIn(day, 1, 31)] as const;
    return date.includes(undefined) ? undefined : (date as readonly [number, number, number]);
}

function difference(expression: Expression): readonly [left: Expression, right: Expression] | undefined {
    if (expression.kind !== 'binary' || expression.operator !== '-') return undefined;
    const { left, operatorSpan, right } = expression;
    return left.span.end === operatorSpan.start && operatorSpan.end === right.span.start ? [left, right] : undefined;
}

function integerIn(expression: Expression | undefined, least: number, most: number): number | undefined {
    if (expression?.kind !== 'integer') return undefined;
    const value = Number(expression.value);
    return value >= least && value <= most ? value : undefined;
}
