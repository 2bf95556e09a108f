import { expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { sqlQuery } from '#language/sql/sql-query.ts';
import { programInterface } from '#language/tools/program-interface.ts';
import { sqlProgram } from '#server/translate/sql/sql-program.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';

const each = (text: (i: number) => string, count: number): string[] => Array.from({ length: count }, (_, i) => text(i));

test.each([
    ['uses of parameters that nobody declares', 4000, (n: number) => programInterface(each(i => `p(?a${i}).`, n).join('\n'))],
    ['tables', 1200, (n: number) => sqlProgram(`SELECT t0.a FROM ${each(i => `t${i}`, n).join(',')}`, [])],
    ['joins', 300, (n: number) => sqlProgram(`SELECT a.x FROM a ${each(i => `JOIN t${i} ON t${i}.a = a.b${i}`, n).join(' ')}`, [])],
    ['tables whose names rules cannot have', 500, (n: number) => sqlProgram(`SELECT 1 FROM ${each(i => `"t$${i}"`, n)} LIMIT 1`, [])],
])('many %s take a time that follows their number', (_, size, read) => {
    expect(growth(read, size)).toBeLessThan(MOST_GROWTH);
});

/** A text with all heads for each of them would need more memory than there is. */
test('many heads of one predicate are checked', () => {
    const { value, problems } = readProgram(`n(1).\n${each(() => 'h(X)', 40_000).join(', ')} <- n(X).\n@output("h").\n`, 'main');
    const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error';
    expect([...problems, ...analyse(value).problems].filter(isError)).toEqual([]);
});

test('queries whose rules would have many more columns than the query stay as they are', () => {
    const joins = each(i => `LEFT JOIN t${i} ON t${i}.a${i} = a.b${i}`, 1000).join(' ');
    const stars = `SELECT ${each(() => '*', 1000)} FROM ${each(i => `t${i}`, 1000)} WHERE ${each(i => `t${i}.a = 1`, 1000).join(' AND ')}`;
    for (const query of [`SELECT a.x FROM a ${joins}`, stars])
        expect(sqlProgram(query, [])).toMatch(/^% No rules are written for so many columns: the query stays as it is\.\n/u);
});

/** Each of them made the rest of the text be searched. */
test.each([
    ['comments', () => '/* '.repeat(349_000), 'it has more than 30,000 words and signs: use several queries'],
    ['texts', () => each(i => `$a${i.toString(36)}$`, 12_000).join(' ') + ' '.repeat(900_000), "unexpected 'a1$'"],
])('many %s that nothing closes', (_, text, message) => {
    expect(sqlQuery(`SELECT ${text()}`).problems).toMatchObject([{ message }]);
});

test('a query has as many characters as the parser reads in time', () => {
    const { problems } = sqlQuery(`SELECT '${'x'.repeat(1 << 20)}'`);
    expect(problems.map(({ message }) => message)).toEqual(['it has more than 1,048,576 characters: use several queries']);
});
