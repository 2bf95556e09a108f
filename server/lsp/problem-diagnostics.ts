import { type Diagnostic, DiagnosticSeverity, DiagnosticTag, type Range } from 'vscode-languageserver/node';
import { errorsOfFirst } from '#language/document/clause-list.ts';
import { rangeOf } from '#language/document/open-document.ts';
import { MOST_RULES } from '#language/document/rule-document.ts';
import { countText } from '#language/program/count-text.ts';
import type { Problem, Severity } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { isBefore } from '#server/protocol/runs.ts';
import type { Documents, EditorDocument } from '#server/workspace/documents.ts';
import type { IncludingPrograms } from '#server/workspace/including-programs.ts';
import type { Reporting } from '#server/workspace/reporting.ts';
import { codeAndPage, type ProblemPage } from './problem-pages.ts';
import type { RunProblems } from './run-problems.ts';

/** Problems told per document; the last one says how many more there are. */
const MOST = 1000;

/** UTF-16 units: what a longer text means is found out noticeably later than it is opened. */
const LONG = 100_000;
/** Clauses of such a text that are looked at first: some screens. */
const FIRST = 300;

/** Translates the problems of documents into the protocol's diagnostics. */
export interface ProblemDiagnostics {
    /** Diagnostics of a document that is open and up to date, in text order. */
    of(document: EditorDocument): Diagnostic[];
    /** The first errors of a long document that was opened, before what it means is known; none of a shorter one. */
    ofBeginning(document: EditorDocument): Diagnostic[];
    /** Diagnostics of a program that is not open, without hints, which show in its text alone. */
    ofClosed(document: EditorDocument): Diagnostic[];
}

export function problemDiagnostics(
    documents: Documents,
    { reporting, including }: { readonly reporting: Reporting; readonly including: IncludingPrograms },
    runs: RunProblems,
    page: ProblemPage,
): ProblemDiagnostics {
    const told = (document: EditorDocument, isTold: (problem: Problem) => boolean): Diagnostic[] => {
        const isProblem = including.isProblem(document.program);
        const problems = reporting.problemsOf(document.program).filter(problem => isTold(problem) && isProblem(problem));
        return missingFilesOnce(diagnosticsOf(problems, document, documents, page), runs.of(document.uri));
    };
    return {
        of: document => told(document, () => true),
        ofBeginning: document =>
            document.text.length < LONG
                ? []
                : errorsOfFirst(FIRST, document.text, document.uri)
                      .slice(0, MOST)
                      .map(problem => diagnosticOf(problem, document, documents, page)),
        ofClosed: document => told(document, ({ severity }) => severity !== 'hint'),
    };
}

function diagnosticsOf(problems: readonly Problem[], document: EditorDocument, documents: Documents, page: ProblemPage): Diagnostic[] {
    const chosen = new Set(problems.length <= MOST ? problems : mostSevere(problems).slice(0, MOST - 1));
    const shown = problems.filter(problem => chosen.has(problem));
    const notes: string[] = [];
    if (shown.length < problems.length) notes.push(say`${countText(problems.length - shown.length)} more problems are not shown`);
    if (document.program.isUnread)
        notes.push(
            say`more than ${countText(MOST_RULES)} rules: only their syntax is checked here; rulelang check tells what they mean, and so do smaller files`,
        );
    return [
        ...shown.map(problem => diagnosticOf(problem, document, documents, page)),
        ...notes.map(message => ({ ...diagnosticAtEnd(document), message })),
    ];
}

/** A file that a bind names and a run did not find: the check's problem, which stands at its name, as the error that ended the run. */
function missingFilesOnce(checks: readonly Diagnostic[], runs: readonly Diagnostic[]): Diagnostic[] {
    const reported = runs.filter(({ code }) => code === 'RT064');
    const isIn = (check: Diagnostic) => (run: Diagnostic) => check.code === 'RL6111' && holds(run.range, check.range);
    return [
        ...checks.map(check => (reported.some(isIn(check)) ? { ...check, severity: DiagnosticSeverity.Error } : check)),
        ...runs.filter(run => !reported.includes(run) || !checks.some(check => isIn(check)(run))),
    ];
}

function holds(outer: Range, inner: Range): boolean {
    return !isBefore(inner.start, outer.start) && !isBefore(outer.end, inner.end);
}

function mostSevere(problems: readonly Problem[]): Problem[] {
    return [...problems].sort((left, right) => SEVERITIES[left.severity] - SEVERITIES[right.severity]);
}

const SEVERITIES: Record<Severity, DiagnosticSeverity> = {
    error: DiagnosticSeverity.Error,
    warning: DiagnosticSeverity.Warning,
    information: DiagnosticSeverity.Information,
    hint: DiagnosticSeverity.Hint,
};

const TAGS = { unnecessary: DiagnosticTag.Unnecessary, deprecated: DiagnosticTag.Deprecated } as const;

/** A problem as the protocol says it. */
export function diagnosticOf(problem: Problem, document: EditorDocument, documents: Documents, page: ProblemPage): Diagnostic {
    const { code, severity, message, remedy, tags, related } = problem;
    return {
        range: document.rangeOf(rangeOf(problem)),
        severity: SEVERITIES[severity],
        ...codeAndPage(code, page),
        source: 'rulelang',
        message: remedy === undefined ? message : `${message}; ${remedy}`,
        ...(tags === undefined ? {} : { tags: tags.map(tag => TAGS[tag]) }),
        ...(related === undefined
            ? {}
            : {
                  relatedInformation: related.flatMap(other => {
                      const range = documents.positionsOf(other.place.file)?.rangeOf(rangeOf(other));
                      return range === undefined ? [] : [{ location: { uri: other.place.file, range }, message: other.message }];
                  }),
              }),
    };
}

function diagnosticAtEnd(document: EditorDocument): Omit<Diagnostic, 'message'> {
    const end = document.positionAt(document.text.length);
    return { range: { start: end, end }, severity: DiagnosticSeverity.Information, source: 'rulelang' };
}
