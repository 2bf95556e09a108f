import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with the line `N passed, N failed`, and adds its counts to the file that TEST_COUNTS names. */
export default class CountReporter implements Reporter {
    onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
        let passed = 0;
        let failed = unhandledErrors.length;
        for (const module of modules) {
            failed += module.errors().length;
            for (const test of module.children.allTests()) {
                const { state } = test.result();
                if (state === 'passed') passed++;
                if (state === 'failed') failed++;
            }
        }
        if (process.env.TEST_COUNTS) appendFileSync(process.env.TEST_COUNTS, `${passed} ${failed}\n`);
        process.on('exit', () => console.log(`${passed} passed, ${failed} failed`));
    }
}
