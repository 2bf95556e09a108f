import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');

/** A bundle with all that is loaded together with it, as one text. */
function loadedWith(entry: string, seen = new Set<string>()): string {
    if (seen.has(entry)) return '';
    seen.add(entry);
    const text = fs.readFileSync(join(DIST, entry), 'utf8');
    const others = [...text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([\w.-]+\.mjs)"/gu)].map(([, name = '']) => name);
    return text + others.map(name => loadedWith(name, seen)).join('');
}

test('no program loads the library of a provider before a model is asked', () => {
    expect(fs.readdirSync(DIST).some(name => name.endsWith('.mjs') && loadedWith(name).includes('ai-sdk/anthropic/'))).toBe(true);
    const doors = [
        'api.mjs',
        'lsp.mjs',
        'remote.mjs',
        'run-process.mjs',
        'tool-worker.mjs',
        'cli.js',
        'run-worker.js',
        'worker-program.js',
    ];
    for (const door of doors) expect([door, loadedWith(door).includes('ai-sdk/')]).toEqual([door, false]);
});
