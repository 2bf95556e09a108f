import { dirname, resolve } from 'node:path';
import { RunStopped } from '#engine/reports/reports.ts';
import { analysedDocument, type OpenDocument } from '#language/document/open-document.ts';
import { type FixedText, fixAll, withEdits } from '#language/editing/fix-all.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { type Severities, USUAL_SEVERITIES } from '#language/reporting/severities.ts';
import { type NamedText, readNamedText, STANDARD_INPUT } from '#server/files/named-text.ts';
import { programFiles } from '#server/files/program-files.ts';
import { programText } from '#server/files/program-text.ts';
import { type ProjectSettings, projectSettings } from '#server/files/project-settings.ts';
import { rewriteNamed } from '#server/files/write-granted.ts';
import { type Notice, problemNotice, reportNotice } from '#server/notices/notice.ts';
import { visible } from '#server/notices/visible-text.ts';
import { type Access, type CheckFormat, EXIT, type FAIL_LEVELS } from '#server/protocol/jobs.ts';
import type { PythonUse } from '#server/protocol/run-process.ts';
import { knownScripts } from '#server/python/known-scripts.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { type CheckedFile, isAtLeast } from '#server/terminal/problem-formats/checked-file.ts';
import { compactLines } from '#server/terminal/problem-formats/compact.ts';
import { diagnosticsJson } from '#server/terminal/problem-formats/diagnostics-json.ts';
import { githubCommands } from '#server/terminal/problem-formats/github.ts';
import { junitXml } from '#server/terminal/problem-formats/junit.ts';
import { sarifLog } from '#server/terminal/problem-formats/sarif.ts';
import type { ProgramFile } from '#server/workspace/program-index.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import { checkedModules, mergedFiles } from '../checked-modules.ts';
import { fileSource } from '../file-source.ts';
import type { JobContext } from '../job-context.ts';
import { type LoadedProgram, loadKnown, loadProgram, type ProgramSource } from '../load-program.ts';
import { sayCounts, sayNotices } from '../say-notices.ts';

export interface CheckJob extends Access {
    readonly kind: 'check';
    /** Files, folders and patterns; `-` is standard input. */
    readonly paths: readonly string[];
    /** The name of standard input, and the folder for its settings and data. */
    readonly inputName?: string;
    readonly format: CheckFormat;
    readonly hints: boolean;
    /** Tells only what makes the check fail. */
    readonly quiet: boolean;
    /** Problems at least so severe make the check fail. */
    readonly failLevel: (typeof FAIL_LEVELS)[number];
    /** More warnings make it fail too. */
    readonly maxWarnings?: number;
    /** Rewrites the files, or prints the fixed text of standard input. */
    readonly fix: boolean;
    readonly python: PythonUse;
}

declare const RULELANG_VERSION: string;

/** Says what is wrong with programs. Fails when a problem is as severe as the job says, or there are too many warnings. */
export async function checkFiles(job: CheckJob, context: JobContext): Promise<number> {
    const files = filesOf(job.paths);
    const settings = settingsFor(files.flatMap(file => (typeof file === 'string' ? folderOf(file, job) : [])));
    const complaints = [...settings.values()].flatMap(one => [...one.complaints, ...one.missing]);
    for (const complaint of new Set(complaints)) context.say(say`rulelang check: ${visible(complaint)}\n`);
    if (complaints.length > 0) return EXIT.usage;
    // Fixes change files, so that what was read before may be wrong.
    const known = job.fix ? undefined : new Map<string, ProgramFile>();
    const found: CheckedFile[] = [];
    for (const file of files) {
        if (typeof file === 'string') found.push(...(await checkFile(file, job, settings, known, context)));
        else found.push(file);
    }
    const checked = mergedFiles(found);
    const all = checked.flatMap(({ notices }) => notices);
    tell(
        checked.map(one => ({ ...one, notices: one.notices.filter(({ severity }) => isTold(severity, job)) })),
        job,
        context,
    );
    const warnings = all.filter(({ severity }) => severity === 'warning').length;
    const tooMany = job.maxWarnings !== undefined && warnings > job.maxWarnings;
    if (tooMany) context.say(say`${warnings} warnings are more than --max-warnings ${job.maxWarnings} admits\n`);
    return tooMany || all.some(({ severity }) => isAtLeast(severity, job.failLevel)) ? EXIT.failed : EXIT.fine;
}

/** The files that the paths mean, each once; for a path that means none, what is wrong with it. */
function filesOf(paths: readonly string[]): (string | CheckedFile)[] {
    const found = paths.flatMap((path): (string | CheckedFile)[] => {
        try {
            return programFiles([path]);
        } catch (error) {
            return [failedFile(path, error)];
        }
    });
    return [...new Set(found)];
}

/** The folder whose settings and data are those of a file. */
function folderOf(file: string, { currentFolder, inputName }: CheckJob): string {
    return dirname(resolve(currentFolder, file === STANDARD_INPUT ? (inputName ?? file) : file));
}

function settingsFor(folders: readonly string[]): ReadonlyMap<string, ProjectSettings> {
    return new Map([...new Set(folders)].map(folder => [folder, projectSettings(folder)]));
}

