import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadedWith } from '../support/built-bundles.ts';

// What every command loads before it does anything costs processor time and memory each time: a hundred thousand bytes of the worker
// thread's program are about a millisecond and 0.6 MB. Whatever only some programs need belongs behind them: a part in
// scripts/build-command-line.mjs, a module of Node in NODE_FUNCTIONS there, or a dynamic import.

const DIST = join(import.meta.dirname, '../../dist');
const NAMED = 15;

/** What the threads of a command on an empty program read of the build, and load of Node beyond what Node starts with. */
function loadsOf(command: string) {
    const { status, stderr } = spawnSync(
        process.execPath,
        ['--require', join(import.meta.dirname, 'record-loads.cjs'), join(DIST, 'cli.js'), command, '-'],
        { input: '', encoding: 'utf8' },
    );
    expect(status).toBe(0);
    const threads = [...stderr.matchAll(/^loads (.+)$/gmu)].map(
        ([, told = '']) => JSON.parse(told) as { readonly threadId: number; readonly files: string[]; readonly modules: string[] },
    );
    return threads.sort((a, b) => a.threadId - b.threadId);
}

/** Says by how much bundles are above their limits, and which modules are the largest; nothing where they are within them. */
function excess(names: readonly string[], limits: { readonly modules: number; readonly bytes: number }): string {
    const bundles = loadedWith(names);
    const modules = bundles.flatMap(bundle => Object.entries(bundle.modules)).filter(([, bytes]) => bytes > 0);
    const bytes = bundles.reduce((sum, bundle) => sum + bundle.bytes, 0);
    expect(modules.length).toBeGreaterThan(limits.modules / 2);
    if (modules.length <= limits.modules && bytes <= limits.bytes) return '';
    const largest = modules.sort(([, a], [, b]) => b - a).slice(0, NAMED);
    return `${modules.length} modules of ${limits.modules}, ${bytes} bytes of ${limits.bytes}; the largest:
${largest.map(([file, size]) => `${size} ${file}`).join('\n')}`;
}

test.each(['run', 'check'])('%s of an empty program loads no part, and hardly a module of Node', command => {
    const [main, worker, ...others] = loadsOf(command);
    expect(others).toEqual([]);
    expect(main?.files).toEqual(['cli.js']);
    expect(worker?.files).toEqual(['run-worker.js', 'worker-program.js']);
    const ofNode = (worker?.modules ?? []).filter(name => !name.startsWith('internal/'));
    expect(ofNode.filter(name => !['url', 'vm', 'v8'].includes(name))).toEqual([]);
});

test('what every command loads is no more than it was', () => {
    expect(excess(['cli.js'], { modules: 61, bytes: 106_000 })).toBe('');
    expect(excess(['run-worker.js', 'worker-program.js'], { modules: 1039, bytes: 2_557_000 })).toBe('');
});

test('no part has a class of its own of what ends a run, which the worker thread would not know', () => {
    const worker = 'worker-program.js';
    const text = fs.readFileSync(join(DIST, worker), 'utf8');
    const parts = new Set(Array.from(text.matchAll(/require\("\.\/(\w+\.js)"\)/gu), ([, name = '']) => name));
    expect(parts.size).toBeGreaterThan(5);
    const ownError = /extends Error\{report;/u;
    expect(text).toMatch(ownError);
    expect([...parts].filter(name => ownError.test(fs.readFileSync(join(DIST, name), 'utf8')))).toEqual([]);
});

test('what the language server loads at its start is no more than it was', () => {
    expect(excess(['lsp.js'], { modules: 1223, bytes: 3_513_000 })).toBe('');
});

/** What the language server says when it is started with those flags of V8, and ended at once. */
function startedWith(...flags: string[]): string {
    const env = { ...process.env, RULELANG_KEEP_CODE: 'new' };
    return spawnSync(process.execPath, [...flags, join(DIST, 'lsp.mjs'), '--stdio'], { env, input: '', encoding: 'utf8' }).stderr;
}

test('V8 takes the code that the build has kept, also in processes whose memory is limited', () => {
    expect(startedWith('--stack-size=3900', '--max-old-space-size=500')).not.toContain('V8 refuses');
    expect(startedWith('--max-inlined-bytecode-size-cumulative=300')).toContain('V8 refuses');
});
