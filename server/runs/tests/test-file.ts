import { RunStopped } from '#engine/reports/reports.ts';
import { type TestCase, testCases } from '#language/analysis/test-cases.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { rewriteNamed } from '#server/files/write-granted.ts';
import { problemNotice, reportNotice } from '#server/notices/notice.ts';
import { positionAt, sourceText } from '#server/notices/source-texts.ts';
import type { TestJob } from '#server/protocol/jobs.ts';
import type { TestedCase, TestedFile } from '#server/protocol/tests.ts';
import type { ProgramFile } from '#server/workspace/program-index.ts';
import { fileSource } from '../file-source.ts';
import type { JobContext } from '../job-context.ts';
import { loadProgram, type ProgramSource } from '../load-program.ts';
import { checkpointOf } from '../write-outputs.ts';
import { acceptedText } from './accepted-text.ts';
import type { Coverage } from './coverage.ts';
import { type Differing, runTestCase } from './test-case.ts';

/** Runs the cases of a test file, one after another, and counts what they cover; writes what they derive into the file where the job asks for it. */
export async function runTestFile(
    path: string,
    job: TestJob,
    known: Map<string, ProgramFile>,
    coverage: Coverage | undefined,
    context: JobContext,
): Promise<TestedFile> {
    try {
        const { text, marked } = readNamedText(path);
        const first = await runCases(path, text, job, known, job.update ? undefined : coverage, context);
        if (!job.update) return first.tested;
        const accepted = acceptedText(text, first.differing);
        if (accepted !== text) rewriteNamed(path, `${marked ? '\ufeff' : ''}${accepted}`);
        return (await runCases(path, accepted, job, known, coverage, context)).tested;
    } catch (error) {
        if (!(error instanceof RunStopped) || context.cancelled() !== undefined) throw error;
        const { code, message } = reportNotice(error.report);
        return { file: path, cases: [], problems: [`${code}: ${message}`] };
    }
}

async function runCases(
    path: string,
    text: string,
    job: TestJob,
    known: Map<string, ProgramFile>,
    coverage: Coverage | undefined,
    context: JobContext,
): Promise<{ readonly tested: TestedFile; readonly differing: readonly Differing[] }> {
    const source = fileSource(text, path, job, new Map(job.parameters), known);
    const lines = sourceText(text);
    const { cases, problems } = await casesOf(source);
    if (problems.length > 0) return { tested: { file: path, cases: [], problems }, differing: [] };
    const done: TestedCase[] = [];
    const differing: Differing[] = [];
    for (const test of cases) {
        if (!isWanted(test, job)) continue;
        const began = context.clock();
        const outcome = await runTestCase(source, test, job, context);
        coverage?.add(outcome.loaded, outcome.profile, outcome.database, checkpointOf(context));
        differing.push(...outcome.differing);
        const { line } = positionAt(lines, test.place.offset + test.annotation.span.start);
        done.push({ name: test.name, line, milliseconds: Math.round(context.clock() - began), failures: outcome.failures });
    }
    return { tested: { file: path, cases: done, problems: [] }, differing };
}

function isWanted({ name }: TestCase, { filter = '', cases }: TestJob): boolean {
    return name.includes(filter) && (cases.length === 0 || cases.includes(name));
}

/**
 * Reads the cases of a file. If the file and its program are wrong in themselves, no case runs. A problem of a single case shows when it
 * runs.
 */
async function casesOf(source: ProgramSource): Promise<{ readonly cases: readonly TestCase[]; readonly problems: readonly string[] }> {
    const loaded = await loadProgram(source);
    const { cases } = testCases(loaded.program.program);
    const expectsErrors = new Set(cases.flatMap(({ errors }) => errors.map(({ code }) => code)));
    const problems = loaded.problems
        .filter(({ severity, code }) => severity === 'error' && !expectsErrors.has(code))
        .map(problemNotice)
        .map(({ code, message, remedy, place }) => {
            const of = place && loaded.texts.get(place.file);
            const at = place && of ? `${place.file}:${positionAt(of, place.start).line + 1}: ` : '';
            return `${at}${code}: ${message}${remedy === undefined ? '' : `; ${remedy}`}`;
        });
    return { cases, problems };
}
