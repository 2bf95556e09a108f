import { defineConfig } from 'vitest/config';

export default defineConfig({
    test: {
        include: ['test/**/*.test.ts'],
        globalSetup: ['./test/support/build-once.ts'],
        reporters: ['default', './test/support/count-reporter.ts'],
        maxWorkers: 2,
        testTimeout: 60_000,
        hookTimeout: 60_000,
    },
});
