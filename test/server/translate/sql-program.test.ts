import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { sqlProgram } from '#server/translate/sql/sql-program.ts';
import { searched } from '../../fuzz/search.ts';
import { translatedQueries } from '../../fuzz/translated-queries.ts';
import { observe } from '../../support/conformance.ts';
import { readExpectation } from '../../support/expected-facts.ts';

const TABLES = [
    { name: 'people', columns: ['Name', 'Age', 'City', 'Dept'] },
    { name: 'dept', columns: ['Id', 'Title'] },
    { name: 'orders', columns: ['Id', 'Who', 'Total'] },
    { name: 'pairs', columns: ['pairs_0', 'pairs_1'] },
    { name: 'emp', columns: ['Id', 'Name', 'Dept', 'Boss', 'Pay'] },
];
const FACTS = `@model("people", "['Name:string', 'Age:int', 'City:string', 'Dept:int']", "").
@model("dept", "['Id:int', 'Title:string']", "").
@model("orders", "['Id:int', 'Who:string', 'Total:double']", "").
people("Ann", 30, "Rome", 1). people("Bob", 41, "Paris", 1). people("Cy", 25, "Rome", 2). people("Di", null, "Oslo", null).
dept(1, "Eng"). dept(2, "Ops"). dept(3, "Law").
orders(1, "Ann", 10.5). orders(2, "Ann", 4.5). orders(3, "Cy", 7.0).
@model("emp", "['Id:int', 'Name:string', 'Dept:string', 'Boss:int', 'Pay:double']", "").
emp(1, "Ann", "A", null, 100.0). emp(2, "Bob", "A", 1, 80.0). emp(3, "Cyd", "B", 1, 80.0). emp(4, "Dee", null, 2, null).
emp(5, "Eve", "B", 3, 60.5). emp(6, "Fay", null, 2, null). emp(7, "Gil", "G", null, null). emp(8, "Hal", "G", 7, null).
`;
const DATA = `create table people("Name" varchar, "Age" integer, "City" varchar, "Dept" integer);
insert into people values ('Ann', 30, 'Rome', 1), ('Bob', 41, 'Paris', 1), ('Cy', 25, 'Rome', 2), ('Di', null, 'Oslo', null);
create table dept("Id" integer, "Title" varchar); insert into dept values (1, 'Eng'), (2, 'Ops'), (3, 'Law');
create table orders("Id" integer, "Who" varchar, "Total" double); insert into orders values (1, 'Ann', 10.5), (2, 'Ann', 4.5), (3, 'Cy', 7.0);
create table emp("Id" integer, "Name" varchar, "Dept" varchar, "Boss" integer, "Pay" double); insert into emp values
(1, 'Ann', 'A', null, 100.0), (2, 'Bob', 'A', 1, 80.0), (3, 'Cyd', 'B', 1, 80.0), (4, 'Dee', null, 2, null),
(5, 'Eve', 'B', 3, 60.5), (6, 'Fay', null, 2, null), (7, 'Gil', 'G', null, null), (8, 'Hal', 'G', 7, null);`;

test.each([
    ['SELECT name FROM people WHERE age > 30', 'result(Name) :- people(Name,Age,_,_), Age > 30.'],
    ['select people.name from crm.hr.people', 'result(Name) :- people(Name,_,_,_).'],
    ['select d.title, people.name from people cross join dept d', 'result(Title,Name) :- people(Name,_,_,_), dept(_,Title).'],
    [
        'select p.name, d.title from people p join dept d on p.dept = d.id',
        'result(Name,Title) :- people(Name,_,_,Dept), dept(Dept,Title), is_not_null(Dept).',
    ],
    ['select a.x from t a join t b on a.x = b.y', 'result(AX) :- t(AX,_), t(_,AX), is_not_null(AX).'],
    [
        "select city, count(*) as n, max(age) from people where city <> '' and age > 0 group by city having count(*) > 1",
        'result(City,N,Max) :- people(_,Age,City,_), City != "", Age > 0, N = count(), Max = max(Age), N > 1.',
    ],
    ['select distinct title from dept where id = 1 and title is not null', 'result(Title) :- dept(Id,Title), Id == 1, is_not_null(Title).'],
    ['select name from people where dept = dept', 'result(Name) :- people(Name,_,_,Dept), is_not_null(Dept).'],
    ['select name from people where age <> dept', 'result(Name) :- people(Name,Age,_,Dept), is_not_null(Age), Age != Dept.'],
    ['select name from people where age <> dept and dept > 1', 'result(Name) :- people(Name,Age,_,Dept), Age != Dept, Dept > 1.'],
    [
        'select name from people where not (age = dept or city is null)',
        'result(Name) :- people(Name,Age,City,Dept), ((is_not_null(Age) && Age != Dept) && is_not_null(City)).',
    ],
    ['select "null" from t', 'result(CNull) :- t(CNull).'],
    ['select t_2 from t where t_0 = 1', 'result(T2) :- t(T0,_,T2), T0 == 1.'],
    ['select x from pairs where y = 1', 'result(X) :- pairs(X,Y), Y == 1.'],
    ['select "First Name" from "My Table"', 'result(FirstName) :- my_table(FirstName).'],
    ["select 1, 'it''s'", 'result(1,"it\'s").'],
    ['select name from people order by 1', 'result(Name) :- people(Name,_,_,_).\n@post("result", "orderby(1)").'],
    [
        'select name as n, age from people order by age desc, n',
        'result(N,Age) :- people(Name,Age,_,_), N = Name.\n@post("result", "orderby(-2, 1)").',
    ],
])('%s', (query, rules) => {
    expect(sqlProgram(query, TABLES)).toBe(`${rules}\n@output("result").\n`);
});

