import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Seen {
    readonly problems: readonly { readonly line: number; readonly message: string }[];
    readonly hover: string;
    readonly completions: readonly string[];
    readonly definitions: readonly number[];
    readonly renamed: number;
    readonly left: number;
    readonly formatted: string;
    readonly comment: string;
}

let folder: string;
let seen: Seen;

/** Emacs and Eglot from Debian, set up by the recipe of the page as it stands there. */
beforeAll(() => {
    if (spawnSync('emacs', ['--version']).error) throw new Error('Emacs is not installed: run scripts/install-test-tools.sh');
    folder = mkdtempSync(join(tmpdir(), 'rulelang-emacs-'));
    cpSync(join(ROOT, 'samples/control'), join(folder, 'control'), { recursive: true });
    cpSync(join(ROOT, 'test/vscode/programs/problems.rulelang'), join(folder, 'problems.rulelang'));
    writeFileSync(join(folder, 'rulelang'), `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'dist/cli.js')}' "$@"\n`, { mode: 0o755 });
    const [, recipe = ''] = /```elisp\n([\s\S]*?)```/u.exec(readFileSync(join(ROOT, 'docs/editors.md'), 'utf8')) ?? [];
    writeFileSync(join(folder, 'recipe.el'), `(require 'eglot)\n${recipe}`);
    const answer = join(folder, 'seen.json');
    const files = [join(folder, 'problems.rulelang'), join(folder, 'control/control.rulelang'), answer];
    const scripts = [join(folder, 'recipe.el'), join(ROOT, 'test/editors/session.el')];
    execFileSync('emacs', ['--batch', ...scripts.flatMap(script => ['-l', script]), ...files], {
        env: { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` },
        timeout: 500_000,
        stdio: ['ignore', 'ignore', 'pipe'],
    });
    seen = JSON.parse(readFileSync(answer, 'utf8'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('problems are shown', () => {
    expect(seen.problems.map(({ line }) => line)).toEqual(expect.arrayContaining([6, 8, 9]));
});

test('the hover says what a predicate is', () => {
    expect(seen.hover).toContain('controls');
});

test('predicates are completed', () => {
    expect(seen.completions.some(label => label.startsWith('controls'))).toBe(true);
});

test('the definition of a predicate is found', () => {
    const lines = readFileSync(join(ROOT, 'samples/control/control.rulelang'), 'utf8').split('\n');
    expect(seen.definitions).toContain(lines.findIndex(line => line.startsWith('controls(X, Y) <-')) + 1);
});

test('a predicate is renamed everywhere, and a program is formatted', () => {
    expect(seen.renamed).toBeGreaterThan(3);
    expect(seen.left).toBe(0);
    expect(seen.formatted).toBe('ugly(X) <- stake(X, _, Q), Q > 3.');
    expect(seen.comment).toBe('% ');
});
