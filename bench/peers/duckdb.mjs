// One program on DuckDB: node bench/peers/duckdb.mjs <program> <folder> [threads]. Prints how many rows there are.
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const PROGRAMS = {
    tc: db => path(db, 'INTEGER'),
    strings: db => path(db, 'VARCHAR'),
    async export(db) {
        await db.table('edge', { x: 'INTEGER', y: 'INTEGER' });
        await db.run(`copy (${CLOSURE} select * from path) to '${db.folder}/path.csv' (header false)`);
    },
    async tiny(db) {
        await db.run('create table edge as select i::INTEGER x, (i + 1)::INTEGER y from range(1, 11) as numbers(i)');
        return db.count(`${CLOSURE} select count(*) from path`);
    },
    async sg(db) {
        await db.table('par', { c: 'INTEGER', p: 'INTEGER' });
        return db.count(`with recursive sg(x, y) as
            (select a.c, b.c from par a join par b on a.p = b.p
             union select a.c, b.c from sg join par a on a.p = sg.x join par b on b.p = sg.y) select count(*) from sg`);
    },
    async reach(db) {
        await db.table('edge', { x: 'INTEGER', y: 'INTEGER' });
        await db.table('start', { x: 'INTEGER' });
        return db.count(`with recursive reached(x) as
            (select x from start union select edge.y from reached join edge on edge.x = reached.x) select count(*) from reached`);
    },
    async pt(db) {
        for (const name of ['alloc', 'move', 'load', 'store']) await db.table(name, { x: 'INTEGER', y: 'INTEGER' });
        return fixpoint(db, {
            pt: {
                columns: ['x', 'o'],
                first: 'select x, y o from alloc',
                next: `select m.x, d.o from move m join pt_new d on m.y = d.x
                    union all select l.x, b.o from pt_new d join load l on l.y = d.x join pt b on b.x = d.o
                    union all select l.x, d.o from pt_new d join pt a on a.o = d.x join load l on l.y = a.x
                    union all select d.o x, b.o from pt_new d join store s on s.x = d.x join pt b on b.x = s.y
                    union all select a.o x, d.o from pt_new d join store s on s.y = d.x join pt a on a.x = s.x`,
            },
        });
    },
    async fpt(db) {
        for (const name of ['alloc', 'move']) await db.table(name, { x: 'INTEGER', y: 'INTEGER' });
        await db.table('load', { x: 'INTEGER', y: 'INTEGER', f: 'INTEGER' });
        await db.table('store', { x: 'INTEGER', f: 'INTEGER', y: 'INTEGER' });
        return fixpoint(db, {
            vpt: {
                columns: ['x', 'o'],
                first: 'select x, y o from alloc',
                next: `select m.x, d.o from move m join vpt_new d on m.y = d.x
                    union all select l.x, h.o from vpt_new d join load l on l.y = d.x join hpt h on h.p = d.o and h.f = l.f
                    union all select l.x, d.o from hpt_new d join vpt a on a.o = d.p join load l on l.y = a.x and l.f = d.f`,
            },
            hpt: {
                columns: ['p', 'f', 'o'],
                first: 'select x p, x f, x o from alloc where false',
                next: `select d.o p, s.f, b.o from vpt_new d join store s on s.x = d.x join vpt b on b.x = s.y
                    union all select a.o p, s.f, d.o from vpt_new d join store s on s.y = d.x join vpt a on a.x = s.x`,
            },
        });
    },
    async join(db) {
        await orders(db);
        return db.count(`select count(*) from
            (select r, k, sum(q) s, count(*) n from ord join cust using (c) join prod using (p) group by r, k) where s >= n`);
    },
    async views(db) {
        await orders(db);
        await db.run('create view sold as select n, c, r, p, q from ord join cust using (c)');
        await db.run('create view sale as select n, c, r, p, k, q from sold join prod using (p)');
        return db.count('select count(*) from (select r, k, sum(q) s, count(*) n from sale group by r, k) where s >= n');
    },
    async ends(db) {
        await db.table('edge', { x: 'INTEGER', y: 'INTEGER' });
        return db.count(`${CLOSURE} select count(distinct y) from path`);
    },
    async load(db) {
        await db.table('rows', { a: 'INTEGER', b: 'VARCHAR', c: 'INTEGER', d: 'VARCHAR' });
        return db.count('select count(distinct b) + count(distinct c) + count(distinct d) from rows');
    },
    async sql(db) {
        await db.table('rows', { number: 'INTEGER', name: 'VARCHAR', amount: 'INTEGER', city: 'VARCHAR' });
        return db.count(`select count(*) from (select city, sum(amount), count(*) from rows
            where number % 3 <> 0 and name <> 'nobody' group by city)`);
    },
    async parquet(db) {
        await db.run(`create table rows as from '${db.folder}/rows.parquet'`);
        return db.count('select count(distinct b) + count(distinct c) + count(distinct d) from rows');
    },
    async own(db) {
        await db.table('own', { x: 'INTEGER', y: 'INTEGER', w: 'INTEGER' });
        // Semi-naive by hand: only new control pairs add to the totals of a round.
        await db.run('create table total as select x, y, sum(w)::INTEGER s from own where x <> y group by x, y');
        await db.run('create table ctrl as select x, y from total where s > 50');
        await db.run('create table delta as select * from ctrl');
        for (;;) {
            await db.run(`create or replace table added as select d.x, o.y, sum(o.w)::INTEGER s
                from delta d join own o on o.x = d.y where o.y <> d.x and o.y <> d.y group by d.x, o.y`);
            await db.run(`create or replace table changed as select x, y, sum(s)::INTEGER s
                from (select * from total semi join added using (x, y) union all select * from added) group by x, y`);
            await db.run('delete from total using added where total.x = added.x and total.y = added.y');
            await db.run('insert into total select * from changed');
            await db.run(`create or replace table delta as select x, y from changed
                where s > 50 and not exists (select 1 from ctrl where ctrl.x = changed.x and ctrl.y = changed.y)`);
            if ((await db.count('select count(*) from delta')) === 0) return db.count('select count(*) from ctrl');
            await db.run('insert into ctrl select * from delta');
        }
    },
    async triangles(db) {
        await db.table('edge', { x: 'INTEGER', y: 'INTEGER' });
        return db.count('select count(*) from edge a join edge b on b.x = a.y join edge c on c.x = a.x and c.y = b.y');
    },
    async negation(db) {
        await db.table('edge', { x: 'INTEGER', y: 'INTEGER' });
        for (const name of ['node', 'start', 'blocked']) await db.table(name, { x: 'INTEGER' });
        await db.run('create table free as select x, y from edge where y not in (select x from blocked)');
        await db.run(`create table way as with recursive way(x, y) as
            (select x, y from start join free using (x) union select way.x, free.y from way join free on free.x = way.y)
            select x, y from way`);
        return db.count(`select count(*) from start s cross join (select x y from node where x not in (select x from blocked)) n
            where not exists (select 1 from way where way.x = s.x and way.y = n.y)`);
    },
    async chase(db) {
        await db.table('part', { d: 'INTEGER', e: 'INTEGER' });
        await db.table('works', { x: 'INTEGER', d: 'INTEGER' });
        // What the rules invent is a key made of the department.
        await db.run("create table manages as select 'm' || d m, d from (select d from part union select e from part)");
        await db.run(`create table below as select a.m, b.m n
            from part join manages a on a.d = part.d join manages b on b.d = part.e`);
        await db.run(`create table above as with recursive above(n, m) as
            (select n, m from below union select above.n, below.m from above join below on below.n = above.m) select n, m from above`);
        return db.count(`select count(*) from (select x, m from works join manages using (d)
            union select works.x, above.n from works join manages using (d) join above on above.m = manages.m)`);
    },
    async lubm(db) {
        for (const name of ['part', 'head', 'works', 'studies', 'teaches', 'takes', 'advisor']) {
            await db.table(name, { x: 'INTEGER', y: 'INTEGER' });
        }
        await db.run(`create table inside as with recursive inside(x, y) as
            (select x, y from part union select inside.x, part.y from inside join part on part.x = inside.y) select x, y from inside`);
        await db.run(`create table member as with recursive member(x, y) as
            (select x, y from (select * from head union select * from works union select * from studies)
             union select member.x, inside.y from member join inside on inside.x = member.y) select x, y from member`);
        await db.run('create table student as select distinct x from takes');
        await db.run(`create table person as select x from student union select x from teaches
            union select head.x from head join inside on inside.x = head.y`);
        return db.count(`select (select count(*) from member) + (select count(*) from person)
            + (select count(*) from advisor a join teaches t on t.x = a.y join takes k on k.x = a.x and k.y = t.y)
            + (select count(*) from member where x in (select x from person) and x not in (select x from student))`);
    },
};

