// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are written so.
import { afterAll, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { termText } from '#engine/values/text.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { sqlEngine } from '#server/compute/sql-engine.ts';

const queries = sqlEngine({ memory: 512 * 2 ** 20, threads: 1 });
afterAll(() => queries.close());

/** The facts of the outputs of a program, sorted, or what ended the run. */
async function run(text: string, parameters: ReadonlyMap<string, unknown> = new Map()): Promise<readonly string[]> {
    const { value, problems } = readProgram(text, 'p.rulelang');
    const program = analyse(value, { sql: readQuery });
    const errors = [...problems, ...program.problems].filter(({ severity }) => severity === 'error');
    if (errors.length > 0) return errors.map(({ code, message }) => `${code} ${message}`);
    const outcome = await evaluate(program, {
        parameters,
        limits: { maxRounds: 1000, maxNullDepth: 200, isoDepth: 3, maxMemory: 2 ** 30 },
        connectors: { source: () => undefined, sink: () => undefined },
        cancelled: () => undefined,
        clock: () => performance.now(),
        queries,
    });
    if (!outcome.ok) return outcome.reports.map(({ code, message }) => `${code} ${message}`);
    const { database } = outcome;
    return program.outputs.flatMap(key => {
        const relation = database.relation(key);
        const { name, columns } = program.predicates.get(key) ?? { name: '?', columns: [] };
        const rows = Array.from({ length: relation?.count ?? 0 }, (_, row) =>
            columns.map((column, i) => termText(database.dictionary, relation?.columns[i]?.[row] ?? 0, column.type, () => 'null')),
        );
        return rows.map(row => `${name}(${row.join(', ')})`).sort();
    });
}

const EDGES = 'edge(1, 2). edge(2, 3). edge(3, 4). label(2, "two"). label(3, "three").\n';

test('a query reads facts and derived predicates, and rules read its result', async () => {
    expect(
        await run(`${EDGES}
reach(X, Y) <- edge(X, Y).
reach(X, Z) <- reach(X, Y), edge(Y, Z).
counts(N, C) <- SELECT reach_0, count(*) FROM reach GROUP BY reach_0.
far(N) <- counts(N, C), C > 1.
@output("counts"). @output("far").`),
    ).toEqual(['counts(1, 3)', 'counts(2, 2)', 'counts(3, 1)', 'far(1)', 'far(2)']);
});

test('the head may leave the columns to the query, a star included', async () => {
    expect(await run(`${EDGES}@output("all_of"). all_of() <- SELECT * FROM edge JOIN label ON edge_1 = label_0.`)).toEqual([
        'all_of(1, 2, 2, "two")',
        'all_of(2, 3, 3, "three")',
    ]);
    expect(await run(`${EDGES}@output("p"). q() <- SELECT * FROM edge. p(X) <- q(X, 3).`)).toEqual(['p(2)']);
});

test('models name the columns, and constants in the text of a rule filter them', async () => {
    expect(
        await run(`@model("person", "['id:int', 'name:string', 'born:date']", "").
person(1, "Ada", 1815-12-10). person(2, "Alan", 1912-06-23).
@output("young").
young(N, D) <- SELECT name, born FROM person WHERE born > DATE '1900-01-01'.`),
    ).toEqual(['young("Alan", 1912-06-23)']);
});

test('values keep their types: whole numbers beyond 53 bits, doubles, booleans, dates, instants, lists', async () => {
    expect(
        await run(`v(9007199254740993, 1.5, #T, 2031-04-09, 2031-04-09 10:15:00, [1, 2], "a'b").
@output("w"). w() <- SELECT * FROM v.`),
    ).toEqual(['w(9007199254740993, 1.5, #T, 2031-04-09, 2031-04-09 10:15:00, [1,2], "a\'b")']);
});

test('unknown values are NULL in a query, and its NULLs are unknown values of their own', async () => {
    expect(
        await run(`p(1). p(2). q(X, Y) <- p(X). @output("n"). @output("m").
n(A, B) <- SELECT q_0, q_1 FROM q WHERE q_1 IS NULL.
m(C) <- SELECT count(q_1) FROM q.`),
    ).toEqual(['n(1, null)', 'n(2, null)', 'm(0)']);
});

test('parameters are bound, and never part of the text', async () => {
    const program = `@param("name", "x' OR '1'='1"). p("a"). p("b"). @output("r"). r(X) <- SELECT p_0 FROM p WHERE p_0 = ?name.`;
    expect(await run(program)).toEqual([]);
    expect(await run(program, new Map([['name', 'b']]))).toEqual(['r("b")']);
});

test('parameters stand in braces too, and within quotes as their texts, which never end them', async () => {
    const given = (text: string, s: unknown = "b' OR 'x'='x", n: unknown = 2): Promise<readonly string[]> =>
        run(
            `@param("s", "b"). @param("n", 2). e(1, "a"). e(2, "b' OR 'x'='x"). e(3, "b"). @output("o").\n${text}`,
            new Map([
                ['s', s],
                ['n', n],
            ]),
        );
    expect(await given('o(X) <- SELECT e_0 FROM e WHERE e_0 >= ${n}.')).toEqual(['o(2)', 'o(3)']);
    expect(await given("o(X) <- SELECT e_0 FROM e WHERE e_1 = '${s}'.")).toEqual(['o(2)']);
    expect(await given("o(X) <- SELECT e_0 FROM e WHERE e_1 LIKE '${s}%'.", 'b')).toEqual(['o(2)', 'o(3)']);
    expect(await given("o(X) <- SELECT e_0 FROM e WHERE e_1 = E'${s}'.", "\\' OR TRUE --")).toEqual([]);
    expect(await given("o(X) <- SELECT E'${s}|\\n' FROM e WHERE e_0 = 1.", 'a\\nb')).toEqual(['o("a\\\\nb|\\n")']);
    expect(await given("o(X) <- SELECT '$${s}|${n}' FROM e WHERE e_0 = 1.")).toEqual(['o("${s}|2")']);
    expect(await given('o(X, Y) <- #TC("SELECT e_0, e_0 + ${n} FROM e WHERE e_1 <> \'${s}\'").', 'b')).toEqual(['o(1, 3)', 'o(2, 4)']);
    expect(await given("o(X) <- SELECT '${other}' FROM e.")).toEqual([expect.stringContaining('RT080')]);
});

test('columns whose types depend on a parameter are not told before a run', async () => {
    const dictionary = new Dictionary();
    const columns = [{ name: 'n', type: { kind: 'int' as const } }];
    const tables = [{ name: 'v', relation: 'v', columns, count: 0, ids: [new Int32Array(0)] }];
    const parameter = () => ({ value: dictionary.number(5), type: { kind: 'int' as const } });
    const columnsOf = (text: string) => queries.columns({ text, tables, dictionary, parameter });
    expect(await columnsOf('SELECT ?least + n FROM v')).toEqual([]);
    expect(await columnsOf('SELECT n FROM v WHERE n < ?least')).toEqual([{ name: 'n', type: { kind: 'long' } }]);
    await expect(columnsOf('SELECT ?least + m FROM v')).rejects.toThrow('m');
});

test('why there is no row names parameters as the program does', async () => {
    const dictionary = new Dictionary();
    const columns = [{ name: 'n', type: { kind: 'int' as const } }];
    const tables = [{ name: 'v', relation: 'v', columns, count: 1, ids: [Int32Array.of(dictionary.number(7))] }];
    const parameter = () => ({ value: dictionary.number(5), type: { kind: 'int' as const } });
    const text = "SELECT n FROM v WHERE n < ?least AND '$least' <> ''";
    const lacks = await queries.lacks({ text, tables, dictionary, parameter }, [dictionary.number(7)], () => undefined);
    expect(lacks).toMatchObject([{ kind: 'condition', condition: 'n < ?least' }]);
});

test('what the reading of a query rewrites for its parser is asked as it is written', async () => {
    const facts = '@output("o"). t("a", 1). t("a", 2). t("b", 2). t("c", -3).\n';
    expect(
        await run(`${facts}o(S, A, M, N) <- SELECT SUM(DISTINCT t_1), AVG(DISTINCT t_1), MIN(DISTINCT t_1), MAX(DISTINCT t_1) FROM t.`),
    ).toEqual(['o(0, 0.0, -3, 2)']);
    expect(await run(`${facts}o(A) <- SELECT t_0 FROM t ORDER BY t_1 LIMIT (1) OFFSET (1).`)).toEqual(['o("a")']);
    expect(await run(`${facts}o(A) <- SELECT t_0 FROM t WHERE t_0 || '%' LIKE 'c!%' ESCAPE ('!').`)).toEqual(['o("c")']);
    expect(await run(`${facts}o(A) <- SELECT t_0 FROM t QUALIFY (row_number() OVER (ORDER BY t_1 DESC, t_0) = 2).`)).toEqual(['o("b")']);
    const qualified = 'SELECT t_0, SUM(t_1) AS s FROM t GROUP BY t_0 HAVING SUM(t_1) > 0 QUALIFY row_number() OVER (ORDER BY s) = 1';
    expect(await run(`${facts}o(A, S) <- ${qualified}.`)).toEqual(['o("b", 2)']);
    const ordered = 'first(t_0 ORDER BY t_1 DESC, t_0), list(t_1 ORDER BY t_1 DESC NULLS LAST), list(DISTINCT t_1 ORDER BY t_1)';
    expect(await run(`${facts}o(A, B, C) <- SELECT ${ordered} FROM t WHERE t_1 > 0.`)).toEqual(['o("a", [2,2,1], [1,2])']);
    expect(await run(`${facts}o(N) <- SELECT count(DISTINCT t_1 ORDER BY t_1 DESC) FROM t.`)).toEqual(['o(3)']);
    const sets = 'SELECT t_0, t_1, count(*) FROM t WHERE t_1 > 1 GROUP BY GROUPING SETS ((t_0), (t_1, t_0), ())';
    expect((await run(`${facts}o(A, B, N) <- ${sets}.`)).length).toBe(5);
    expect(await run(`${facts}o(A, S) <- SELECT t_0, SUM(t_1) FROM t GROUP BY ROLLUP (t_0).`)).toEqual([
        'o("a", 3)',
        'o("b", 2)',
        'o("c", -3)',
        'o(null, 2)',
    ]);
});

test('queries over queries, CTEs, subqueries, windows, set operations', async () => {
    expect(
        await run(`s("a", 3). s("b", 1). s("c", 2).
ranked() <- SELECT s_0 AS who, row_number() OVER (ORDER BY s_1) AS place FROM s.
@output("best").
best(W) <- WITH first AS (SELECT ranked_0 AS w FROM ranked WHERE ranked_1 = 1) SELECT w FROM first UNION SELECT s_0 FROM s WHERE s_1 = (SELECT max(s_1) FROM s).`),
    ).toEqual(['best("a")', 'best("b")']);
});

test('tables have the columns that a query needs, however it names them', async () => {
    const facts = 'p(1, "a", 2). p(2, "b", 3). q(2, "c"). @output("r").\n';
    const rows = (query: string): Promise<readonly string[]> => run(`${facts}r() <- ${query} .`);
    expect(await rows('SELECT count(*) FROM p')).toEqual(['r(2)']);
    expect(await rows('SELECT x.p_2 FROM p x WHERE EXISTS (SELECT 1 FROM q WHERE q_0 = x.p_0)')).toEqual(['r(3)']);
    expect(await rows('SELECT z FROM p AS t(x, y, z) WHERE x = 1')).toEqual(['r(2)']);
    expect(await rows('SELECT P_1 FROM P')).toEqual(['r("a")', 'r("b")']);
    expect(await rows('SELECT p.* FROM p JOIN q ON p_0 = q_0')).toEqual(['r(2, "b", 3)']);
    expect(await rows('SELECT a FROM (SELECT p_1 AS a, p_2 FROM p) ORDER BY p_2 LIMIT 1')).toEqual(['r("a")']);
    const model =
        '@model("s", "[\'k:int\', \'v:string\']", ""). @model("u", "[\'k:int\', \'w:string\']", ""). s(1, "v"). u(1, "w"). @output("r").\n';
    expect(await run(`${model}r() <- SELECT v, w FROM s JOIN u USING (k).`)).toEqual(['r("v", "w")']);
    expect(await run(`${model}r() <- SELECT w FROM s NATURAL JOIN u.`)).toEqual(['r("w")']);
    expect(await run(`${model}r() <- SELECT x.v, k, y.w FROM s x NATURAL JOIN u AS y.`)).toEqual(['r("v", 1, "w")']);
});

test('what a query may not do is refused before it runs, with its place', async () => {
    const refused = async (query: string): Promise<string> => (await run(`p(1). @output("r"). r(X) <- ${query}.`)).join();
    expect(await refused("SELECT x FROM read_csv('/etc/passwd')")).toMatch(/RL7001|RT091.*read_csv/u);
    expect(await refused("SELECT current_setting('threads') FROM p")).toMatch(/RT091.*'current_setting' is no function/u);
    expect(await refused('SELECT db.s.p.p_0 FROM db.s.p')).toMatch(/RT091.*there is no table 'db\.s\.p'/u);
    expect(await refused('SELECT version() FROM p')).toMatch(/RT091.*'version' is no function/u);
});

test('a failure in the database names the reason', async () => {
    expect(await run('p("x"). @output("r"). r(X) <- SELECT CAST(p_0 AS INTEGER) FROM p.')).toEqual([
        "RT091 The query failed: Could not convert string 'x' to INT32 when casting from source column p_0",
    ]);
});
