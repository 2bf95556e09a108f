import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sqliteScript } from '../support/sqlite-script.ts';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

/** Programs that a run refuses whatever their data are, with what the run says and what a check warns of. */
const REFUSED: readonly (readonly [code: string, warning: string, program: string])[] = [
    ['RT060', 'RL5021', 'q("a"). h(X, Y) <- q(X), Y = llm:generate("hi", X).'],
    ['RT060', 'RL5021', '@implement("f", "http", "x"). q("a"). h(X, Y) <- q(X), Y = f(X).'],
    ['RT060', 'RL5021', 'q("a"). h(X, Y) <- #LLM(q, "prompt=Say {arg_1}").'],
    ['RT061', 'RL6115', `@bind("p", "oracle host='localhost'", "db", "p"). h(X) <- p(X).`],
    ['RT062', 'RL7016', 'q("a"). h(X) <- MATCH (a:q) RETURN a.q_0.'],
    ['RT063', 'RL6117', `@bind("p", "postgresql host='db.example.org', username='me'", "db", "p"). h(X) <- p(X).`],
    ['RT063', 'RL6117', `q(1). @bind("h", "mysql host='db.example.org', username='me'", "db", "p"). h(X) <- q(X).`],
    ['RT063', 'RL6117', '@bind("p", "csv", "/etc", "passwd"). h(X) <- p(X).'],
    ['RT063', 'RL6117', 'q(1). @bind("h", "csv", "", "h.sh"). h(X) <- q(X).'],
    ['RT063', 'RL6117', 'q(1). @chase("csv", "/etc", "f.csv"). h(X) <- q(X).'],
    ['RT064', 'RL6117', `@bind("p", "csv encoding='klingon'", "", "p.csv"). h(X) <- p(X).`],
    ['RT064', 'RL6117', `q(1). @bind("h", "csv encoding='klingon'", "", "h.csv"). h(X) <- q(X).`],
    ['RT064', 'RL6117', `@bind("p", "csv delimiter=''", "", "p.csv"). h(X) <- p(X).`],
    ['RT064', 'RL6117', `@bind("p", "csv selectedColumns=['a']", "", "p.csv"). h(X) <- p(X).`],
    ['RT064', 'RL6117', `@bind("p", "postgresql url='nonsense', username='me'", "db", "p"). h(X) <- p(X).`],
    ['RT064', 'RL6117', `@qbind("p", "sqlite", "d.db", "select a from t where a like '%\${1}%'"). q("a"). h(X) <- q(X), p(X).`],
    ['RT064', 'RL6117', '@qbind("p", "sqlite", "d.db", "drop table t"). h(X) <- p(X).'],
    ['RT064', 'RL6117', 'q(1). @bind("h", "csv", "", "h.csv"). @output("g"). @bind("g", "csv", ".", "h.csv"). h(X) <- q(X). g(X) <- q(X).'],
    ['RT064', 'RL6117', `@bind("p", "csv query='SELECT a FROM p'", "", "p.csv"). h(X) <- p(X).`],
    ['RT064', 'RL6117', `@bind("p", "csv query='SELECT c0 FROM q'", "", "p.csv"). h(X) <- p(X).`],
    ['RT064', 'RL6117', 'q(1). @bind("h", "csv", "", "*.csv"). h(X) <- q(X).'],
    ['RT065', 'RL6117', `q(1). @bind("h", "csv query='SELECT c0 FROM p'", "", "h.csv"). h(X) <- q(X).`],
    ['RT064', 'RL6117', `@bind("p", "text query='SELECT a'", "", "p.csv"). h(X) <- p(X).`],
    ['RT065', 'RL6117', `q(1). @bind("h", "json outputFormat='rdf'", "", "h.json"). h(X) <- q(X).`],
    ['RT064', 'RL6117', `q(1). @bind("h", "parquet outputFormat='xml'", "", "h.parquet"). h(X) <- q(X).`],
    ['RT064', 'RL6117', `q(1). @bind("h", "csv outputFormat='rdf', baseIri='here'", "", "h.csv"). h(X) <- q(X).`],
    ['RT065', 'RL6117', `@bind("p", "sqlite compression='gzip'", "d.db", "t"). h(X) <- p(X).`],
    ['RT065', 'RL6068', `q("a"). p(X) <- q(X). @qbind("p", "sqlite", "d.db", "select a from t where a = \${1}"). h(X) <- q(X), p(X).`],
    [
        'RT065',
        'RL6069',
        `q("a"). e("a", "b"). @qbind("p", "sqlite", "d.db", "select a from t where a = \${1}"). h(X) <- q(X). h(Y) <- h(X), e(X, Y), not p(X).`,
    ],
    [
        'RT065',
        'RL6069',
        `q("a", 1). @qbind("p", "sqlite", "d.db", "select a, b from t where a = \${1}"). h(X, S) <- q(X, V), S = msum(V, <X>). h(Y, S) <- h(X, V), p(X, Y), S = msum(V, <X>).`,
    ],
    ['RT070', 'RL6023', '@input("p"). h(X) <- p(X).'],
    ['RT090', 'RL8110', 'h(X) <- python:run("s").'],
    ['RT091', 'RL7015', "q(1). h(X) <- SELECT getenv('HOME') FROM q."],
    ['RT091', 'RL7017', 'q(1, 2). h(X, Y) <- SELECT q_0, sum(q_1) FROM q.'],
    ['RT091', 'RL7017', 'q(1). h(X) <- SELECT q_0 FROM q UNION SELECT q_0, q_0 FROM q.'],
    ['RT091', 'RL7017', 'q(1). h(X, Y) <- #TC("SELECT substring(q_0), q_0 FROM q").'],
];

