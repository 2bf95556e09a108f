import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { ended, folderWith, start } from '../cli/command-line.ts';
import { rulelang } from '../cli/in-process.ts';
import { type DescribedSource, describeSource } from '../support/describe-source.ts';
import { mariadbShop, postgresqlShop, type Shop } from './shop.ts';

const APP = "pw'canary";
const postgresql = await postgresqlShop('databases', APP);
const mariadb = await mariadbShop('databases', APP, 'latin1');
/** Somebody who may log in, and nothing else. */
const READER = 'databases_reader';
postgresql.administer(`CREATE ROLE ${READER} LOGIN PASSWORD 'pw''canary';`);
mariadb.administer(`CREATE USER ${READER}@'127.0.0.1' IDENTIFIED BY 'pw''canary'; GRANT USAGE ON *.* TO ${READER}@'127.0.0.1';`);

interface Tested extends Omit<Shop, 'type'> {
    readonly type: 'postgresql' | 'mysql' | 'mariadb';
    readonly tables: () => string[];
    readonly quoted: (name: string) => string;
}

const onPostgresql: Tested = {
    ...postgresql,
    quoted: (name: string) => `"${name.replaceAll('"', '""')}"`,
    tables: () =>
        lines(
            postgresql.execute(
                "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace ORDER BY 1;",
            ),
        ),
};

function onMariadb(type: 'mysql' | 'mariadb'): Tested {
    return {
        ...mariadb,
        type,
        quoted: name => `\`${name.replaceAll('`', '``')}\``,
        tables: () => lines(mariadb.execute('SHOW TABLES;')),
    };
}

function lines(text: string): string[] {
    return text.split('\n').filter(line => line !== '');
}

const TESTED: readonly Tested[] = [onPostgresql, onMariadb('mysql'), onMariadb('mariadb')];

