import { defineConfig } from 'vitest/config';

/** What starts no processes: these test files share what they import, which is most of their cost. */
const PURE = ['architecture', 'bench', 'conformance', 'engine', 'language', 'naive', 'samples', 'syntaxes'];

const pure = PURE.flatMap(name => [`test/${name}/**/*.test.ts`, `test/${name}.test.ts`]);
/** Steps are counted in functions that are compiled while this goes on: no other file may have run them before. */
const COUNTED = [
    'test/engine/explain/why-not.test.ts',
    'test/engine/plan/heavy-programs.test.ts',
    'test/language/document/large.test.ts',
    'test/language/problems/heavy-programs.test.ts',
];
/** A machine that does other things answers late. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };

export default defineConfig({
    test: {
        globalSetup: ['./test/support/build-once.ts'],
        reporters: ['default', './test/support/count-reporter.ts'],
        maxWorkers: 2,
        projects: [
            { test: { ...timeouts, name: 'pure', include: pure, exclude: COUNTED, isolate: false } },
            { test: { ...timeouts, name: 'counted', include: COUNTED } },
            { test: { ...timeouts, name: 'doors', include: ['test/**/*.test.ts'], exclude: pure } },
        ],
    },
});
