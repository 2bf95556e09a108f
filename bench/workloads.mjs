/**
 * The workloads. Each has a program in `programs/` that writes its rows to `data/<name>/<output>`, the number of rows it
 * must write, and a peer that does the same work: DuckDB statements, run in the same order in which they stand here,
 * where a function is called for the file at hand and may repeat statements until nothing changes.
 */
export const WORKLOADS = [
    {
        name: 'own_rand',
        output: 'ctrl.csv',
        rows: 1_288_924,
        async duckdb(query, folder) {
            await query(`create table own as select * from read_csv('${folder}/own.csv', header = false,
                columns = {'x': 'INTEGER', 'y': 'INTEGER', 'w': 'INTEGER'})`);
            // Semi-naive by hand: only new control pairs add to the totals of a round.
            await query('create table total as select x, y, sum(w)::INTEGER s from own where x <> y group by x, y');
            await query('create table ctrl as select x, y from total where s > 50');
            await query('create table delta as select * from ctrl');
            for (;;) {
                await query(`create or replace table added as select d.x, o.y, sum(o.w)::INTEGER s
                    from delta d join own o on o.x = d.y where o.y <> d.x and o.y <> d.y group by d.x, o.y`);
                await query(`create or replace table changed as select x, y, sum(s)::INTEGER s
                    from (select * from total semi join added using (x, y) union all select * from added) group by x, y`);
                await query('delete from total using added where total.x = added.x and total.y = added.y');
                await query('insert into total select * from changed');
                await query(`create or replace table delta as select x, y from changed
                    where s > 50 and not exists (select 1 from ctrl where ctrl.x = changed.x and ctrl.y = changed.y)`);
                const [[fresh]] = await query('select count(*) from delta');
                if (fresh === 0n) break;
                await query('insert into ctrl select * from delta');
            }
            await query(`copy ctrl to '${folder}/ctrl.csv' (header false)`);
        },
    },
    {
        name: 'tc_rand1m',
        output: 'path.csv',
        rows: 1_046_645,
        async duckdb(query, folder) {
            await query(`create table edge as select * from read_csv('${folder}/edge.csv', header = false,
                columns = {'x': 'INTEGER', 'y': 'INTEGER'})`);
            await query(`copy (with recursive path(x, y) as
                (select x, y from edge union select path.x, edge.y from path join edge on path.y = edge.x)
                select * from path) to '${folder}/path.csv' (header false)`);
        },
    },
    {
        name: 'tiny',
        output: 'path.csv',
        rows: 15,
        async duckdb(query, folder) {
            await query('create table edge as select * from (values (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)) as edge(x, y)');
            await query(`copy (with recursive path(x, y) as
                (select x, y from edge union select path.x, edge.y from path join edge on path.y = edge.x)
                select * from path) to '${folder}/path.csv' (header false)`);
        },
    },
];

/** What is wrong with the rows that the two sides wrote; nothing where both wrote what the workload asks for. */
export function wrongCounts(workload, counts) {
    return Object.entries(counts)
        .filter(([, rows]) => rows !== workload.rows)
        .map(([side, rows]) => `${workload.name}: ${side} wrote ${rows} rows, expected ${workload.rows}`);
}
