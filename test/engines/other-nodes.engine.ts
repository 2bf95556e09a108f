import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { V1 } from '../api/calls.ts';
import { startServices } from '../api/services.ts';
import { CLI } from '../cli/command-line.ts';
import { LanguageClient } from '../lsp/language-client.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SAMPLE = 'samples/control/control.rulelang';

/** Versions of Node that users have, besides the oldest that is supported, on which all other tests run. */
describe.each(['22', '24'])('on Node %s', major => {
    let folder: string;
    /** The built command line on that version. */
    let command: string;

    beforeAll(() => {
        folder = fs.mkdtempSync(join(tmpdir(), `node-${major}-`));
        const name = `node-${process.platform}-${process.arch}`;
        execFileSync('npm', [
            'install',
            '--prefix',
            folder,
            '--no-save',
            '--no-audit',
            '--no-fund',
            '--ignore-scripts',
            `${name}@${major}`,
        ]);
        command = join(folder, 'rulelang');
        const node = join(folder, 'node_modules', name, 'bin/node');
        fs.writeFileSync(command, `#!/bin/sh\nexec '${node}' '${CLI}' "$@"\n`, { mode: 0o755 });
        expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(new RegExp(`^v${major}\\.`, 'u'));
    });
    afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

    test('a program has the same rows, and is explained', () => {
        const rows = (file: string, before: readonly string[]): string =>
            execFileSync(file, [...before, 'run', SAMPLE, '--format', 'json'], { cwd: ROOT, encoding: 'utf8' });
        const here = JSON.parse(rows(process.execPath, [CLI]));
        const there = JSON.parse(rows(command, []));
        expect(there.resultSet).toEqual(here.resultSet);
        expect(Object.values(there.resultSet).flat()).not.toEqual([]);
        const program = join(folder, 'reach.rulelang');
        fs.writeFileSync(program, 'e(1, 2). e(2, 3). r(X, Y) <- e(X, Y). r(X, Z) <- r(X, Y), e(Y, Z). @output("r").\n');
        expect(execFileSync(command, ['explain', program, 'r(1, 3)'], { encoding: 'utf8' })).toContain('e(2,3)');
    });

    test('the services answer', async () => {
        const services = await startServices({}, [], { file: command, before: [] });
        try {
            const response = await fetch(`${services.base}${V1}/projects/list`, { headers: { authorization: `Bearer ${services.token}` } });
            expect(await response.json()).toMatchObject({ data: [] });
        } finally {
            expect(await services.stop()).toBe(0);
        }
    });

    test('the language server tells problems', async () => {
        const client = await LanguageClient.start({ command });
        try {
            const { diagnostics } = await client.open('wrong.rulelang', 'p(X) <- q(X).\n@output("p").\n');
            expect(diagnostics.map(({ code }: { code: string }) => code)).toContain('RL1101');
        } finally {
            await client.stop();
        }
    });
});
