import { createHash } from 'node:crypto';
import {
    type CancellationToken,
    type Connection,
    type Diagnostic,
    type DocumentDiagnosticReport,
    DocumentDiagnosticReportKind,
    type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver/node';
import type { Documents, EditorDocument } from '#server/workspace/documents.ts';
import type { ClosedProblems } from './closed-problems.ts';
import type { Telling } from './diagnostics-publisher.ts';
import type { Guard } from './guard.ts';
import type { ProblemDiagnostics } from './problem-diagnostics.ts';
import { upToDate } from './turns.ts';

/** The problems of documents for a client that asks for them. What is called the same by its identifier is the same. */
export interface PulledDiagnostics extends Telling {
    /**
     * The first errors of a long document that is asked about for the first time, if it has some. The caller sees to it that the others are
     * looked for.
     */
    ofBeginning(document: EditorDocument): DocumentDiagnosticReport | undefined;
    /** Of a document that is open and up to date. */
    ofDocument(document: EditorDocument, previous: string | undefined): DocumentDiagnosticReport;
    /** Of a document that is not open. */
    ofUnopened(uri: string, previous: string | undefined): Promise<DocumentDiagnosticReport>;
    /**
     * Reports of the workspace, the open documents first. With `take`, it hands each one over at once. It waits until one differs from
     * `known`.
     */
    ofWorkspace(known: ReadonlyMap<string, string>, token: CancellationToken, take?: TakeReports): Promise<Reports>;
    /** Whether the workspace has problems of programs that are not open. */
    showClosed(isShown: boolean): void;
}

type Reports = WorkspaceDocumentDiagnosticReport[];
type TakeReports = (reports: Reports) => void;

/** Milliseconds after the last change until the programs that are not open are looked at. */
const IDLE = 1000;
/** Documents in a piece of an answer. */
const PIECE = 100;

export function pulledDiagnostics(
    connection: Connection,
    documents: Documents,
    { of, ofBeginning }: Pick<ProblemDiagnostics, 'of' | 'ofBeginning'>,
    closed: ClosedProblems,
    guard: Guard,
): PulledDiagnostics {
    /** The last answer to the client about open documents. */
    const answered = new Map<string, string>();
    /** Documents that were closed: their client may still show what it was told while they were open. */
    const left = new Set<string>();
    let isClosedShown = true;
    let changes = 0;
    let idle: NodeJS.Timeout | undefined;
    const waiting: (() => void)[] = [];
    const wake = (): void => {
        for (const one of waiting.splice(0)) one();
    };
    const changed = (): void => {
        changes++;
        if (waiting.length === 0) return;
        clearTimeout(idle);
        idle = setTimeout(wake, IDLE);
    };
    let isRefreshing = false;
    const ended = (): void => {
        isRefreshing = false;
    };
    const refresh = (): void => {
        if (isRefreshing) return;
        isRefreshing = true;
        connection.languages.diagnostics.refresh().then(ended, ended);
    };
    async function* reports(token: CancellationToken): AsyncGenerator<Told> {
        for (const uri of [...documents.uris]) {
            const document = documents.get(uri);
            if (document === undefined) continue;
            const isGivenUp = (): boolean => token.isCancellationRequested || documents.get(uri) !== document;
            // One that is closed or fails meanwhile tells nothing.
            try {
                await upToDate(document, isGivenUp);
                yield { uri, version: document.version, items: of(document) };
            } catch (error) {
                if (!isGivenUp()) guard.failed('workspace/diagnostic', error);
            }
        }
        if (!isClosedShown || token.isCancellationRequested) return;
        await closed.settled();
        for (const [uri, items] of closed.found) if (documents.get(uri) === undefined) yield { uri, version: null, items };
    }
    /** Returns changed reports; for a client that takes no pieces, also the unchanged ones. */
    const look = async (known: Map<string, string>, token: CancellationToken, take?: TakeReports): Promise<Reports> => {
        const told: Reports = [];
        const gone = new Set(known.keys());
        for await (const { uri, version, items } of reports(token)) {
            gone.delete(uri);
            const previous = version === null && left.delete(uri) ? undefined : known.get(uri);
            const report = { uri, version, ...reportOf(items, previous) };
            const isKnown =
                report.kind === DocumentDiagnosticReportKind.Unchanged || (version !== null && answered.get(uri) === report.resultId);
            if (isKnown && take !== undefined) continue;
            // A program without problems, of which the client has heard none.
            if (version === null && items.length === 0 && !known.has(uri)) continue;
            known.set(uri, report.resultId);
            told.push(report);
            if (take !== undefined && told.length >= PIECE) take(told.splice(0));
        }
        if (token.isCancellationRequested) return [];
        for (const uri of gone) {
            known.delete(uri);
            told.push({ uri, version: null, kind: DocumentDiagnosticReportKind.Full, items: [] });
        }
        return told;
    };
    return {
        asksAfterEdits: true,
        begin: () => undefined,
        tell: document => {
            const before = answered.get(document.uri);
            if (before !== undefined && before !== identifierOf(of(document))) refresh();
        },
        closed: uri => {
            answered.delete(uri);
            left.add(uri);
            changed();
        },
        changed: what => {
            if (what === 'all') closed.forget();
            changed();
        },
        ofBeginning: document => {
            const { uri } = document;
            // Problems that the client knows from before it was open are more.
            const items = answered.has(uri) || closed.found.has(uri) ? [] : ofBeginning(document);
            if (items.length === 0) return undefined;
            const report = reportOf(items, undefined);
            answered.set(uri, report.resultId);
            return report;
        },
        ofDocument: (document, previous) => {
            const report = reportOf(of(document), previous);
            answered.set(document.uri, report.resultId);
            ended();
            return report;
        },
        ofUnopened: async (uri, previous) => reportOf(isClosedShown ? await closed.of(uri) : [], previous),
        ofWorkspace: async (given, token, take) => {
            const known = new Map(given);
            const listening = token.onCancellationRequested(wake);
            try {
                for (;;) {
                    const seen = changes;
                    let isTold = take === undefined;
                    const piecewise = (piece: Reports): void => {
                        isTold = true;
                        take?.(piece);
                    };
                    const told = await look(known, token, take && piecewise);
                    if (isTold || told.length > 0 || token.isCancellationRequested) return told;
                    await new Promise<void>(resolve => {
                        waiting.push(resolve);
                        if (changes !== seen) changed();
                    });
                }
            } finally {
                listening.dispose();
            }
        },
        showClosed: isShown => {
            if (isClosedShown === isShown) return;
            isClosedShown = isShown;
            changed();
        },
    };
}

interface Told {
    readonly uri: string;
    readonly version: number | null;
    readonly items: readonly Diagnostic[];
}

function reportOf(items: readonly Diagnostic[], previous: string | undefined): DocumentDiagnosticReport & { readonly resultId: string } {
    const resultId = identifierOf(items);
    if (resultId === previous) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId };
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items: [...items] };
}

/** Equal for equal problems at equal places, whenever they were found. */
function identifierOf(items: readonly Diagnostic[]): string {
    return createHash('sha256').update(JSON.stringify(items)).digest('base64url').slice(0, 22);
}