test.each([
    [
        'select distinct city from people',
        'result(City) :- people(_,_,PeopleCity,_), UNKNOWN, City = nullManagement:coalesce(PeopleCity, Unknown).',
    ],
    [
        'select city, count(*) as n, sum(age), max(age) from people group by city',
        'result(City,N,Sum,Max) :- people(_,Age,PeopleCity,_), UNKNOWN, City = nullManagement:coalesce(PeopleCity, Unknown), N = count(), ' +
            'Total = sum(nullManagement:coalesce(Age, 0)), Values = sum(if(is_null(Age), 0, 1)), Sum = if(Values > 0, Total, null), ' +
            'Max = collections:get(max(if(is_null(Age), [], [Age])), 1).',
    ],
])('NULL is one value: %s', (query, rules) => {
    expect(sqlProgram(query, TABLES)).toBe(
        `% NULLs count as one value here, called Unknown.\n${rules.replaceAll('UNKNOWN', 'Unknown = collections:get([], 1)')}\n@output("result").\n`,
    );
});

test.each([
    ['select name from people order by age', 'ORDER BY'],
    ['select name from people limit 1', 'LIMIT'],
    ['select row_number() over (order by name) from people', 'window functions'],
    ['with c as (select 1 as one) select * from c', 'WITH'],
    ['select name from people where dept in (select id from dept)', 'a subquery'],
    ['select name from (select name from people) p', 'a subquery in FROM'],
    ['select name from people except select title from dept', 'EXCEPT'],
    ['select name from people right join dept on id = dept', 'RIGHT JOIN'],
    ['select name, age from people group by name', 'a column that is no group'],
    ['select name from people where age = ?k', 'a parameter or an escape'],
    ["select name from people where city ~* 'a'", '~*'],
    ["select name from people where city !~* 'a'", '!~*'],
    ['select x, y from a join b using (id)', 'column x'],
    ['select p.name from people p natural left join emp e', 'NATURAL'],
    ['select hr.people.name from hr.people', 'a column with a schema'],
    ['select a.name, b.name from hr.people a join crm.people b on a.age = b.age', 'tables of one name in several schemas'],
    ["select name from people where city = 'a\\\\b'", 'a parameter or an escape'],
])('%s stays a query: %s', (query, reason) => {
    expect(sqlProgram(query, TABLES)).toBe(
        `% No rules are written for ${reason}: the query stays as it is.\nresult() :- ${query}.\n@output("result").\n`,
    );
});

test('the tables of a query that stays are called as predicates are, comments and semicolons go', () => {
    expect(sqlProgram('select * from "My Table" -- all\n;', TABLES)).toContain('result() :- select * from "my_table".\n');
    const long = `select name from people where ${'age <> 1 and '.repeat(5000)} age = 2`;
    expect(sqlProgram(long, TABLES)).toContain(`result() :- ${long}.\n`);
    expect(sqlProgram('select name from people order by name limit 2', TABLES)).toMatch(/limit 2\.\n@post\("result", "orderby\(1\)"\)\./u);
    expect(sqlProgram('select x from result', TABLES)).toBeUndefined();
    // The operator stands for another one where a query does not have it itself.
    expect(sqlProgram("select name from people where city ~* 'a' and age is not distinct from 1", TABLES)).toBeUndefined();
});

