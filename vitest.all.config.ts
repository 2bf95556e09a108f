import { defineConfig } from 'vitest/config';
import LongFirst from './test/support/long-first.ts';
import { FIRST_DOORS, PURE } from './test/support/test-files.ts';

/** What computes, and drives no editor, service or browser. */
const COMPUTING = ['conformance/**', 'engine/**', 'language/**', 'lsp', 'server/**', '.'].map(folder => `test/${folder}/*.slow.ts`);
/** What asks databases, which all of its files share. */
const DATABASES = ['test/databases/*.slow.ts'];
/** Each has a window of VS Code. */
const WINDOWS = ['test/vscode/*.slow.ts'];
const shared = {
    // A machine that does other things answers late.
    env: { RULELANG_PATIENCE: '60' },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000, interval: 100 } },
    // Most wait for a process now and then: three of them keep two processors at work.
    maxWorkers: 3,
};

export default defineConfig({
    test: {
        globalSetup: ['./test/support/build-once.ts'],
        reporters: ['default', './test/support/count-reporter.ts'],
        passWithNoTests: true,
        experimental: { fsModuleCache: true },
        sequence: { sequencer: LongFirst },
        // What finds most per second comes first.
        projects: [
            {
                test: {
                    ...shared,
                    name: 'doors',
                    include: ['test/**/*.test.ts'],
                    exclude: [...PURE, ...FIRST_DOORS],
                    isolate: false,
                },
            },
            { test: { ...shared, name: 'computing', include: COMPUTING } },
            {
                test: {
                    ...shared,
                    name: 'databases',
                    include: DATABASES,
                    globalSetup: ['./test/databases/servers-once.ts'],
                    isolate: false,
                },
            },
            {
                test: {
                    ...shared,
                    name: 'slow doors',
                    include: ['test/**/*.slow.ts'],
                    exclude: [...COMPUTING, ...DATABASES, ...WINDOWS],
                    isolate: false,
                },
            },
            { test: { ...shared, name: 'windows', include: WINDOWS, isolate: false, globalSetup: ['./test/support/unpack-once.ts'] } },
        ],
    },
});
