import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { folderWith } from '../../cli/command-line.ts';
import { reportOf, rowsOf } from '../../support/describe-source.ts';
import { fc } from '../../support/fast-check.ts';
import { sqliteScript } from '../../support/sqlite-script.ts';

const folder = folderWith({});
await sqliteScript(join(folder, 'x.db'), "CREATE TABLE t (id INTEGER, name TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (-3, 'c');");

function accessWith(value: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder] };
    const parameters = (name: string): string | undefined => (name === 'v' ? value : undefined);
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters };
}

function bindOf(query: string): Bind {
    const text = JSON.stringify(query);
    const [bind] = analyse(readProgram(`@qbind("p", "sqlite", "x.db", ${text}).`, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

const COLUMN = { name: 'c', type: { kind: 'mixed' as const }, cast: false };
const read = async (query: string, value: string) => (await rowsOf(bindOf(query), accessWith(value), () => undefined, [COLUMN])).rows;

const V = `\${v}`;

/** A text as results are written. */
const written = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '""').replaceAll('\n', '\\n')}"`;

test('a value within quotes stays within them, whatever it is', async () => {
    const signs = fc.constantFrom(...`'"\`\\;-/*$ {}\n a1é`);
    const rest = fc.constantFrom('', ` -- ${V}`, ` /* ${V} */`, ` AS "${V}"`, ` AS \`${V}\``);
    await fc.assert(
        fc.asyncProperty(fc.string({ unit: signs, maxLength: 12 }), rest, async (value, after) => {
            expect(await read(`SELECT 'x${V}y'${after}`, value)).toEqual([written(`x${value}y`)]);
        }),
        { numRuns: 300 },
    );
});

test.each([
    [`SELECT id FROM t WHERE id = ${V}`, '2', ['2']],
    [`SELECT id FROM t WHERE 0-${V} = -id`, '-3', ['-3']],
    [`SELECT ${V} FROM t WHERE id = 1`, 'name', ['"a"']],
    [`SELECT '$${V}'`, 'x', [`"${V}"`]],
])('%s with %s', async (query, value, rows) => expect(await read(query, value)).toEqual(rows));

test.each(['1 OR 1 = 1', 'id; DROP TABLE t', "'a'", '--', '', '1--', '(SELECT 1)'])('%s is no value outside of quotes', async value => {
    const report = await reportOf(() => read(`SELECT id FROM t WHERE id = ${V}`, value));
    expect([report?.code, report?.message]).toEqual(['RT064', expect.stringContaining(V)]);
});
