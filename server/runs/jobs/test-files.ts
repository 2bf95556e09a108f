import { resolve } from 'node:path';
import { RunStopped } from '#engine/reports/reports.ts';
import { isTestFile, TEST_ENDING } from '#language/analysis/test-cases.ts';
import { say } from '#language/program/say.ts';
import { programFiles } from '#server/files/program-files.ts';
import { projectSettings } from '#server/files/project-settings.ts';
import { shownPath } from '#server/files/shown-path.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { visibleJson } from '#server/notices/visible-text.ts';
import { EXIT, type TestJob } from '#server/protocol/jobs.ts';
import type { TestedFile, TestLine, TestReport } from '#server/protocol/tests.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { testsJunit } from '#server/terminal/test-formats/tests-junit.ts';
import { coverageText, testedText, totalText } from '#server/terminal/test-formats/tests-text.ts';
import type { ProgramFile } from '#server/workspace/program-index.ts';
import type { JobContext } from '../job-context.ts';
import { Coverage } from '../tests/coverage.ts';
import { runTestFile } from '../tests/test-file.ts';

/** Runs the test files that the paths mean, in the order of the paths, and tells what became of their cases. */
export async function testFiles(job: TestJob, context: JobContext): Promise<number> {
    const files = filesOf(job.paths.length > 0 ? job.paths : ownPaths(job));
    const coverage = job.coverage ? new Coverage() : undefined;
    const known = new Map<string, ProgramFile>();
    const tested: TestedFile[] = [];
    const colour = colourOf(context.streams.outputColour);
    for (const file of files) {
        const one = typeof file === 'string' ? await runTestFile(file, job, known, coverage, context) : file;
        const isPart = job.filter !== undefined || job.cases.length > 0;
        if (isPart && one.cases.length === 0 && one.problems.length === 0) continue;
        tested.push(one);
        if (job.format === 'pretty') context.print(testedText(one, colour));
        if (job.format === 'jsonl') context.print(jsonLine(one, context));
    }
    const report: TestReport = { files: tested, ...(coverage && { coverage: coverage.files }) };
    tell(report, job, context);
    const cases = tested.flatMap(one => one.cases);
    const isFailed = cases.some(({ failures }) => failures.length > 0) || tested.some(({ problems }) => problems.length > 0);
    if (isFailed) return EXIT.failed;
    if (cases.length > 0) return EXIT.fine;
    context.say(`${nothingText(job)}\n`);
    return EXIT.failed;
}

function jsonLine(value: TestLine, { streams }: JobContext): string {
    const json = JSON.stringify(value);
    return `${streams.outputWidth === undefined ? json : visibleJson(json)}\n`;
}

function nothingText({ filter, cases, paths }: TestJob): string {
    if (cases.length > 0) return say`rulelang test: no test case is called '${cases.join("', '")}'`;
    if (filter !== undefined) return say`rulelang test: no test case has '${filter}' in its name`;
    return say`rulelang test: no test cases in ${paths.length === 0 ? '.' : paths.join(', ')}: they stand in files that end in ${TEST_ENDING}`;
}

/** Returns the test paths of the project; else the current folder. */
function ownPaths({ currentFolder }: TestJob): string[] {
    const { tests, found } = projectSettings(currentFolder);
    return found === undefined || tests.length === 0
        ? ['.']
        : tests.map(({ text }) => shownPath(resolve(found.folder, text), currentFolder));
}

/** A folder means the test files below it, a program the test file beside it. */
function filesOf(paths: readonly string[]): (string | TestedFile)[] {
    const found = paths.flatMap((path): (string | TestedFile)[] => {
        try {
            const files = programFiles([path]);
            // What is found in a folder is called otherwise.
            const isNamed = files[0] === path;
            return isNamed && !isTestFile(path) ? [path.replace(/(?:\.rulelang)?$/u, TEST_ENDING)] : files.filter(isTestFile);
        } catch (error) {
            if (!(error instanceof RunStopped)) throw error;
            const { code, message } = reportNotice(error.report);
            return [{ file: path, cases: [], problems: [`${code}: ${message}`] }];
        }
    });
    return [...new Set(found)];
}

function tell(report: TestReport, { format }: TestJob, context: JobContext): void {
    const { streams } = context;
    switch (format) {
        case 'json': {
            const json = JSON.stringify(report, undefined, 2);
            context.print(`${streams.outputWidth === undefined ? json : visibleJson(json)}\n`);
            return;
        }
        case 'jsonl':
            if (report.coverage !== undefined) context.print(jsonLine({ coverage: report.coverage }, context));
            return;
        case 'junit':
            context.print(testsJunit(report));
            return;
        case 'pretty': {
            const colour = colourOf(streams.outputColour);
            if (report.coverage !== undefined) context.print(coverageText(report.coverage, colour));
            if (report.files.length > 0) context.print(totalText(report, colour));
        }
    }
}
