import { type Connection, type Diagnostic, DiagnosticSeverity, DiagnosticTag, type Position, type Range } from 'vscode-languageserver/node';
import { type OpenDocument, rangeOf } from '#language/document/open-document.ts';
import { MOST_RULES } from '#language/document/rule-document.ts';
import { countText } from '#language/program/count-text.ts';
import type { Problem, Severity } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { EXPLAIN_PROBLEM } from '#server/protocol/problems.ts';
import type { Documents, EditorDocument } from '#server/workspace/documents.ts';
import type { Reporting } from '#server/workspace/reporting.ts';
import type { Guard } from './guard.ts';
import type { LanguageServer } from './language-server.ts';
import type { RunProblems } from './run-problems.ts';
import { upToDate } from './turns.ts';

export interface DiagnosticsPublisher {
    /** Publishes the problems of a document's newest version as soon as nothing else waits. */
    schedule(uri: string): void;
    /** The same for a document that may mean something else because another one changed; nothing is sent where it does not. */
    scheduleDependent(uri: string): void;
    clear(uri: string): void;
}

/** Problems published per document; the last one says how many more there are. */
const MOST = 1000;
/** Changes that come within this many milliseconds of each other are diagnosed together, */
const PAUSE = 2;
/** but not longer than this. */
const LONGEST = 50;
/** Documents that depend on one that is being typed are diagnosed after so many milliseconds. */
const DEPENDENT = 150;

export function diagnosticsPublisher(
    connection: Connection,
    documents: Documents,
    reporting: Reporting,
    runs: RunProblems,
    guard: Guard,
    page: ProblemPage,
): DiagnosticsPublisher {
    const waiting = new Map<string, { readonly since: number; readonly timer: NodeJS.Timeout }>();
    const cancel = (uri: string): number | undefined => {
        const waits = waiting.get(uri);
        clearTimeout(waits?.timer);
        waiting.delete(uri);
        return waits?.since;
    };
    const published = new Map<string, OpenDocument>();
    const publish = (uri: string, isWanted = (_: EditorDocument): boolean => true): void => {
        waiting.delete(uri);
        const document = documents.get(uri);
        if (document === undefined) return;
        const send = (): void => {
            if (!isWanted(document)) return;
            published.set(uri, document.program);
            const diagnostics = missingFilesOnce(diagnosticsOf(document, documents, reporting, page), runs.of(uri));
            void connection.sendDiagnostics({ uri, version: document.version, diagnostics });
        };
        const failed = (error: unknown): void => void guard.failed('diagnostics', error);
        // A change that comes meanwhile has them published later.
        const isGivenUp = (): boolean => waiting.has(uri) || documents.get(uri) !== document;
        try {
            const rest = upToDate(document, isGivenUp);
            if (rest === undefined) send();
            else rest.then(send).catch(error => (isGivenUp() ? undefined : failed(error)));
        } catch (error) {
            failed(error);
        }
    };
    return {
        schedule: uri => {
            const now = performance.now();
            const since = cancel(uri) ?? now;
            waiting.set(uri, { since, timer: setTimeout(publish, now - since >= LONGEST ? 0 : PAUSE, uri) });
        },
        scheduleDependent: uri => {
            if (waiting.has(uri)) return;
            const publishChanged = (): void => publish(uri, ({ program }) => program !== published.get(uri));
            waiting.set(uri, { since: performance.now(), timer: setTimeout(publishChanged, DEPENDENT) });
        },
        clear: uri => {
            cancel(uri);
            published.delete(uri);
            void connection.sendDiagnostics({ uri, diagnostics: [] });
        },
    };
}

/** The problems of a document as the protocol says them, in text order. */
function diagnosticsOf(document: EditorDocument, documents: Documents, reporting: Reporting, page: ProblemPage): Diagnostic[] {
    const problems = reporting.problemsOf(document.program);
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

function isBefore(left: Position, right: Position): boolean {
    return left.line < right.line || (left.line === right.line && left.character < right.character);
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

/** Where a client finds what a code means. */
type ProblemPage = (code: string) => string | undefined;

/** The command of the client that shows it, which VS Code follows from the code of a problem; other clients are given no address. */
export function problemPages({ client, options }: Pick<LanguageServer, 'client' | 'options'>): ProblemPage {
    const follows = client.textDocument?.publishDiagnostics?.codeDescriptionSupport === true && options.lenses === true;
    return code => (follows ? say`command:${EXPLAIN_PROBLEM}?${encodeURIComponent(JSON.stringify([code]))}` : undefined);
}

/** A problem as the protocol says it. */
export function diagnosticOf(problem: Problem, document: EditorDocument, documents: Documents, page: ProblemPage): Diagnostic {
    const { code, severity, message, remedy, tags, related } = problem;
    const href = page(code);
    return {
        range: document.rangeOf(rangeOf(problem)),
        severity: SEVERITIES[severity],
        code,
        ...(href === undefined ? {} : { codeDescription: { href } }),
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
