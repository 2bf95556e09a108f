import { defineConfig } from 'vitest/config';

/** Programs beside rulelang itself, which are fetched from the registry of their language: models, for one. */
export default defineConfig({
    test: {
        globalSetup: ['./test/support/build-once.ts'],
        reporters: ['default', './test/support/count-reporter.ts'],
        include: ['test/engines/**/*.engine.ts'],
        testTimeout: 120_000,
        hookTimeout: 150_000,
        maxWorkers: 1,
    },
});
