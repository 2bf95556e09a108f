import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from 'vitest/node';

/** Of a reason that is told in one line. */
const LONGEST_REASON = 300;

/** A line of the file that TEST_REPORT names, as JSON. `scripts/test-report.mjs` reads it. */
type Told =
    | { readonly planned: readonly { readonly file: string; readonly project: string }[] }
    | { readonly began: string }
    | {
          readonly ended: string;
          readonly project: string;
          readonly seconds: number;
          readonly passed: number;
          readonly failures: readonly { readonly test?: string; readonly reason: string }[];
      }
    | { readonly outside: string };

function tell(told: Told): void {
    if (process.env.TEST_REPORT) appendFileSync(process.env.TEST_REPORT, `${JSON.stringify(told)}\n`);
}

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim().slice(0, LONGEST_REASON);

const reasonOf = (errors: readonly SerializedError[]): string => oneLine(errors[0]?.message ?? 'no reason was given');

/**
 * Prints what fails when it fails, with its reason, and ends with the line `N passed, N failed`. To the file that TEST_REPORT names it adds which
 * files are to run, and each as it begins and ends: a run that somebody ends loses nothing.
 */
export default class CountReporter implements Reporter {
    #passed = 0;
    #failed = 0;

    onTestRunStart(specifications: readonly TestSpecification[]): void {
        tell({
            planned: specifications.map(({ moduleId, project }) => ({
                file: relative(project.config.root, moduleId),
                project: project.name,
            })),
        });
    }

    onTestModuleStart(module: TestModule): void {
        tell({ began: module.relativeModuleId });
    }

    onTestCaseResult(test: TestCase): void {
        const { state, errors } = test.result();
        if (state !== 'failed') return;
        console.log(`\nfailed: ${test.module.relativeModuleId}: ${test.fullName}`);
        for (const { message, diff } of errors) console.log(diff === undefined ? message : `${message}\n${diff}`);
    }

    onTestModuleEnd(module: TestModule): void {
        const tests = [...module.children.allTests()];
        const failures = [
            ...module.errors().map(error => ({ reason: reasonOf([error]) })),
            ...tests.flatMap(test => {
                const { state, errors } = test.result();
                return state === 'failed' ? [{ test: oneLine(test.fullName), reason: reasonOf(errors) }] : [];
            }),
        ];
        const passed = tests.filter(test => test.result().state === 'passed').length;
        const seconds = Math.round(module.diagnostic().duration / 100) / 10;
        tell({ ended: module.relativeModuleId, project: module.project.name, seconds, passed, failures });
        this.#passed += passed;
        this.#failed += failures.length;
    }

    onTestRunEnd(_: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
        for (const error of unhandledErrors) tell({ outside: reasonOf([error]) });
        // The script that reads TEST_REPORT has the last word.
        if (process.env.TEST_REPORT) return;
        const counts = `${this.#passed} passed, ${this.#failed + unhandledErrors.length} failed`;
        process.on('exit', () => console.log(counts));
    }
}
