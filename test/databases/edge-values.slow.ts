import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { folderWith } from '../cli/command-line.ts';
import { rulelang } from '../cli/in-process.ts';
import { describeEdges, describeWritten, type EdgeTable } from '../support/edge-values.ts';
import { mariadbShop, postgresqlShop, type Shop } from './shop.ts';

const mariadb = await mariadbShop('edges', 'pw');

for (const shop of [await postgresqlShop('edges', 'pw'), mariadb]) {
    const { type, port, database, execute } = shop;
    const table: EdgeTable = {
        source: type,
        bind: { source: sourceOf(shop), outer: database, inner: 'x' },
        access: folder => accessTo(folder, port),
        folder: () => folderWith({}),
        put: (_, edges) => {
            const parts = edges.map(({ name, literal }) => [name, ...(/^(.*?): (.*)$/u.exec(literal) ?? []).slice(1)] as const);
            const columns = parts.map(([name, declared]) => `${name} ${declared}`);
            execute(`CREATE TABLE x (${columns.join(', ')}); INSERT INTO x VALUES (${parts.map(([, , text]) => text).join(', ')});`);
        },
    };
    describeEdges(table);
    describeWritten({ ...table, refused: [] });
}

test.each([mariadb, await postgresqlShop('texts', 'pw')])(
    'texts of tables are looked at for numbers that have another order',
    async shop => {
        shop.execute("CREATE TABLE told (n varchar(9), i int); INSERT INTO told VALUES ('9', 1), ('100', 2), (NULL, 3);");
        const program = `@bind("t", "${sourceOf(shop)}", "${shop.database}", "told").\n@output("m").\nm(M) <- t(N, _), M = max(N).\n`;
        const folder = folderWith({ 'p.rulelang': program });
        const { stdout, stderr } = await rulelang(
            folder,
            ['run', 'p.rulelang', '--format', 'csv', '--allow-net', `127.0.0.1:${shop.port}`],
            '',
            {},
        );
        expect(stdout).toBe('M\n9\n');
        expect(stderr.replaceAll(/\s+/gu, ' ')).toContain("RL4023: Column 'n' of 't' is text, in whose order '9' comes behind '100'");
    },
);

test('numbers of binary32 have all digits in MariaDB, whatever asks for them', async () => {
    mariadb.execute(`CREATE TABLE f (id int, f float, g float(10, 2)); INSERT INTO f VALUES (1, 1234567.8, 1234567.8), (2, 16777216, 0.33),
(3, 123456.78, 1), (4, 0.1, 0.1), (5, NULL, NULL);`);
    const bound = `"${sourceOf(mariadb)}", "${mariadb.database}"`;
    const program = `@bind("f", ${bound}, "f"). @qbind("q", ${bound}, "SELECT f AS x, f AS x, id FROM f ORDER BY id; ").
@qbind("a", ${bound}, "SELECT f, id FROM f WHERE id = \${2}").
@output("o").
o("all", I, F) <- f(I, F, _).
o("equal", I, F) <- f(I, F, _), F == 16777216.0.
o("greater", I, F) <- f(I, F, _), F > 1234567.5.
o("asked", I, F) <- q(F, F, I), I < 4.
o("one", 3, F) <- a(F, 3).
o("sum", 0, S) <- f(_, F, _), F < 10000000, S = sum(F).
o("fixed", I, G) <- f(I, _, G), I < 3.`;
    const folder = folderWith({ 'p.rulelang': program });
    const net = ['--allow-net', `127.0.0.1:${mariadb.port}`];
    const { stdout, stderr } = await rulelang(folder, ['run', 'p.rulelang', '--format', 'csv', '--output', 'o', ...net], '', {});
    expect(stderr).not.toContain('RT');
    expect(stdout.split('\n').slice(1, -1).sort()).toEqual([
        'all,1,1234567.75',
        'all,2,16777216',
        'all,3,123456.78125',
        'all,4,0.10000000149011612',
        expect.stringMatching(/^all,5,z\d$/u),
        'asked,1,1234567.75',
        'asked,2,16777216',
        'asked,3,123456.78125',
        'equal,2,16777216',
        expect.stringMatching(/^fixed,1,12345/u),
        'fixed,2,0.33',
        'greater,1,1234567.75',
        'greater,2,16777216',
        'one,3,123456.78125',
        'sum,0,1358024.6312500015',
    ]);
});

function sourceOf({ type, port, owner }: Shop): string {
    return `${type} host='127.0.0.1', port=${port}, username='${owner}', password='pw'`;
}

function accessTo(folder: string, port: number): SourceAccess {
    const grants = { ...NO_GRANTS, hosts: [{ host: '127.0.0.1', port }] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
}
