import { REPORT_HELP, sampleReport } from '#engine/reports/report-help.ts';
import { REPORTS, type ReportCode } from '#engine/reports/reports.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import { EXAMPLE_FILE, exampleDocument } from '#language/editing/example-document.ts';
import { withEdits } from '#language/editing/fix-all.ts';
import { formatText, type TextEdit } from '#language/editing/format-edits.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import type { Severity } from '#language/program/problem.ts';
import { say, translated } from '#language/program/say.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { fixedSeverity } from '#language/reporting/severities.ts';
import { type Notice, problemNotice, reportNotice } from '#server/notices/notice.ts';
import { sourceText } from '#server/notices/source-texts.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { noticeText, TEXT_WIDTH } from '#server/terminal/notice-text.ts';

/** Everything there is to say about one code. Sentences name code in single quotes. */
export interface ProblemHelp {
    readonly code: string;
    readonly title: string;
    readonly severity: Severity;
    readonly why: string;
    readonly example?: string;
    /** The files of the example: names and texts. */
    readonly files: readonly (readonly [name: string, text: string])[];
    /** The contents of the example's sources, as sentences. */
    readonly sources: readonly string[];
    /** How a terminal shows it. */
    readonly reported: string;
    /** The general remedy, if the reported problem says something more special. */
    readonly remedy?: string;
    /** The preferred fix, and the example after it. */
    readonly fix?: { readonly title: string; readonly after: string; readonly others: readonly string[] };
    /** Whether it can be left out, and how. */
    readonly silence: string;
}

const ENTRIES: ReadonlyMap<string, ProblemEntry> = new Map(Object.entries(PROBLEMS));
const REPORT_CODES: ReadonlyMap<string, ReportCode> = new Map((Object.keys(REPORT_HELP) as ReportCode[]).map(code => [code, code]));

/** All codes, those of problems first, in order. */
export function helpCodes(): readonly string[] {
    return [...[...ENTRIES.keys()].sort(), ...REPORT_CODES.keys()];
}

/** The codes of errors with what they are called. */
export function* errorTitles(): Iterable<readonly [code: string, title: string]> {
    for (const code of REPORT_CODES.values()) if (REPORTS[code].severity === 'error') yield [code, translated(REPORT_HELP[code].title)];
    for (const [code, entry] of ENTRIES) if (entry.severity === 'error') yield [code, translated(problemTitle(entry))];
}

/** Returns the help on a code; undefined for an unknown one. */
export function problemHelp(code: string): ProblemHelp | undefined {
    const entry = ENTRIES.get(code);
    if (entry !== undefined) return helpOfProblem(code, entry);
    const known = REPORT_CODES.get(code);
    return known && helpOfReport(known);
}

function helpOfProblem(code: string, entry: ProblemEntry): ProblemHelp {
    const files = Object.entries(entry.modules ?? {}).map(([name, text]) => [name, formatText(text).trimEnd()] as const);
    const document = laidOut(code, { ...entry, modules: Object.fromEntries(files) });
    const problem = problemsOf(document, code).find(found => found.code === code);
    if (problem === undefined) throw new Error(`The example of ${code} does not have it`);
    const [fix, ...others] = quickFixes(document, problem);
    return {
        code,
        title: translated(problemTitle(entry)),
        severity: problem.severity,
        why: translated(entry.why),
        example: document.text,
        files,
        sources: Object.entries(entry.sources ?? {}).map(
            ([name, columns]) => say`The file of '${name}' has the columns ${columns.join(', ')}.`,
        ),
        reported: shown(problemNotice(problem), [[entry.file ?? EXAMPLE_FILE, document.text], ...files]),
        ...(entry.remedy === undefined || translated(entry.remedy) === problem.remedy ? {} : { remedy: translated(entry.remedy) }),
        ...(fix === undefined
            ? {}
            : { fix: { title: fix.title, after: fixedText(document, fix.edits), others: others.map(({ title }) => title) } }),
        silence: silenceOf(code, entry),
    };
}

function helpOfReport(code: ReportCode): ProblemHelp {
    const { title, why, example } = REPORT_HELP[code];
    const said = sampleReport(code);
    const reported = shown(reportNotice(said), []);
    return {
        code,
        title: translated(title),
        severity: said.severity,
        why: translated(why),
        ...(example === undefined ? {} : { example: formatText(example).trimEnd() }),
        files: [],
        sources: [],
        reported,
        silence: said.severity === 'error' ? say`It ends the run.` : say`The run goes on.`,
    };
}

/** The name of a problem as a title. */
export function problemTitle({ name }: ProblemEntry): string {
    return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
}

/** The example with a line for each clause, where it has the same problems then. */
function laidOut(code: string, entry: ProblemEntry): OpenDocument {
    const document = exampleDocument(entry.example, entry);
    const formatted = exampleDocument(formatText(entry.example).trimEnd(), entry);
    const codes = (of: OpenDocument): string =>
        problemsOf(of, code)
            .map(found => found.code)
            .sort()
            .join();
    return codes(formatted) === codes(document) ? formatted : document;
}

/** Returns the reported problems, and those with the code also if it is usually off. */
function problemsOf(document: OpenDocument, code: string): ReturnType<typeof reportedProblems> {
    const entry = ENTRIES.get(code);
    const severities = new Map(entry?.offByDefault ? [[code, entry.severity] as const] : []);
    return reportedProblems({ ...document, clauses: document.program.clauses }, severities);
}

function shown(notice: Notice, texts: readonly (readonly [file: string, text: string])[]): string {
    const sources = new Map(texts.map(([file, text]) => [file, sourceText(text)]));
    return noticeText(notice, { colour: colourOf(false), width: TEXT_WIDTH, sources }).trimEnd();
}

function fixedText({ text }: OpenDocument, edits: readonly TextEdit[]): string {
    return withEdits(
        text,
        edits.toSorted((a, b) => a.start - b.start || a.end - b.end),
    ).trimEnd();
}

function silenceOf(code: string, { severity, offByDefault }: ProblemEntry): string {
    if (fixedSeverity(code) !== undefined) return say`An error can be neither ignored nor made milder.`;
    const setting = (value: string): string => say`'{"problems": {"severity": {"${code}": "${value}"}}}' in 'rulelang.json'`;
    if (offByDefault) return say`It is only told where a project asks for it: ${setting(severity)}.`;
    // A comment about a comment would be the next superfluous one.
    if (code === 'RL9040' || code === 'RL9041') return say`To be told nothing about it: ${setting('off')}.`;
    return say`To leave it as it is: a line '% rulelang-ignore ${code}' above the clause; for all programs, ${setting('off')}.`;
}
