import { expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { programInterface } from '#language/tools/program-interface.ts';
import { sqlProgram } from '#server/translate/sql/sql-program.ts';

const MANY = 45_000;
const each = (text: (i: number) => string, count = MANY): string[] => Array.from({ length: count }, (_, i) => text(i));

/** What took the square of its length is not done in the time of a test. */
test.each([
    ['uses of parameters that nobody declares', () => programInterface(each(i => `p(?a${i}).`).join('\n')).ok],
    ['tables', () => sqlProgram(`SELECT t0.a FROM ${each(i => `t${i}`).join(',')}`, []) !== undefined],
])(
    'many %s take a time that follows their number',
    (_, read) => {
        expect(typeof read()).toBe('boolean');
    },
    20_000,
);

/** A text with all heads for each of them would need more memory than there is. */
test('many heads of one predicate are checked', () => {
    const { value, problems } = readProgram(`n(1).\n${each(() => 'h(X)', 40_000).join(', ')} <- n(X).\n@output("h").\n`, 'main');
    const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error';
    expect([...problems, ...analyse(value).problems].filter(isError)).toEqual([]);
});
