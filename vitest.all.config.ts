import { defineConfig } from 'vitest/config';

export default defineConfig({
    test: {
        include: ['test/**/*.slow.ts'],
        globalSetup: ['./test/support/build-once.ts'],
        reporters: ['default', './test/support/count-reporter.ts'],
        testTimeout: 600_000,
        hookTimeout: 600_000,
        // A machine that does other things answers late.
        expect: { poll: { timeout: 20_000 } },
        passWithNoTests: true,
    },
});
