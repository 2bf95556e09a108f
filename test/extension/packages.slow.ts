import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unzip } from '../vscode/unzip.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = `${process.platform}-${process.arch}`;
/** Another system, whose native parts come from the registry, and none. */
const OTHERS = ['win32-x64', 'universal'];
const MEBIBYTE = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'rulelang-packages-'));

const archiveOf = (target: string): string => {
    const name = readdirSync(join(ROOT, 'dist')).find(file => file.startsWith(`rulelang-${target}-`) && file.endsWith('.vsix'));
    if (name === undefined) throw new Error(`no package for ${target}`);
    return join(ROOT, 'dist', name);
};

beforeAll(() => {
    execFileSync(process.execPath, ['scripts/package.mjs', '--built', '--target', [HERE, ...OTHERS].join(',')], { cwd: ROOT });
    for (const target of [HERE, ...OTHERS]) unzip(archiveOf(target), '', join(folder, target));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
    [HERE, 35],
    ['win32-x64', 35],
    ['universal', 10],
])('the package for %s is at most %i MiB', (target, most) => {
    expect(statSync(archiveOf(target)).size).toBeLessThan(most * MEBIBYTE);
});

test.each([HERE, ...OTHERS])('the package for %s says for which system it is and has its native parts alone', target => {
    const description = readFileSync(join(folder, target, 'extension.vsixmanifest'), 'utf8');
    expect(/TargetPlatform="([^"]+)"/u.exec(description)?.[1] ?? 'universal').toBe(target);
    const native = readdirSync(join(folder, target, 'extension/server')).filter(name => /\.(node|so|dll|dylib)$/u.test(name));
    expect(native.sort()).toEqual({ universal: [], 'win32-x64': ['duckdb.dll', 'duckdb.node'] }[target] ?? ['duckdb.node', 'libduckdb.so']);
});

const command = (target: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(folder, target, 'extension/server/cli.js'), ...args], { encoding: 'utf8', timeout: 60_000 });

test('the services of a package for this system begin to answer', () => {
    const data = join(folder, 'data');
    const ports = ['--port', '0', '--engine-port', '0', '--chat-port', '0'];
    const { stdout, status } = command(HERE, 'serve', '--data-dir', data, ...ports, '--end-with-input');
    expect(stdout).toMatch(/^platform +http:/mu);
    expect(status).toBe(0);
    expect(existsSync(join(data, 'store'))).toBe(true);
});

test('the package without native parts evaluates, and says what the store needs', () => {
    const evaluated = command('universal', 'run', join(ROOT, 'samples/control/control.rulelang'));
    expect(evaluated).toMatchObject({ status: 0, stdout: expect.stringContaining('Hugo Lindqvist') });
    const { stderr, status } = command('universal', 'serve', '--data-dir', join(folder, 'none'), '--end-with-input');
    expect(stderr).toMatch(new RegExp(`the store needs DuckDB for ${HERE}.*; install the package of rulelang for ${HERE}`, 'su'));
    expect(status).not.toBe(0);
});
