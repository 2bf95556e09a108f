import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sqliteScript } from '../support/sqlite-script.ts';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const PROGRAM = `
@qbind("person", "sqlite", "shop.db", "SELECT id, name FROM people WHERE id = \${1}").
@qbind("below", "sqlite", "shop.db", "SELECT id FROM people WHERE boss = \${1} -- '\${1}'").
@qbind("named", "sqlite", "shop.db", "SELECT name, id FROM people WHERE name = '\${1}' OR '\\\\' || \${1} = '$\${1}'").
want(2). want(9).
who("O'Hara"). who("x' OR '1'='1"). who(2.5).
@output("o").
o("got", X, N) <- want(X), person(X, N).
o("missing", X, "") <- want(X), not person(X, _).
o("named", I, N) <- who(N), named(N, I).
o("under", X, "") <- under(1, X).
under(1, Y) <- below(1, Y).
under(X, Z) <- under(X, Y), below(Y, Z).
`;

test('queries of a file are asked for values, and explanations tell them', async () => {
    const folder = folderWith({ 'p.rulelang': PROGRAM });
    await sqliteScript(
        join(folder, 'shop.db'),
        `CREATE TABLE people (id INTEGER, name TEXT, boss INTEGER);
         INSERT INTO people VALUES (1, 'Ada', NULL), (2, 'Bob', 1), (3, 'Cyd', 2), (9007199254740993, 'O''Hara', 3);`,
    );
    const { stdout, stderr } = await rulelang(folder, ['run', 'p.rulelang', '--format', 'csv']);
    expect(stdout.trim().split('\n').slice(1), stderr).toEqual([
        'got,2,Bob',
        'missing,9,',
        "named,9007199254740993,O'Hara",
        'under,2,',
        'under,3,',
        'under,9007199254740993,',
    ]);
    const why = await rulelang(folder, ['explain', 'p.rulelang', 'under(1, 3)', '--tree']);
    expect(why.stdout).toContain(`below(2,3)  shop.db: SELECT id FROM people WHERE boss = \${1} --`);
    const whyNot = await rulelang(folder, ['explain', 'p.rulelang', 'o("got", 9, _)']);
    expect(whyNot.stdout).toContain(`person(9,_) is in no answer of SELECT id, name FROM people WHERE id = \${1}`);
});

test.each([
    [`name LIKE '%\${1}%'`, `is asked with \${1} inside a text in quotes, where no value can stand`],
    [`name = \${1} UNION SELECT 1, 2, 3 FROM x`, 'no such table: x'],
    [`name = \${1}) --`, 'cannot be used'],
])('a query with %s is refused', async (condition, message) => {
    const folder = folderWith({
        'p.rulelang': `@qbind("p", "sqlite", "x.db", "SELECT id, name, id FROM t WHERE ${condition}"). @output("o"). o(X) <- p("a", X).`,
    });
    await sqliteScript(join(folder, 'x.db'), 'CREATE TABLE t (id INTEGER, name TEXT);');
    const { code, stderr } = await rulelang(folder, ['run', 'p.rulelang']);
    expect([code, stderr.replaceAll(/\s+/gu, ' ')]).toEqual([1, expect.stringContaining(message)]);
});
