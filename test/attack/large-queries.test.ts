import { expect, test } from 'vitest';
import { readQuery } from '#language/sql/read-query.ts';
import { renameTable } from '#language/sql/rename-table.ts';
import { countSteps, LOST_COUNTS } from '../support/count-steps.ts';

const many = (count: number, piece: (index: number) => string, between = ', '): string =>
    Array.from({ length: count }, (_, i) => piece(i)).join(between);

const QUERIES: Readonly<Record<string, (size: number) => string>> = {
    'SELECTs of a UNION': size => many(size, i => `select c${i}, d${i} from t${i} where e${i} = ${i}`, ' union '),
    joins: size => `select a.x from a ${many(size, i => `join t${i} on t${i}.a${i} = a.b${i}`, ' ')}`,
    'columns of many tables': size => `select ${many(size, i => `c${i}`)} from ${many(size, i => `t${i}`)}`,
    'columns of tables by their names': size => `select ${many(size, i => `t${i}.c${i}`)} from ${many(size, i => `t${i}`)}`,
    'queries in a WITH': size => `with ${many(size, i => `a${i} as (select c${i} from ${i === 0 ? 't' : `a${i - 1}`})`)} select * from a0`,
    'queries in a condition': size => `select x from t where ${many(size, i => `x in (select c${i} from t${i})`, ' or ')}`,
};

test.each(Object.keys(QUERIES))('%s: twice the size is read with twice the work', LOST_COUNTS, async name => {
    const read = (size: number): Promise<number> =>
        countSteps(() => {
            const query = QUERIES[name]?.(size) ?? '';
            readQuery(query).schema(() => undefined);
            renameTable(query, 't1', 'u');
        });
    const [small, large] = [await read(300), await read(600)];
    expect(small).toBeGreaterThan(0);
    expect(large / small).toBeLessThan(2.5);
});

/** The parser lists the names that it has seen for each table: that was not done in the time of a test. */
test('thousands of joins are read', () => {
    expect(readQuery(QUERIES.joins?.(2700) ?? '').tables).toHaveLength(2701);
});

/** Each level took the parser more than twice the time of the one within it. */
test('queries within queries are read, however deep', () => {
    const deep = `select ${'(select '.repeat(90)}1${' from t) x'.repeat(90)} from u`;
    expect(readQuery(deep).tables.map(({ name }) => name)).toEqual(['t', 'u']);
    const broken = deep.replace('1 from t', '1 from t where');
    expect(readQuery(broken).problem).toMatchObject({ message: "unexpected ')'", start: broken.indexOf(')') });
    expect(readQuery(deep.slice(0, -20)).problem?.message).toBe('it ends too early');
});