test('a check warns of what every run refuses, and of nothing where the run goes on', async () => {
    const name = (number: number): string => `${String(number).padStart(2, '0')}.rulelang`;
    const folder = folderWith({
        ...Object.fromEntries(REFUSED.map(([, , program], i) => [name(i), `@output("h").\n${program}\n`])),
        'p.csv': 'a\n',
        's.py': 'def main():\n    return [{"X": 1}]\n',
    });
    await sqliteScript(join(folder, 'd.db'), "CREATE TABLE t (a TEXT, b TEXT); INSERT INTO t VALUES ('a', 'b');");
    const { stdout } = await rulelang(folder, ['check', '--format', 'json']);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { file: string; severity: string; code: string }[] };
    const told = REFUSED.map(([, code], i) =>
        diagnostics.some(one => one.file === name(i) && one.severity === 'warning' && one.code === code)
            ? code
            : `${name(i)} lacks ${code}`,
    );
    expect(told).toEqual(REFUSED.map(([, code]) => code));
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const before = readdirSync(folder).length;
    const reported: string[] = [];
    for (const i of REFUSED.keys()) {
        const { code, stderr } = await rulelang(folder, ['run', name(i)]);
        reported.push(code === 1 ? (/error (RT\d{3})/u.exec(stderr)?.[1] ?? stderr) : `${name(i)} runs`);
    }
    expect(reported).toEqual(REFUSED.map(([code]) => code));
    expect(readdirSync(folder).length).toBe(before);
}, 300_000);

test('grants that a run will have silence what a check says of them, and other queries are answered', async () => {
    const elsewhere = folderWith({});
    const folder = folderWith({
        'p.rulelang': `@output("h"). @bind("p", "postgresql host='db.example.org', username='me', password='\${PG_WORD}'", "db", "p").
@model("p", "['a:int']"). @output("g"). @bind("g", "csv", "${elsewhere}", "g.csv"). g(X) <- p(X).
h(X, S) <- SELECT a, sum(a) OVER () AS s FROM p WHERE a > ?least. @param("least", 1).`,
    });
    const refused = await rulelang(folder, ['check']);
    expect(refused.stderr.replaceAll(/\s+/gu, ' ')).toContain(
        "warning RL6117: A run ends at this bind: Access to 'db.example.org:5432' is not granted: add --allow-net db.example.org:5432",
    );
    const secret = await rulelang(folder, ['check', '--allow-net', 'db.example.org']);
    expect(secret.stderr.replaceAll(/\s+/gu, ' ')).toContain('add --secret PG_WORD, and it is taken from the environment');
    const grants = ['--allow-net', 'db.example.org', '--secret', 'PG_WORD', '--allow-write', elsewhere];
    process.env.PG_WORD = 'hidden-word';
    const granted = await rulelang(folder, ['check', ...grants, '--format', 'json']);
    delete process.env.PG_WORD;
    expect(granted.stdout).not.toContain('RL6117');
    expect(granted.stdout).not.toContain('hidden-word');
});