function literal(text: string): string {
    return `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
}

for (const { type, port, database, owner, execute, tables, quoted, clear } of TESTED) {
    const described: DescribedSource = {
        type,
        options: `host='127.0.0.1', port=${port}, username='${owner}', database='${database}', password='${APP}'`,
        put: (_, inner, rows) => {
            const isNumber = rows.every(([, size]) => typeof size === 'number');
            const values = rows.map(([name, size]) => `(${literal(name)}, ${typeof size === 'number' ? size : literal(size)})`);
            execute(`DROP TABLE IF EXISTS ${quoted(inner)}; CREATE TABLE ${quoted(inner)} (name varchar(100), size ${isNumber ? 'int' : 'varchar(100)'});
INSERT INTO ${quoted(inner)} VALUES ${values.join(', ')};`);
        },
        inner: word => word,
        hasLines: false,
        hidesChanges: true,
        grants: { hosts: [{ host: '127.0.0.1', port }] },
        clear,
        listing: tables,
    };
    describeSource(described);
}

/** Runs a program in which `DB` stands for the type and the options that lead to the database, as its owner, and `"shop"` for its name. */
async function run(
    tested: Tested,
    program: string,
    { args = [] as readonly string[], env = {} as NodeJS.ProcessEnv, options = '', isProcess = false } = {},
) {
    const source = `${tested.type} host='127.0.0.1', port=${tested.port}, username='${tested.owner}', password='\${APP_PW}'${options}`;
    const folder = folderWith({ 'p.rulelang': program.replaceAll('DB', source).replaceAll('"shop"', `"${tested.database}"`) });
    const given = ['--allow-net', `127.0.0.1:${tested.port}`, '--secret', 'APP_PW', ...args];
    const command = ['run', 'p.rulelang', '--format', 'csv', '--output', 'o', ...given];
    const variables = { APP_PW: APP, ...env };
    return isProcess ? await ended(start(folder, command, variables)) : await rulelang(folder, command, '', variables);
}

/** What waits for seconds goes on beside the other tests, in databases of its own. */
const WAITING = [
    { ...onPostgresql, ...(await postgresqlShop('waiting', APP)) },
    { ...onMariadb('mariadb'), ...(await mariadbShop('waiting', APP)) },
].map(tested => {
    const sleep = tested.type === 'postgresql' ? 'SELECT pg_sleep(100)' : 'SELECT sleep(100)';
    const sleeping = `@qbind("q", "DB", "shop", "${sleep}"). @output("o"). o(X) <- q(X).`;
    const stopped = run(tested, sleeping, { args: ['--timeout', '2s'], isProcess: true });
    tested.execute("CREATE TABLE t (x varchar(10)); INSERT INTO t VALUES ('a');");
    const bind = (predicate: string, host: string): string =>
        `@bind("${predicate}", "DB, host='${host}', saveMode=overwrite", "shop", "t").`;
    const writing = `f("c"). @output("o"). o(1). @output("a"). @output("b"). a(X) <- f(X). b(X) <- f(X). ${bind('a', '127.0.0.1')} ${bind('b', 'localhost')}`;
    const held = run(tested, writing, { args: ['--allow-net', 'localhost'], isProcess: true });
    return { tested, stopped, held };
});

describe.each(TESTED.filter(({ type }) => type !== 'mysql'))('$type', tested => {
    const { type, port, database, owner, execute, tables, quoted, clear } = tested;
    beforeEach(clear);
    const isPostgresql = type === 'postgresql';
    const contents = (table: string, columns: string): string[] => lines(execute(`SELECT ${columns} FROM ${quoted(table)} ORDER BY 1;`));

    test('values at the limits of their types are read as they are', async () => {
        const [timestamp, double] = isPostgresql ? ['timestamp(6)', 'double precision'] : ['datetime(6)', 'double'];
        execute(`CREATE TABLE t (i bigint, j int, d ${double}, n numeric(30, 10), s text${isPostgresql ? '' : ' CHARACTER SET utf8mb4'}, day date, at ${timestamp}, ok boolean);
INSERT INTO t VALUES (9223372036854775807, 2147483647, 1.7976931348623157e308, 12345678901234567890.5, '𝄞 "quoted" ''single'' \\\\', '9999-12-31', '9999-12-31 23:59:59.999999', true),
(-9223372036854775808, -2147483648, 5e-324, -0.1, '', '1000-01-01', '1000-01-01 00:00:00.000001', false), (null, null, null, null, null, null, null, null);`);
        const { stdout, code } = await run(
            tested,
            '@bind("t", "DB", "shop", "t"). @output("o"). o(A,B,C,D,E,F,G,H) <- t(A,B,C,D,E,F,G,H).',
        );
        expect(code).toBe(0);
        const backslashes = isPostgresql ? '\\\\' : '\\';
        expect(lines(stdout).slice(1).sort()).toEqual([
            '-9223372036854775808,-2147483648,5.0E-324,-0.1,,1000-01-01,1000-01-01 00:00:00.000001,false',
            `9223372036854775807,2147483647,1.7976931348623157E308,12345678901234567000.0,"𝄞 ""quoted"" 'single' ${backslashes}",9999-12-31,9999-12-31 23:59:59.999999,true`,
            expect.stringMatching(/^z1,z2,z3,z4,z5,z6,z7,z8$/u),
        ]);
    });

    test('what is written is read again, whatever its type', async () => {
        const program = `@model("o", "['s:string', 'i:int', 'l:long', 'd:double', 'b:boolean', 'day:date', 'at:timestamp', 'xs:list<int>', 'st:struct']").
fact("𝄞'\\"\\\\\`;--", 7, 9223372036854775807, 1.5, #T, 2031-04-09, 2031-04-09 10:15:00, [1, 2]).
@output("o"). o(S,I,L,D,B,Y,A,X,T) <- fact(S,I,L,D,B,Y,A,X), T = struct("a", I, "b", [S]).
@bind("o", "DB", "shop", "Odd Näme \\" \` ;").`;
        const written = await run(tested, program);
        expect(written.code).toBe(0);
        const read = await run(
            tested,
            `@bind("r", "DB", "shop", "Odd Näme \\" \` ;"). @output("o"). o(S,I,L,D,B,Y,A,X,T) <- r(S,I,L,D,B,Y,A,X,T).`,
        );
        expect(read.stdout).toBe(written.stdout.replace(/^.*\n/u, `${lines(read.stdout)[0]}\n`));
        expect(read.stdout).toContain('9223372036854775807');
    });

    test.each([
        ['overwrite', ['c']],
        ['append', ['a', 'c']],
        ['ignore', ['a']],
        ['errorIfExists', ['a']],
    ])('saveMode=%s', async (mode, rows) => {
        execute("CREATE TABLE t (x varchar(10)); INSERT INTO t VALUES ('a');");
        const { code, stderr } = await run(tested, `f("c"). @output("o"). o(X) <- f(X). @bind("o", "DB, saveMode=${mode}", "shop", "t").`);
        expect(code).toBe(mode === 'errorIfExists' ? 1 : 0);
        if (mode === 'errorIfExists') expect(stderr).toContain('exists already');
        expect(contents('t', 'x')).toEqual(rows);
    });

    test('where the second of two targets fails, the first is as it was, and so are the tables', async () => {
        execute(
            "CREATE TABLE first (x varchar(10)); INSERT INTO first VALUES ('old'); CREATE TABLE second (x varchar(1)); INSERT INTO second VALUES ('o');",
        );
        const program = `f("new"). @output("o"). @output("a"). @output("b"). @output("c"). o(1). a(X) <- f(X). b(X) <- f(X). c(X) <- f(X).
@bind("a", "DB, saveMode=overwrite", "shop", "first"). @bind("b", "DB", "shop", "made"). @bind("c", "DB, saveMode=overwrite", "shop", "second").`;
        const { code, stderr } = await run(tested, program);
        expect([code, stderr]).toEqual([1, expect.stringContaining('Nothing was written')]);
        expect(contents('first', 'x')).toEqual(['old']);
        expect(contents('second', 'x')).toEqual(['o']);
        expect(tables()).toEqual(['first', 'second']);
    });

    test.runIf(isPostgresql)('any text is the same where a table is read, where a query is, and where it is written', async () => {
        execute(String.raw`CREATE TABLE t AS SELECT i::int, (i - 2000) * 65537::bigint AS n, CASE WHEN i % 11 = 0 THEN NULL
WHEN i % 7 = 0 THEN repeat(E'\\N\t', i % 5) WHEN i % 5 = 0 THEN repeat(chr(i % 31 + 1) || chr(92) || 'n𝄞', i % 60)
WHEN i % 1999 = 0 THEN repeat('ä ' || chr(10), 70000) ELSE repeat(chr(i % 3000 + 32), i % 9) END AS s FROM generate_series(1, 5000) AS i;`);
        const compared = await run(
            tested,
            `@bind("a", "DB", "shop", "t"). @qbind("b", "DB", "shop", "SELECT * FROM t"). @output("o").
o(X) <- a(X, N, S), !is_null(S), not b(X, N, S). o(X) <- b(X, N, S), !is_null(S), not a(X, N, S).
o(X) <- a(X, _, S), is_null(S), b(X, _, T), !is_null(T). o(C) <- a(X, _, _), C = mcount(X).`,
        );
        expect([compared.code, lines(compared.stdout)]).toEqual([0, [expect.any(String), '5000']]);
        const { code } = await run(
            tested,
            `@bind("a", "DB", "shop", "t"). @output("o"). @bind("o", "DB", "shop", "u"). o(X, N, S) <- a(X, N, S).`,
        );
        expect(code).toBe(0);
        const differing =
            'SELECT count(*), count(*) FILTER (WHERE t.s IS DISTINCT FROM u.s OR t.n <> u.n) FROM t JOIN u AS u(x, n, s) ON u.x = t.i;';
        expect(lines(execute(differing))).toEqual(['5000|0']);
    });

    test.runIf(isPostgresql)('rows go through rules, views and policies of a table', async () => {
        execute(`CREATE TABLE t (x text); CREATE VIEW v AS SELECT x FROM t WHERE x <> 'b' WITH LOCAL CHECK OPTION;
CREATE TABLE ruled (x text); CREATE RULE r AS ON INSERT TO ruled DO INSTEAD INSERT INTO t VALUES ('ruled ' || new.x);
CREATE TABLE guarded (x text); ALTER TABLE guarded ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY p ON guarded FOR ALL USING (true) WITH CHECK (x <> 'b');`);
        const write = (text: string, table: string) =>
            run(tested, `f("${text}"). @output("o"). o(X) <- f(X). @bind("o", "DB, saveMode=append", "shop", "${table}").`);
        for (const table of ['v', 'ruled', 'guarded']) expect((await write('a', table)).code).toBe(0);
        expect(contents('t', 'x')).toEqual(['a', 'ruled a']);
        expect(contents('guarded', 'x')).toEqual(['a']);
        for (const table of ['v', 'guarded']) expect((await write('b', table)).code).toBe(1);
    });

    test('a thousand rows and more are written and read', async () => {
        const program = `n(1). n(M) <- n(N), N < 20000, M = N + 1. @output("o"). o(N, S) <- n(N), S = concat("row ", as_string(N)). @bind("o", "DB", "shop", "many").`;
        expect((await run(tested, program, { args: ['--limit', '1'] })).code).toBe(0);
        const sum = await run(tested, '@bind("m", "DB", "shop", "many"). @output("o"). o(T, C) <- m(N, _), T = msum(N), C = mcount(N).');
        expect(lines(sum.stdout)[1]).toBe('200010000,20000');
    });

    test('names and parameters are no statements', async () => {
        execute("CREATE TABLE people (x varchar(10)); INSERT INTO people VALUES ('a');");
        const name = isPostgresql ? 'x\\"; DROP TABLE people; --' : 'x`; DROP TABLE people; --';
        const read = await run(tested, `@bind("t", "DB", "shop", "${name}"). @output("o"). o(X) <- t(X).`);
        expect([read.code, read.stderr]).toEqual([1, expect.stringMatching(/does\s+not\s+exist/u)]);
        const model = isPostgresql ? 'y" int); DROP TABLE people; --' : 'y` int); DROP TABLE people; --';
        const write = await run(
            tested,
            `@param("t", "x"). f("'); DROP TABLE people; --"). @output("o"). o(X) <- f(X). @bind("o", "DB", "shop", "\${t}").`,
            { args: ['--param', `t=${model}`] },
        );
        expect(write.code).toBe(0);
        expect(tables().sort()).toEqual(['people', model].sort());
        expect(contents(model, '*')).toEqual(["'); DROP TABLE people; --"]);
    });

    test.each([
        ['a second statement', 'SELECT 1; DROP TABLE people'],
        ['a statement that ends the transaction', 'SELECT 1; COMMIT; DROP TABLE people'],
        ['another statement', 'DROP TABLE people'],
        [
            'a query that writes',
            isPostgresql
                ? 'WITH d AS (DELETE FROM people RETURNING x) SELECT x FROM d'
                : "SELECT x FROM people INTO OUTFILE '/tmp/rulelang-outfile'",
        ],
        ['a comment before another statement', '/* SELECT */ DROP TABLE people'],
        ['a lock', 'SELECT x FROM people FOR UPDATE'],
    ])('a query that is %s changes nothing', async (_, query) => {
        execute("CREATE TABLE people (x varchar(10)); INSERT INTO people VALUES ('a');");
        const { code } = await run(tested, `@qbind("q", "DB", "shop", "${query}"). @output("o"). o(X) <- q(X).`);
        if (!query.endsWith('FOR UPDATE') || isPostgresql) expect(code).toBe(1);
        expect(contents('people', 'x')).toEqual(['a']);
    });

    test('a query gives rows, also where two of its columns have one name', async () => {
        execute("CREATE TABLE people (id int, name varchar(10)); INSERT INTO people VALUES (1, 'ada'), (2, 'bob');");
        const query = `@qbind("q", "DB", "shop", "SELECT a.id, b.id, count(*) FROM people a JOIN people b ON a.id <= b.id WHERE a.name LIKE '%' GROUP BY a.id, b.id -- all\n").
@output("o"). o(X, Y, N) <- q(X, Y, N).`;
        expect(lines((await run(tested, query)).stdout).slice(1)).toEqual(['1,1,1', '1,2,1', '2,2,1']);
    });

    test('a query is asked for the values of other atoms, which are bound', async () => {
        execute(`CREATE TABLE people (id bigint, name varchar(40), boss bigint, born date, paid numeric(6,2));
            INSERT INTO people VALUES (1, 'ada', null, '1990-01-02', 1.5), (2, 'O''Hara', 1, '1991-01-02', 2.5), (9007199254740993, 'cyd', 2, null, 3), (9007199254740992, 'dan', 2, null, 4);`);
        const program = `@qbind("below", "DB", "shop", "SELECT id FROM people WHERE boss = \${1}").
            @qbind("named", "DB", "shop", "SELECT name, id, name = '$\${1}' FROM people WHERE name = '\${1}' -- '\${1}").
            @qbind("person", "DB", "shop", "SELECT id, name FROM people WHERE \${1} = id AND id >= \${1}").
            @qbind("born", "DB", "shop", "SELECT id, born, paid FROM people WHERE paid = \${3} AND born = \${2}").
            who("O'Hara"). who("x' OR '1'='1"). who("\\\\' OR 1=1 -- ").
            day(1991-01-02, 2.5).
            under(1, Y) <- below(1, Y).
            under(X, Z) <- under(X, Y), below(Y, Z).
            @output("o"). o("under", X, N) <- under(1, X), person(X, N).
            o("named", I, N) <- who(N), named(N, I, _).
            o("born", I, "") <- day(D, P), born(I, D, P).`;
        const { stdout, stderr } = await run(tested, program);
        expect(lines(stdout).slice(1), stderr).toEqual([
            'born,2,',
            "named,2,O'Hara",
            "under,2,O'Hara",
            'under,9007199254740992,dan',
            'under,9007199254740993,cyd',
        ]);
        const within = await run(
            tested,
            `@qbind("q", "DB", "shop", "SELECT id, name FROM people WHERE name LIKE '%\${2}%'"). @output("o"). o(X) <- q(X, "a").`,
        );
        expect([within.code, within.stderr.replaceAll(/\s+/gu, ' ')]).toEqual([1, expect.stringContaining('inside a text in quotes')]);
        const narrow = await run(
            tested,
            `@qbind("q", "DB", "shop", "SELECT id, id, id, id FROM people WHERE name = \${2}"). @output("o"). o(X) <- q(X, "a").`,
        );
        expect([narrow.code, narrow.stderr.replaceAll(/\s+/gu, ' ')]).toEqual([
            1,
            expect.stringContaining("answers with 4 columns, and 'q' has 2"),
        ]);
    });

    test('rows are deleted and changed by their keys', async () => {
        const fill =
            "DROP TABLE IF EXISTS t; CREATE TABLE t (id bigint, name varchar(20), size int); INSERT INTO t VALUES (9007199254740993, 'a', 1), (9007199254740992, 'b', 2), (3, 'c', 3), (null, 'd', 4);";
        execute(fill);
        const rows =
            '@model("o", "[\'id:long\', \'name:string\', \'size:int\']"). f(9007199254740993, "new", 10). f(null, "no", 0). @output("o"). o(A, B, C) <- f(A, B, C).';
        const updated = await run(tested, `${rows} @update("o", "0"). @bind("o", "DB", "shop", "t").`);
        expect([updated.code, updated.stderr]).toEqual([0, expect.stringMatching(/\(1\s+row\s+updated\)/u)]);
        expect(lines(execute('SELECT name, size FROM t ORDER BY 2;'))).toEqual(
            isPostgresql ? ['b|2', 'c|3', 'd|4', 'new|10'] : ['b\t2', 'c\t3', 'd\t4', 'new\t10'],
        );
        execute(fill);
        const deleted = await run(tested, `${rows} @delete("o", "0"). @bind("o", "DB", "shop", "t").`);
        expect([deleted.code, deleted.stderr]).toEqual([0, expect.stringMatching(/\(1\s+row\s+deleted\)/u)]);
        expect(contents('t', 'name')).toEqual(['b', 'c', 'd']);
        const absent = await run(tested, `${rows} @delete("o", "0"). @bind("o", "DB", "shop", "nowhere").`);
        expect([absent.code, absent.stderr]).toEqual([1, expect.stringMatching(/does\s+not\s+exist/u)]);
    });

    test('bytes have no value, and the column is named', async () => {
        execute(`CREATE TABLE t (id int, picture ${isPostgresql ? 'bytea' : 'blob'}); INSERT INTO t VALUES (1, null);`);
        const { code, stderr } = await run(tested, '@bind("t", "DB", "shop", "t"). @output("o"). o(X) <- t(X, _).');
        expect([code, stderr.replaceAll(/\s+/gu, ' ')]).toEqual([1, expect.stringContaining("has a column 'picture' of type")]);
        const query = isPostgresql ? "encode(picture, 'hex')" : 'hex(picture)';
        const asked = await run(tested, `@qbind("t", "DB", "shop", "SELECT id, ${query} FROM t"). @output("o"). o(X) <- t(X, _).`);
        expect(lines(asked.stdout)[1]).toBe('1');
    });

    test.each([
        ['a password that is wrong', { env: { APP_PW: 'hunter2' } }, `refuses '${owner}' with this password`],
        ['a port where nobody listens', { args: ['--allow-net', '127.0.0.1:1'], options: ', port=1' }, 'nothing listens at port 1'],
        ['a host that is not granted', { options: ", host='localhost'" }, `add --allow-net localhost:${port}`],
        ['a user without rights', { options: `, username='${READER}'` }, `is not granted to '${READER}'`],
        ['a database that is not there', { options: ", database='nowhere'" }, isPostgresql ? "there is no database 'nowhere'" : 'nowhere'],
        ['a secret that is not granted', { options: `, password='\${HOME}'` }, 'add --secret HOME'],
        [
            'a secret that is not there',
            { options: `, password='\${ABSENT_PW}'`, args: ['--secret', 'ABSENT_PW'] },
            'the environment has no variable of this name',
        ],
    ])('%s is told with what to do', async (_, given, words) => {
        execute('CREATE TABLE t (x int);');
        if (_.includes('rights') && isPostgresql) execute(`GRANT USAGE ON SCHEMA public TO ${READER};`);
        const outer = _.includes('database') && !isPostgresql ? 'nowhere' : 'shop';
        const { code, stderr, stdout } = await run(tested, `@bind("t", "DB", "${outer}", "t"). @output("o"). o(X) <- t(X).`, given);
        expect([code, stderr.replaceAll(/\s+/gu, ' ')]).toEqual([1, expect.stringContaining(words)]);
        for (const secret of [APP, 'hunter2', process.env.HOME ?? '?']) expect(stderr + stdout).not.toContain(secret);
    });

    test('the names and types of columns are known before a run', async () => {
        execute('CREATE TABLE people (name varchar(10), size int);');
        const source = `${type} host='127.0.0.1', port=${port}, username='${owner}', password='\${APP_PW}'`;
        const folder = folderWith({
            'p.rulelang': `@bind("p", "${source}", "${database}", "people"). @bind("q", "${source}", "${database}", "poeple"). @output("o"). o(X) <- p(X, N), N == "a", q(X). o(X) <- p(X).`,
        });
        const args = ['check', 'p.rulelang', '--allow-net', '127.0.0.1', '--secret', 'APP_PW'];
        const { stderr } = await rulelang(folder, args, '', { APP_PW: APP });
        expect(stderr).toContain('RL1104');
        expect(stderr).toContain('RL4002');
        expect(stderr.replaceAll(/\s+/gu, ' ')).toContain("did you mean 'people'?");
    });

    test.each([`zz' OR '1'='1`, `\\' OR 1=1 -- `, '"; DROP TABLE t; #', '\\', '$${x}', '𝄞\n/*'])(
        '%j is a value of a query, and no part of it',
        async value => {
            const query = isPostgresql ? `SELECT '\${v}', E'\${v}', $$\\a$$` : `SELECT '\${v}', \\"\${v}\\", '\\\\\\\\a'`;
            const { stdout, code } = await run(
                tested,
                `@param("v", "a"). @qbind("q", "DB", "shop", "${query}"). @output("o"). o(A, B, C) <- q(A, B, C), A == ?v, B == ?v.`,
                { args: ['--param', `v=${value}`] },
            );
            expect([code, stdout.split(',').at(-1)]).toEqual([0, '\\a\n']);
        },
    );

    test('a server that goes away while it is read ends the run', async () => {
        execute(
            isPostgresql
                ? "CREATE TABLE t AS SELECT n, repeat('x', 1000) AS x FROM generate_series(1, 20000) n;"
                : "CREATE TABLE t AS SELECT seq AS n, repeat('x', 1000) AS x FROM seq_1_to_20000;",
        );
        const proxy = await proxyTo(port, 2_000_000);
        const { code, stderr } = await run(tested, '@bind("t", "DB", "shop", "t"). @output("o"). o(X, T) <- t(X, T).', {
            args: ['--allow-net', `127.0.0.1:${proxy.port}`],
            options: `, port=${proxy.port}`,
            isProcess: true,
        });
        proxy.server.close();
        expect([code, stderr.replaceAll(/\s+/gu, ' ')]).toEqual([
            1,
            expect.stringMatching(/RT064: .*(?:broke the connection off|terminated)/u),
        ]);
    });
});