function failedFile(file: string, error: unknown): CheckedFile {
    if (!(error instanceof RunStopped)) throw error;
    return { file, notices: [reportNotice(error.report)], fixesOf: () => [] };
}

async function checkFile(
    path: string,
    job: CheckJob,
    settings: ReadonlyMap<string, ProjectSettings>,
    known: Map<string, ProgramFile> | undefined,
    context: JobContext,
): Promise<CheckedFile[]> {
    const file = path === STANDARD_INPUT ? (job.inputName ?? path) : path;
    try {
        const read = readNamedText(path);
        const severities = settings.get(folderOf(path, job))?.severities ?? USUAL_SEVERITIES;
        const lookup = new SourceLookup({ tellsMissing: true, tellsRefused: true, scripts: knownScripts(job.python) });
        const sourceOf = (text: string): ProgramSource => fileSource(text, file, job, new Map(), known);
        const first = await loadProgram(sourceOf(programText(path, read.text)), lookup);
        const again = (text: string): LoadedProgram => loadKnown(sourceOf(text), lookup);
        const loaded = job.fix ? await fixed(first, { read, path, severities, lookup, again }, context) : first;
        const document = documentOf(loaded);
        const problems = reportedProblems({ ...document, clauses: document.analysed.program.clauses }, severities);
        const byNotice = new Map(problems.map(problem => [problemNotice(problem), problem] as const));
        const own = {
            file,
            notices: [...byNotice.keys()],
            source: loaded.source,
            fixesOf: (notice: Notice) => fixesOf(document, byNotice.get(notice)),
        };
        return [own, ...checkedModules(loaded, severities)];
    } catch (error) {
        return [failedFile(file, error)];
    }
}

function documentOf({ source, program, problems }: LoadedProgram): OpenDocument {
    const own = problems.filter(({ place }) => place.file === program.program.file);
    return analysedDocument(source.text, program, own);
}

function fixesOf(document: OpenDocument, problem: Problem | undefined): ReturnType<typeof quickFixes> {
    return problem === undefined ? [] : quickFixes(document, problem);
}

/** A fix that writes another source may lead to another fix, and so on, but hardly further. */
const ROUNDS = 4;

interface Fixing {
    readonly read: NamedText;
    readonly path: string;
    readonly severities: Severities;
    readonly lookup: SourceLookup;
    /** Loads another text of the file. */
    readonly again: (text: string) => LoadedProgram;
}

/** The program after its safe fixes, which are in its file or printed then. */
async function fixed(
    loaded: LoadedProgram,
    { read, path, severities, lookup, again }: Fixing,
    context: JobContext,
): Promise<LoadedProgram> {
    const fix = (first: LoadedProgram): FixedText => fixAll(documentOf(first), severities, text => documentOf(again(text)));
    let result = fix(loaded);
    // A fix may write another source, whose columns count from then on.
    for (let round = 0; round < ROUNDS && (await lookup.complete()); round++) result = fix(again(loaded.source.text));
    // The text of a notebook is more than its program.
    const text = result.edits.reduce(withEdits, read.text);
    const whole = `${read.marked ? '\ufeff' : ''}${text}`;
    if (path === STANDARD_INPUT) context.print(whole);
    else if (text !== read.text) rewriteNamed(path, whole);
    if (result.fixed.size > 0) {
        const counts = [...result.fixed].map(([code, count]) => (count === 1 ? code : say`${code} (${count} times)`));
        context.say(say`Fixed in ${visible(loaded.file)}: ${counts.join(', ')}\n`);
    }
    return text === read.text ? loaded : again(result.text);
}

function isTold(severity: Notice['severity'], { format, hints, quiet, failLevel }: CheckJob): boolean {
    if (isAtLeast(severity, failLevel)) return true;
    return !quiet && (hints || format === 'json' || severity !== 'hint');
}

function tell(checked: readonly CheckedFile[], job: CheckJob, context: JobContext): void {
    if (job.format === 'pretty') sayProblems(checked, job, context);
    else context.print(printed(checked, job.format, job));
}

function printed(checked: readonly CheckedFile[], format: Exclude<CheckFormat, 'pretty'>, { currentFolder, failLevel }: CheckJob): string {
    switch (format) {
        case 'compact':
            return compactLines(checked);
        case 'json':
            return diagnosticsJson(checked);
        case 'sarif':
            return sarifLog(checked, currentFolder, RULELANG_VERSION);
        case 'junit':
            return junitXml(checked, failLevel);
        case 'github':
            return githubCommands(checked);
    }
}

function sayProblems(checked: readonly CheckedFile[], { quiet }: CheckJob, context: JobContext): void {
    for (const { file, source } of checked) if (source !== undefined) context.texts.set(file, source);
    for (const { notices } of checked) sayNotices(notices, context);
    if (quiet) return;
    const all = checked.flatMap(({ notices }) => notices);
    sayCounts(all, context);
    if (all.length === 0)
        context.say(
            say`${colourOf(context.streams.errorColour).strong(say`No problems`)} in ${checked.length === 1 ? '1 file' : say`${checked.length} files`}\n`,
        );
}
