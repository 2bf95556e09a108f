import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServices } from '../api/services.ts';
import { LanguageClient } from '../lsp/language-client.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MEGABYTE = 2 ** 20;

const PROGRAM = `@output("path").
edge(1, 2). edge(2, 3).
path(X, Y) <- edge(X, Y).
path(X, Z) <- path(X, Y), edge(Y, Z).
`;
/** With a telephone number and a pattern, which are parts of their own. */
const CALLS = `call("+43 1 58858").
foreign(N) <- call(P), N = utils:phone_number(P, "AT"), rlike(N, "^[+][0-9]+ ").
@output("foreign").
`;

const folder = fs.mkdtempSync(join(tmpdir(), 'rulelang-installed-'));
/** Nothing of this machine's Node or of the checkout is on the PATH of the single file, and it may keep its files here. */
const alone = { PATH: '/nowhere', HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') };

interface Installed {
    readonly file: string;
    readonly env: Readonly<Record<string, string>>;
}

function npm(...args: string[]): string {
    return execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** From the file alone, as someone would who has only that. */
function installPackage(): Installed {
    const [{ filename }] = JSON.parse(npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder));
    npm('install', '--global', '--prefix', join(folder, 'prefix'), '--prefer-offline', '--no-audit', '--no-fund', join(folder, filename));
    return { file: join(folder, 'prefix/bin/rulelang'), env: {} };
}

function makeBinary(): Installed {
    execFileSync(process.execPath, ['scripts/package-binary.mjs', '--built'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
    const file = join(folder, 'rulelang');
    fs.copyFileSync(join(ROOT, `dist/rulelang-linux-${process.arch}`), file);
    return { file, env: alone };
}

beforeAll(() => {
    fs.writeFileSync(join(folder, 'path.rulelang'), PROGRAM);
    fs.writeFileSync(join(folder, 'calls.rulelang'), CALLS);
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe.each([
    ['the package', installPackage],
    ['the single file', makeBinary],
])('%s', (_, install) => {
    let installed: Installed;
    beforeAll(() => {
        installed = install();
    });

    const printed = async (...args: string[]): Promise<string> => {
        const { file, env } = installed;
        return (await promisify(execFile)(file, args, { cwd: folder, env: { ...process.env, ...env } })).stdout;
    };

    test('runs, checks, explains and formats programs', async () => {
        expect(await printed('--version')).toMatch(/^rulelang \d/u);
        expect(await printed('run', 'path.rulelang', '--format', 'csv')).toBe('X,Y\n1,2\n1,3\n2,3\n');
        expect(await printed('run', 'calls.rulelang', '--format', 'csv')).toContain('+43 1 58858');
        expect(await printed('check', 'path.rulelang')).toBe('');
        expect(await printed('explain', 'path.rulelang', 'path(1,3)')).toContain('edge(2,3)');
        await printed('format', 'path.rulelang');
        expect(await printed('format', '--check', 'path.rulelang')).toBe('');
        expect(await printed('help', 'RL2002')).toContain('RL2002');
        expect(await printed('graph', 'path.rulelang')).toContain('path');
    });

    test('answers an editor, and evaluates in a process of its own for it', async () => {
        const client = await LanguageClient.start({
            command: installed.file,
            environment: installed.env,
            files: { 'path.rulelang': PROGRAM },
            trusted: true,
        });
        try {
            expect((await client.open('path.rulelang', PROGRAM)).diagnostics).toEqual([]);
            const ended = client.next('rulelang/runEnded');
            await client.request('rulelang/run', { uri: client.uri('path.rulelang') });
            expect((await ended).outcome).toBe('finished');
        } finally {
            await client.stop();
        }
    });

    test('serves', async () => {
        const services = await startServices({}, [], { ...installed, before: [] });
        try {
            const answer = await fetch(`${services.engine}/evaluate`, { method: 'POST', body: new URLSearchParams({ program: PROGRAM }) });
            expect(answer.status).toBe(200);
            expect(JSON.stringify(await answer.json())).toContain('[1,3]');
            expect(await (await fetch(services.base)).text()).toContain('<html');
        } finally {
            expect(await services.stop()).toBe(0);
            fs.rmSync(services.data, { recursive: true });
        }
    });
});

test('an installed package has few packages, and is small', () => {
    const modules = join(folder, 'prefix/lib/node_modules');
    const kilobytes = Number(execFileSync('du', ['-sk', modules], { encoding: 'utf8' }).split('\t')[0]);
    expect(fs.existsSync(join(modules, 'rulelang/dist/project.schema.json'))).toBe(true);
    // Some 11 of them are the code that V8 keeps of the scripts, for starts in half the time.
    expect(kilobytes / 1024).toBeLessThan(120);
    const listed = execFileSync('npm', ['ls', '--global', '--all', '--parseable', '--prefix', join(folder, 'prefix')], {
        encoding: 'utf8',
    });
    expect(listed.trim().split('\n').length).toBeLessThanOrEqual(7);
});

test('a second start of the single file unpacks nothing, and a cache that cannot be written is told', async () => {
    const file = join(folder, 'rulelang');
    const cache = join(folder, 'cache/rulelang');
    expect(fs.readdirSync(cache)).toHaveLength(1);
    fs.writeFileSync(join(folder, 'file'), '');
    const refused = promisify(execFile)(file, ['--version'], { env: { ...alone, XDG_CACHE_HOME: join(folder, 'file') } });
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('XDG_CACHE_HOME names another folder') });
    expect(fs.statSync(file).size / MEGABYTE).toBeLessThan(150);
});
