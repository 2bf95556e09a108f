import { expect, test } from 'vitest';
import { BUNDLES, loadedWith } from '../support/built-bundles.ts';

/** The modules of a bundle and of all that is loaded together with it. */
const modulesOf = (bundle: string): readonly string[] => loadedWith([bundle]).flatMap(({ modules }) => Object.keys(modules));
const ofProviders = (bundle: string): readonly string[] => modulesOf(bundle).filter(file => file.includes('/@ai-sdk/'));

test('no program loads the library of a provider before a model is asked', () => {
    expect(Object.keys(BUNDLES).some(name => ofProviders(name).some(file => file.includes('/anthropic/')))).toBe(true);
    const doors = ['api', 'lsp', 'remote', 'run-process', 'tool-worker', 'cli', 'run-worker', 'worker-program'].map(name => `${name}.js`);
    for (const door of doors) {
        expect(modulesOf(door).length).toBeGreaterThan(0);
        expect([door, ofProviders(door)]).toEqual([door, []]);
    }
});
