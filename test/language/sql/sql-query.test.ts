import { describe, expect, test } from 'vitest';
import { DATE, INT, STRING } from '#language/library/result-types.ts';
import type { TableColumn } from '#language/program/sql-reading.ts';
import { printType, type Type } from '#language/program/types.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { renameTable } from '#language/sql/rename-table.ts';
import { sqlQuery } from '#language/sql/sql-query.ts';

describe('the tables of a query', () => {
    test.each([
        ['select 1', []],
        ['select * from a', ['a']],
        ['select * from a;', ['a']],
        ['SELECT a.x FROM a JOIN b ON a.x = b.x, c WHERE x IN (SELECT y FROM d)', ['a', 'b', 'c', 'd']],
        ['select (select max(x) from sub) from main', ['sub', 'main']],
        ['select * from a, a x, A', ['a', 'A']],
        ['with t as (select * from a) select * from t, "B c"', ['a', 'B c']],
        ['with t as (select * from t) select * from t', ['t']],
        ['with t as (select * from a), u as (select * from T) select * from U', ['a']],
        ['with u as (select * from t), t as (select 1) select * from u', ['t']],
        ['with recursive t(n) as (select 1 union all select n + 1 from t) select * from t', []],
        ['select * from (with t as (select * from a) select * from t) q, t', ['a', 't']],
        ['with t as (select 1) select * from s.t', ['t']],
        ['with t as (select 1) select db.s.t.a from db.s.t', ['t']],
        ['select * from t x natural left join u y natural join (v natural join w z)', ['t', 'u', 'v', 'w']],
        ['with t as (select 1) select * from t union select * from t except select * from u', ['u']],
        ["select 'from x' from y -- from z\n", ['y']],
        ['select * from (select * from a) q, b', ['a', 'b']],
        ['select * from a join b on a.x = b.x, c as d, e f, (select g from h, i) j where k in (1, 2)', ['a', 'b', 'c', 'e', 'h', 'i']],
        ['select * from (a join b on a.x = b.x) left join c using (x)', ['a', 'b', 'c']],
        ['select f(x), y from main.orders o where y > 1', ['orders']],
        ['select * from generate_series(1, 5) g', []],
        ['select extract(year from d) from t', ['t']],
        ['(select a from t) union (select b from u)', ['t', 'u']],
        ['select `a b` from `t x`', ['t x']],
        ['select * from "a""b"', ['a"b']],
        ['select * from t where exists (select 1 from u where u.x = t.x)', ['t', 'u']],
        ['select * from t join lateral (select * from u where u.x = t.x) v on true', ['t', 'u']],
        ['select count(*) over (partition by a order by b rows between unbounded preceding and current row) from t', ['t']],
        ['select c.name.first from c where c_0 = ?a and c_1 in (?b) limit ?from', ['c']],
    ])('%s', (sql, tables) => expect(sqlQuery(sql)).toMatchObject({ tables, problems: [] }));

    test('long conditions and unions are no deep ones', () => {
        expect(sqlQuery(`select 1 from t where ${Array(7000).fill('a = 1').join(' and ')}`).tables).toEqual(['t']);
        expect(sqlQuery(Array.from({ length: 5000 }, (_, i) => `select 1 from t${i % 3}`).join(' union ')).tables).toEqual([
            't0',
            't1',
            't2',
        ]);
    });
});

describe('what is no query', () => {
    test.each([
        ['', 'empty', 1, 1],
        ['-- nothing', 'empty', 1, 1],
        ['delete from a', "not 'delete'", 1, 1],
        ['insert into a values (1)', "not 'insert'", 1, 1],
        ['create table a as select 1', "not 'create'", 1, 1],
        ['drop table a', "not 'drop'", 1, 1],
        ['select (1', 'ends too early', 1, 10],
        ['select 1)', "unexpected ')'", 1, 9],
        ["select 'a", 'quote', 1, 8],
        ['select 1; select 2', 'one statement', 1, 11],
        ['select 1; drop table a', 'one statement', 1, 11],
        ['select a into b from t', 'INTO', 1, 10],
        ['with a as (delete from t returning x) select * from a', 'cannot DELETE', 1, 12],
        ['select a\nfrom t\nwhere', 'ends too early', 3, 6],
        ['select a\nfrom t\n  were a = 1', "unexpected 'a'", 3, 8],
        ['selct a from t', "not 'selct'", 1, 1],
        ['select a from t where b = = 1', "unexpected '='", 1, 27],
        ['select a from (t', 'ends too early', 1, 17],
        ['select a from t natural join u on t.a = u.a', "unexpected 'on'", 1, 32],
        ['select a from t join u on t.a = u.a, v w x', "unexpected 'x'", 1, 42],
    ])('%s', (sql, message, line, column) => {
        const { problems, tables } = sqlQuery(sql);
        expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining(message), line, column })]);
        expect(tables).toEqual([]);
    });

    test('one that nests too deeply', () => {
        const deep = `select ${'('.repeat(10_000)}1${')'.repeat(10_000)}`;
        expect(sqlQuery(deep).problems).toMatchObject([{ message: 'its brackets are nested deeper than 100 levels', start: 107 }]);
    });

    test.each(['`', '"', ''])('one with a name that is too long, in %s', quote => {
        const name = quote === '' ? 'a'.repeat(10_001) : `${quote}${(quote + quote).repeat(10_001)}${quote}`;
        const message = 'it has a name of more than 10,000 characters: use a shorter one';
        expect(sqlQuery(`select x from ${name}`).problems).toMatchObject([{ message, start: 14 }]);
    });

    test('one that is too long', () => {
        const message = 'it has more than 30,000 words and signs: use several queries';
        expect(sqlQuery(`select ${'a, '.repeat(15_000)}a from t`).problems).toMatchObject([{ message }]);
    });
});

