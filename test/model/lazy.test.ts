import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Bundle {
    readonly modules: Readonly<Record<string, number>>;
    /** Those that are loaded with it. */
    readonly loads: readonly string[];
}

const BUNDLES: Readonly<Record<string, Bundle>> = JSON.parse(fs.readFileSync(join(import.meta.dirname, '../../dist/bundles.json'), 'utf8'));

/** The modules of a bundle and of all that is loaded together with it. */
function loadedWith(bundle: string): readonly string[] {
    const all = new Set([bundle]);
    for (const name of all) for (const loaded of BUNDLES[name]?.loads ?? []) all.add(loaded);
    return [...all].flatMap(name => Object.keys(BUNDLES[name]?.modules ?? {}));
}

const ofProviders = (bundle: string): readonly string[] => loadedWith(bundle).filter(file => file.includes('/@ai-sdk/'));

test('no program loads the library of a provider before a model is asked', () => {
    expect(Object.keys(BUNDLES).some(name => ofProviders(name).some(file => file.includes('/anthropic/')))).toBe(true);
    const doors = ['api', 'lsp', 'remote', 'run-process', 'tool-worker', 'cli', 'run-worker', 'worker-program'].map(name => `${name}.js`);
    for (const door of doors) {
        expect(loadedWith(door).length).toBeGreaterThan(0);
        expect([door, ofProviders(door)]).toEqual([door, []]);
    }
});
