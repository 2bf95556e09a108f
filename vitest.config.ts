import { defineConfig } from 'vitest/config';
import LongFirst from './test/support/long-first.ts';
import { COUNTED, FIRST_DOORS, PURE } from './test/support/test-files.ts';

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
        // What one project has transformed, the others take, and so does the next run.
        experimental: { fsModuleCache: true },
        maxWorkers: 2,
        sequence: { sequencer: LongFirst },
        // What says most per second comes first: a run that is ended has done that.
        projects: [
            { test: { ...timeouts, name: 'pure', include: PURE, exclude: COUNTED, isolate: false, sequence: { groupOrder: 0 } } },
            { test: { ...timeouts, name: 'counted', include: COUNTED, sequence: { groupOrder: 1 } } },
            { test: { ...timeouts, name: 'first doors', include: FIRST_DOORS, isolate: false, sequence: { groupOrder: 2 } } },
            // Part of `npm run test:all`; here for those who name a file.
            {
                test: {
                    ...timeouts,
                    name: 'doors',
                    include: ['test/**/*.test.ts'],
                    exclude: [...PURE, ...FIRST_DOORS],
                    isolate: false,
                    sequence: { groupOrder: 3 },
                },
            },
        ],
    },
});
