import { defineConfig } from 'vitest/config';
import LongFirst from './test/support/long-first.ts';
import { PURE_FILES } from './test/support/pure-files.ts';

/** What starts no processes: these test files share what they import, which is most of their cost. */
const PURE = ['architecture', 'bench', 'conformance', 'engine', 'language', 'naive', 'samples', 'syntaxes'];

const pure = [...PURE.flatMap(name => [`test/${name}/**/*.test.ts`, `test/${name}.test.ts`]), ...PURE_FILES];
/** Steps are counted in functions that are compiled while this goes on: no other file may have run them before. */
const COUNTED = [
    'test/engine/explain/why-not.test.ts',
    'test/engine/plan/heavy-programs.test.ts',
    'test/language/document/large.test.ts',
    'test/language/problems/heavy-programs.test.ts',
];
/** A machine that does other things answers late. */
const timeouts = {
    env: { RULELANG_PATIENCE: '60' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
};

export default defineConfig({
    test: {
        globalSetup: ['./test/support/build-once.ts'],
        reporters: ['default', './test/support/count-reporter.ts'],
        maxWorkers: 2,
        sequence: { sequencer: LongFirst },
        // What says most per second comes first: a run that is ended has done that.
        projects: [
            { test: { ...timeouts, name: 'pure', include: pure, exclude: COUNTED, isolate: false, sequence: { groupOrder: 0 } } },
            { test: { ...timeouts, name: 'counted', include: COUNTED, sequence: { groupOrder: 1 } } },
            { test: { ...timeouts, name: 'doors', include: ['test/**/*.test.ts'], exclude: pure, sequence: { groupOrder: 2 } } },
        ],
    },
});
