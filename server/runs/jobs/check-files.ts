import { RunStopped } from '#engine/reports.ts';
import { type CheckJob, EXIT } from '#server/protocol/jobs.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { type Notice, problemNotice, reportNotice } from '#server/terminal/notice.ts';
import { type Position, positionAt, type SourceText } from '#server/terminal/source-texts.ts';
import type { JobContext } from '../job-context.ts';
import { loadProgram } from '../load-program.ts';
import { sayCounts, sayNotices } from '../say-notices.ts';

interface Checked {
    readonly file: string;
    readonly notices: readonly Notice[];
    /** Absent where the file cannot be read. */
    readonly source?: SourceText;
}

/** Says what is wrong with programs. Fails when one of them has an error. */
export function checkFiles(job: CheckJob, context: JobContext): number {
    const checked = job.files.map(file => checkFile(file, job));
    if (job.format === 'json') printDiagnostics(checked, context);
    else sayProblems(checked, job, context);
    const failed = checked.some(({ notices }) => notices.some(({ severity }) => severity === 'error'));
    return failed ? EXIT.failed : EXIT.fine;
}

function checkFile(file: string, job: CheckJob): Checked {
    try {
        const { problems, source } = loadProgram(file, job, new Map());
        return { file, notices: problems.map(problemNotice), source };
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        return { file, notices: [reportNotice(error.report)] };
    }
}

function sayProblems(checked: readonly Checked[], { files, hints }: CheckJob, context: JobContext): void {
    const shown = checked.map(({ notices }) => notices.filter(({ severity }) => hints || severity !== 'hint'));
    for (const { file, source } of checked) if (source !== undefined) context.texts.set(file, source);
    for (const notices of shown) sayNotices(notices, context);
    const all = shown.flat();
    sayCounts(all, context);
    if (all.length === 0)
        context.say(
            `${colourOf(context.streams.errorColour).strong('No problems')} in ${files.length === 1 ? '1 file' : `${files.length} files`}\n`,
        );
}

/** The form of 12.5, with positions as editors count them. */
function printDiagnostics(checked: readonly Checked[], context: JobContext): void {
    const diagnostics = checked.flatMap(({ file, notices, source }) =>
        notices.map(({ code, severity, message, place }) => ({
            file: place?.file ?? file,
            range: rangeOf(place, source),
            severity,
            code,
            message,
        })),
    );
    context.print(`${JSON.stringify({ diagnostics }, undefined, 2)}\n`);
}

function rangeOf(place: Notice['place'], source: SourceText | undefined): { start: Position; end: Position } {
    const start = { line: 0, character: 0 };
    if (place === undefined || source === undefined) return { start, end: start };
    return { start: positionAt(source, place.start), end: positionAt(source, place.end) };
}