test('parameters stand outside of strings, names and comments', () => {
    const sql = 'select ?a, \'?b\', "?c", `?d` from t -- ?e\n where x = ?a /* ?f */ and y like ?g_1';
    const { parameters } = sqlQuery(sql);
    expect(parameters.map(({ name }) => name)).toEqual(['a', 'a', 'g_1']);
    for (const { name, start, end } of parameters) expect(sql.slice(start, end)).toBe(`?${name}`);
});

test('words before brackets that are no functions', () => {
    const called = (condition: string): readonly string[] =>
        readQuery(`SELECT a FROM t WHERE ${condition}`).unknownFunctions?.map(({ name }) => name) ?? [];
    expect(called('NOT (a = 1) AND EXISTS (SELECT 1 FROM u) AND a = ANY (SELECT b FROM u) AND a > ALL (SELECT b FROM u)')).toEqual([]);
    expect(called('NOT (a = 1) AND nott(a) = 1')).toEqual(['nott']);
});

describe('another name for a table', () => {
    test.each([
        ['select * from old', 'select * from new'],
        ['select old.x, OLD.y from Old', 'select new.x, new.y from new'],
        ['select old from old', 'select old from new'],
        ['select o.x from old o', 'select o.x from new o'],
        ['select old.x from t as old', 'select old.x from t as old'],
        ['select old.x from old as old', 'select old.x from new as old'],
        ['with old as (select * from old) select old.x from old', 'with old as (select * from new) select old.x from old'],
        ["select 'old' from old -- old", "select 'old' from new -- old"],
        ['select "old"."x" from "old"', 'select "new"."x" from "new"'],
        ['select old_0, o.old_1 from old o, t', 'select new_0, o.new_1 from new o, t'],
        ['select t.old_0, old_0 from t', 'select t.old_0, old_0 from t'],
        ['select x from t where exists (select 1 from u where u.a = old.a) and old.b = 1', undefined],
        [
            'select * from old where exists (select 1 from u where u.a = old.a)',
            'select * from new where exists (select 1 from u where u.a = new.a)',
        ],
        ['select a from t union select a from old order by 1', 'select a from t union select a from new order by 1'],
        ['select old.* from (old join t on old.a = t.a)', 'select new.* from (new join t on new.a = t.a)'],
        ['select old.x from old natural join t', 'select new.x from new natural join t'],
        ['select old.x, a.y from old a natural join old', 'select new.x, a.y from new a natural join new'],
        ['select old.x from old cross join t', 'select new.x from new cross join t'],
        ['select s.old.x, db.s.old.y from db.s.old', 'select s.new.x, db.s.new.y from db.s.new'],
        ['select s.old.x, r.old.x, q.old.x from s.old, r.old', 'select s.new.x, r.new.x, q.old.x from s.new, r.new'],
        ['select s.old.x from s.t as s, t as old', undefined],
        ['select old.old.x from old', 'select new.old.x from new'],
        ['select older from older', undefined],
        ['select from old', undefined],
    ])('%s', (sql, renamed) => expect(renameTable(sql, 'old', 'new')).toBe(renamed ?? sql));

    test('a word of the language is quoted', () => {
        expect(renameTable('select a.x from a', 'a', 'order')).toBe('select "order".x from "order"');
        expect(renameTable('select `a`.x from `a`', 'a', 'order')).toBe('select `order`.x from `order`');
    });
});

describe('columns of a query', () => {
    const column = (name: string, type: Type, position: string): TableColumn => ({ name, position, type });
    const TABLES: Readonly<Record<string, readonly TableColumn[]>> = {
        t: [column('a', INT, 't_0'), column('b', STRING, 't_1')],
        u: [column('a', INT, 'u_0'), column('c', DATE, 'u_1')],
    };

    test.each([
        ['select * from t natural join u', 'a: int, b: string, c: date'],
        ['select * from t x natural full outer join u as y', 'a: int, b: string, c: date'],
        ['select a, x.b, y.c from t x natural join u y', 'a: int, b: string, c: date'],
        ['select * from (select * from t) x natural join (select * from u) y', 'a: int, b: string, c: date'],
        ['select "natural".a from t as "natural" join u on "natural".a = u.a', 'a: int'],
        ['select * from t cross join u', 'a: int, b: string, a: int, c: date'],
        ['select t.a, s.t.b from s.t', 'a: int, b: string'],
        ['select db.s.t.a, s.t.b from db.s.t', 'a: int, b: string'],
        ['select x.a from db.s.t x', 'a: int'],
        ['with t as (select 1 as a) select t.b from db.s.t', 'b: string'],
        ['select a from t where exists (select 1 from u where u.a = s.t.a) union select t.a from s.t', 'a: int', 's.t'],
        ['select s.t.a from s.t as x', 'a: mixed', 's.t'],
        ['select r.t.a from s.t', 'a: mixed', 'r.t'],
        ['select s.t.z from s.t', 'z: mixed', 't.z'],
        // A field of a struct.
        ['select t.b.a from t', 'a: mixed'],
        ['select t.z.a from t', 'a: mixed', 't.z'],
    ])('%s', (sql, columns, ...faults) => {
        const schema = readQuery(sql).schema(name => TABLES[name]);
        expect(schema.columns?.map(({ name, type }) => `${name}: ${printType(type)}`).join(', ')).toBe(columns);
        expect(schema.faults.map(fault => `${fault.kind} ${fault.column}`)).toEqual(faults.map(name => `unknown ${name}`));
    });
});
