import { expect, it } from 'vitest';
import type { Expression } from '#language/program/program.ts';
import { build, ExpressionHarness } from '../../support/expression-harness.ts';

/** A function name, its arguments, the expected term and, where it is not nothing, the expected reports. */
export type CallRow = readonly [name: string, args: readonly Expression[], expected: string, codes?: readonly string[]];

/** One test per row; numbers show by the static type of the call where it is not the type of a mixed column. */
export function checkCalls(rows: readonly CallRow[]): void {
    it.each(
        rows.map(
            ([name, args, expected, codes = []], i) =>
                [`${i + 1}: ${name} gives ${expected}`, build.call(name, ...args), expected, codes] as const,
        ),
    )('%s', (_, expression, expected, codes) => {
        const harness = new ExpressionHarness();
        expect(harness.text(expression)).toBe(expected);
        expect(harness.codes).toEqual(codes);
    });
}

/** The value of one call as a term. */
export function textOfCall(name: string, ...args: Expression[]): string {
    return new ExpressionHarness().text(build.call(name, ...args));
}