const QUERIES = `select * from people where city = 'Rome'
select distinct city from people
select p.name, d.title from people p, dept d where p.dept = d.id and d.title <> 'Ops'
select p.name, d.title from people p left join dept d on p.dept = d.id
select d.title, count(p.name) as n from dept d left join people p on p.dept = d.id group by d.title
select p.name, d.title, o.total from people p left join dept d on p.dept = d.id left join orders o on o.who = p.name and o.total > 5
select p.name, o.total from people p join dept d on d.id = p.dept left join orders o on o.who = p.name where d.title = 'Eng'
select city, count(*) as n, avg(age) as a, min(age), max(age) from people where age is not null group by city having count(*) > 1
select sum(total) from orders group by who
select city, count(*) * 2 as twice from people group by 1
select city as c, count(*) from people group by c
select count(distinct city), count(*) from people
select p.city, sum(o.total) from people p join orders o on o.who = p.name group by p.city
select city from people union select title from dept
select count(*) from people union select count(*) from dept
select a.name, b.name from people a join people b on a.city = b.city where a.name < b.name
select name from people where city not in ('Rome', 'Oslo') or age in (25)
select name from people where age not in (30, 25)
select name from people where name like 'A%' or name like '%y' or name like '%o%'
select name from people where name like '_n_' and name not like '%z%'
select name from people where not (age between 25 and 30 and city = 'Rome')
select name from people where not age = 30 and city = 'Rome'
select name from people where age = 30 or age = 25 and city = 'Paris'
select name from people where (age = 30 or age = 25) and city = 'Rome' and not (name = 'Cy' or age is null)
select name from people where age is null or -age < -40
select name, age * 2 + 1 as x, 'c' as k, 5 from people where age is not null
select upper(name), length(city), coalesce(age, 0), name || '!' from people
select name from people group by name, city having min(age) > 25
select count(*) from people where age > 100
select sum(total), min(total), count(total), count(*), 'k' from orders where total > 100
select count(*) from people where city = 'Rome'
select sum(age) * 2 from people where age > 25
select count(*) from people having count(*) > 9
select name from people order by age nulls first limit 2
select name from people order by name limit 2 offset 1
select name, row_number() over (order by name) from people
with rome as (select * from people where city = 'Rome') select r.name, d.title from rome r join dept d on d.id = r.dept
select name from people where dept in (select id from dept where title <> 'Ops')
select name from people p where exists (select 1 from orders where who = p.name)
select p.n from (select name as n, age from people) p where p.age > 26
select city from people except select title from dept
select city from people intersect select city from people where age > 26
select p.name, d.title from people p right join dept d on d.id = p.dept
select p.name, d.title from people p full join dept d on d.id = p.dept
select name, case when age > 28 then 'old' when age is null then 'unknown' else 'young' end from people
select title, sum(age) from dept d left join people p on p.dept = d.id group by title
select name, age from people where age = null
select name from people where age > all (select age from people where city = 'Rome' and age is not null)
select d.title, (select max(age) from people p where p.dept = d.id) from dept d
select dept, count(*), sum(pay) from emp group by dept
select o.who, q.t from orders o natural join (select 1 as id, 2 as t) q
select count(*), sum(pay) from emp where dept = 'G'
select dept, count(pay), avg(pay), min(name), max(boss) from emp group by dept
select boss, count(*) from emp group by boss
select a.name, b.name from emp a join emp b on a.dept = b.dept
select distinct dept from emp
select dept, max(pay) from emp group by dept union select dept, boss from emp union all select dept, null from emp
select name from emp where dept = dept
select dept from emp group by dept having sum(pay) is null
select dept, boss from emp group by dept, boss having count(*) > 1 or boss = min(id)
select coalesce(dept, '?') as d, dept || '!' as e, count(*) from emp group by coalesce(dept, '?'), dept || '!'
select length(name), count(*) from emp group by length(name) having length(name) > 2
select dept as a, dept as b, count(pay) as n, sum(pay) as pay from emp group by dept
select concat(name, dept, boss), name || dept from emp
select a.id, b.id from emp a join emp b on a.dept is not distinct from b.dept
select id from emp where dept is distinct from 'A' and pay is not distinct from null
select a.id, b.id from emp a, emp b where a.boss is distinct from b.boss and not a.dept is distinct from b.dept
select count(*) from emp where (pay is not distinct from 80.0) or boss + 1 is not distinct from id`.split('\n');

test('the rows are those of the queries', async () => {
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    await connection.run(DATA);
    const folder = import.meta.dirname;
    for (const query of QUERIES) {
        const rows = (await connection.runAndReadAll(query)).getRows();
        const wanted = rows.map(row => row.map(textOf).join());
        const program = sqlProgram(query, TABLES) ?? '';
        const { facts } = await observe({ folder, expectation: readExpectation('') }, FACTS + program, evaluate);
        const found = (facts.get('result') ?? []).map(row =>
            row.map(term => (/^z\d+$/u.test(term) ? 'null' : term.replace(/\.0$/u, ''))).join(),
        );
        expect(new Set(found), `${query}\n${program}`).toEqual(new Set(wanted));
        // Rows that the query has once are there once.
        if (new Set(wanted).size === wanted.length) expect(found.length, `${query}\n${program}`).toBe(wanted.length);
    }
    connection.closeSync();
    instance.closeSync();
});

test('so they are for random queries over tables full of NULLs', async () => {
    const found = await searched(translatedQueries, 20_777, 30);
    expect(found.filter(kind => kind === 'rules').length).toBeGreaterThan(20);
});

function textOf(value: unknown): string {
    return typeof value === 'string' ? `"${value}"` : String(value);
}