const CLOSURE = `with recursive path(x, y) as
    (select x, y from edge union select path.x, edge.y from path join edge on path.y = edge.x)`;

async function orders(db) {
    await db.table('ord', { n: 'INTEGER', c: 'VARCHAR', p: 'VARCHAR', q: 'INTEGER' });
    await db.table('cust', { c: 'VARCHAR', r: 'VARCHAR' });
    await db.table('prod', { p: 'VARCHAR', k: 'VARCHAR' });
}

async function path(db, type) {
    await db.table('edge', { x: type, y: type });
    return db.count(`${CLOSURE} select count(*) from path`);
}

/** Rules with more than one recursive literal, semi-naive by hand; gives the rows of the first table. */
async function fixpoint(db, tables) {
    const names = Object.keys(tables);
    for (const name of names) {
        await db.run(`create table ${name} as select distinct * from (${tables[name].first})`);
        await db.run(`create table ${name}_new as select * from ${name}`);
    }
    for (;;) {
        for (const [name, { columns, next }] of Object.entries(tables)) {
            const same = columns.map(column => `old.${column} = found.${column}`).join(' and ');
            await db.run(`create or replace table ${name}_found as select distinct ${columns.join(', ')} from (${next}) found
                where not exists (select 1 from ${name} old where ${same})`);
        }
        let found = 0;
        for (const name of names) {
            await db.run(`insert into ${name} select * from ${name}_found`);
            await db.run(`create or replace table ${name}_new as select * from ${name}_found`);
            found += await db.count(`select count(*) from ${name}_new`);
        }
        if (found === 0) return db.count(`select count(*) from ${names[0]}`);
    }
}

const [program, folder, threads = '1'] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:', { threads });
const connection = await instance.connect();
const run = async sql => (await connection.run(sql)).getRows();
const rows = await PROGRAMS[program]({
    folder,
    run,
    count: async sql => Number((await run(sql))[0][0]),
    table: (name, columns) => {
        const types = Object.entries(columns).map(([column, type]) => `'${column}': '${type}'`);
        const source = `read_csv('${join(folder, `${name}.csv`)}', header = false, columns = {${types.join(', ')}})`;
        return run(`create table ${name} as select * from ${source}`);
    },
});
if (rows !== undefined) console.log(`count=${rows}`);
