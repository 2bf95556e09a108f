import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveArguments } from '../api/services.ts';
import { start } from '../cli/command-line.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Seen {
    readonly failure?: string;
    readonly problems: readonly { readonly line: number; readonly code: string; readonly message: string }[];
    readonly capabilities: readonly string[];
    readonly completions: readonly string[];
    readonly hover: string;
    readonly rename: { readonly renamed: number; readonly left: number };
    readonly formatted: string;
    readonly lenses: readonly string[];
    /** The address that the lens had opened. */
    readonly opened: string;
    readonly ended: boolean;
}

let folder: string;
let services: ChildProcess;
let seen: Seen;

/** Neovim from Debian, without any plugin: its own client speaks to the server over standard input and output. */
beforeAll(async () => {
    const version = spawnSync('nvim', ['--version'], { encoding: 'utf8' });
    if (version.error) throw new Error('Neovim is not installed: run scripts/install-test-tools.sh');
    folder = mkdtempSync(join(tmpdir(), 'rulelang-neovim-'));
    cpSync(join(ROOT, 'samples/control'), join(folder, 'control'), { recursive: true });
    cpSync(join(ROOT, 'test/vscode/programs/problems.rulelang'), join(folder, 'problems.rulelang'));
    const data = join(folder, 'rulelang');
    const child = start(folder, serveArguments(data));
    services = child;
    await new Promise(resolve => child.stdout?.once('data', resolve));
    writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\nprintf %s "$1" > "$(dirname "$0")/opened"\n', { mode: 0o755 });
    const answer = join(folder, 'seen.json');
    const files = [join(folder, 'problems.rulelang'), join(folder, 'control/control.rulelang'), answer];
    const script = join(ROOT, 'test/editors/session.lua');
    execFileSync('nvim', ['--headless', '--clean', '-n', '-c', `luafile ${script}`, '--', join(ROOT, 'dist/cli.js'), ...files], {
        env: { ...process.env, HOME: folder, XDG_STATE_HOME: folder, XDG_DATA_HOME: folder, PATH: `${folder}:${process.env.PATH}` },
        timeout: 500_000,
        stdio: 'ignore',
    });
    seen = JSON.parse(readFileSync(answer, 'utf8'));
});
afterAll(async () => {
    const gone = new Promise(resolve => services.once('close', resolve));
    services.kill('SIGINT');
    await gone;
    rmSync(folder, { recursive: true, force: true });
});

test('the session went to its end', () => {
    expect(seen.failure).toBeUndefined();
    expect(seen.ended).toBe(true);
});

test('the recipe of the page can be read', () => {
    const [, recipe = ''] = /```lua\n([\s\S]*?)```/u.exec(readFileSync(join(ROOT, 'docs/editors.md'), 'utf8')) ?? [];
    const file = join(folder, 'recipe.lua');
    writeFileSync(file, recipe);
    expect(recipe).toContain("'rulelang', 'lsp', '--stdio'");
    execFileSync('nvim', ['--headless', '--clean', '-c', `lua if not loadfile('${file}') then vim.cmd('cquit') end`, '-c', 'qall!']);
});

test('problems are shown', () => {
    expect(seen.problems.map(({ line }) => line)).toEqual(expect.arrayContaining([6, 8, 9]));
    expect(seen.problems.map(({ code }) => code)).toContain('RL2002');
});

test('predicates are completed', () => {
    expect(seen.completions.some(label => label.startsWith('controls'))).toBe(true);
});

test('the hover says what a predicate is', () => {
    expect(seen.hover).toContain('controls');
});

test('a predicate is renamed everywhere', () => {
    expect(seen.rename.renamed).toBe(4);
    expect(seen.rename.left).toBe(0);
});

test('a program is formatted', () => {
    expect(seen.formatted).toBe('ugly(X) <- stake(X, _, Q), Q > 3.');
});

test('of lenses only the one that opens the page of the services is offered, while they run', () => {
    expect(seen.lenses).toEqual(['Open platform page']);
    expect(seen.opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+\.[\w-]+\.[\w-]+$/u);
});
