import { expect, test } from 'vitest';
import { programInterface } from '#language/tools/program-interface.ts';
import { sqlProgram } from '#server/translate/sql/sql-program.ts';

const MANY = 30_000;
const each = (text: (i: number) => string, count = MANY): string[] => Array.from({ length: count }, (_, i) => text(i));

/** What took the square of its length is not done in the time of a test. */
test.each([
    ['uses of parameters that nobody declares', () => programInterface(each(i => `p(?a${i}).`).join('\n')).ok],
    ['tables', () => sqlProgram(`SELECT t0.a FROM ${each(i => `t${i}`).join(',')}`, []) !== undefined],
    [
        'sums that have no name',
        () => sqlProgram(`SELECT a, ${each(i => `SUM(b${i})`, MANY / 2).join(', ')} FROM t GROUP BY a`, []) !== undefined,
    ],
    ['parts of a union', () => sqlProgram(each(() => 'SELECT a FROM t', 6000).join(' UNION '), []) !== undefined],
])(
    'many %s take a time that follows their number',
    (_, read) => {
        expect(typeof read()).toBe('boolean');
    },
    20_000,
);
