import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Files that take longer are told. */
const LONG = 30;

/** Adds lines to the file that TEST_COUNTS names. */
function note(...lines: readonly string[]): void {
    if (process.env.TEST_COUNTS) appendFileSync(process.env.TEST_COUNTS, `${lines.join('\n')}\n`);
}

const named = (...parts: readonly string[]): string => `# ${parts.join(': ')}`.replaceAll(/\s+/gu, ' ');

/**
 * Ends a run with the line `N passed, N failed`. To the file that TEST_COUNTS names it adds such counts of each file as it ends, and after `#`
 * what failed in it, what passed only when it was tried again, and whether it took long: a long log can end with it, also where the run was ended.
 */
export default class CountReporter implements Reporter {
    #passed = 0;
    #failed = 0;

    onTestModuleEnd(module: TestModule): void {
        const file = module.relativeModuleId;
        const seconds = Math.round(module.diagnostic().duration / 1000);
        const told = seconds >= LONG ? [`# ${seconds} s: ${file}`] : [];
        let passed = 0;
        let failed = module.errors().length;
        if (failed > 0) told.push(named('failed', file));
        for (const test of module.children.allTests()) {
            const { state } = test.result();
            if (state === 'passed') passed++;
            if (state === 'failed') {
                failed++;
                told.push(named('failed', file, test.fullName));
            } else if (test.diagnostic()?.flaky) told.push(named('passed when tried again', file, test.fullName));
        }
        note(`${passed} ${failed}`, ...told);
        this.#passed += passed;
        this.#failed += failed;
    }

    onTestRunEnd(_: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
        const outside = unhandledErrors.map(error => named('failed outside of tests', String((error as Error).message ?? error)));
        if (outside.length > 0) note(`0 ${outside.length}`, ...outside);
        const counts = `${this.#passed} passed, ${this.#failed + outside.length} failed`;
        process.on('exit', () => console.log(counts));
    }
}