describe.each(WAITING)('$tested.type', ({ tested, stopped, held }) => {
    test('a stop ends what the database does', async () => {
        const { code, stderr } = await stopped;
        expect([code, stderr]).toEqual([1, expect.stringContaining('RT031')]);
        const working =
            tested.type === 'postgresql'
                ? "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid() AND state = 'active';"
                : "SELECT count(*) FROM information_schema.processlist WHERE info LIKE 'SELECT sleep%';";
        await expect.poll(() => lines(tested.execute(working))).toEqual(['0']);
    });

    test('a table that another transaction holds is waited for, and not for ever', async () => {
        const { code, stderr } = await held;
        expect([code, stderr.replaceAll(/\s+/gu, ' ')]).toEqual([1, expect.stringContaining('is locked by another transaction')]);
        expect(lines(tested.execute('SELECT x FROM t;'))).toEqual(['a']);
    });
});

/** Hands on what comes, and breaks off after so many bytes of the server. */
async function proxyTo(port: number, most: number): Promise<{ readonly server: Server; readonly port: number }> {
    const server = createServer(client => {
        const there = connect(port, '127.0.0.1');
        let sent = 0;
        client
            .on('data', data => there.write(data))
            .on('error', () => there.destroy())
            .on('close', () => there.destroy());
        there
            .on('data', data => {
                client.write(data);
                sent += data.length;
                if (sent > most) {
                    there.destroy();
                    client.destroy();
                }
            })
            .on('error', () => client.destroy())
            .on('close', () => client.destroy());
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return { server, port: (server.address() as AddressInfo).port };
}
