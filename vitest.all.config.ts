import { defineConfig } from 'vitest/config';

/** What computes, and neither measures nor drives an editor or a browser: two of them share the machine. */
const COMPUTING = ['conformance/**', 'databases', 'engine/**', 'language/editing', 'lsp', 'server/**', '.'].map(
    folder => `test/${folder}/*.slow.ts`,
);
/** A machine that does other things answers late. */
const timeouts = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 20_000 } } };

export default defineConfig({
    test: {
        globalSetup: ['./test/support/build-once.ts'],
        reporters: ['default', './test/support/count-reporter.ts'],
        passWithNoTests: true,
        projects: [
            { test: { ...timeouts, name: 'computing', include: COMPUTING, maxWorkers: 2, sequence: { groupOrder: 1 } } },
            {
                test: {
                    ...timeouts,
                    name: 'others',
                    include: ['test/**/*.slow.ts'],
                    exclude: COMPUTING,
                    maxWorkers: 1,
                    sequence: { groupOrder: 2 },
                },
            },
        ],
    },
});
