import { basename } from 'node:path/posix';
import { type Disposable, type Event, EventEmitter, type LogOutputChannel, type Uri, workspace } from 'vscode';
import type { ShownRun } from '#extension/webviews/results/messages.ts';
import type { RunEnd, RunNotice, RunProgress } from '#server/protocol/runs.ts';
import type { Server } from './client.ts';
import { readSetting } from './read-setting.ts';

/** A run of a document, from its start until its rows are given up. */
export interface RunSession {
    readonly document: Uri;
    readonly predicates: readonly string[] | undefined;
    /** Numbers the runs of this window; the views know them by it. */
    readonly serial: number;
    /** How the server knows the run, once it has begun. */
    readonly reference: number | undefined;
    readonly shown: ShownRun;
    readonly notices: readonly RunNotice[];
    readonly startedAt: number;
    /** The text has changed since the run began. */
    readonly stale: boolean;
    /** Resolves when the run has ended, however. */
    readonly ended: Promise<void>;
}

export interface Runs {
    /** Runs the text of a document; a run of it that still goes on is stopped. */
    start(document: Uri, predicates?: readonly string[]): RunSession;
    stop(session: RunSession): void;
    of(document: Uri): RunSession | undefined;
    /** How the server knows a run of a document: the current one, or the one before while the current one goes on. */
    reference(document: Uri, serial: number): number | undefined;
    running(): readonly RunSession[];
    /** Gives up the rows of a document's run. */
    discard(document: Uri): void;
    readonly changed: Event<RunSession>;
}

/** A finished run whose rows are shown until the run that follows it has ended. */
type Previous = { readonly serial: number; readonly reference: number };
type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Session = Writable<RunSession> & { readonly end: () => void; version: number | undefined; previous: Previous | undefined };

export function programName(document: Uri): string {
    return basename(document.path);
}

export function createRuns(server: Server, log: LogOutputChannel, subscriptions: Disposable[]): Runs {
    const changes = new EventEmitter<RunSession>();
    const sessions = new Map<string, Session>();
    /** Ends that came before the answer that names their run. */
    const early = new Map<number, RunEnd>();
    let serials = 0;

    const byReference = (run: number): Session | undefined => [...sessions.values()].find(session => session.reference === run);
    const close = (run: number | undefined): void => {
        if (run !== undefined) server.ask('rulelang/close', { run }).catch(() => undefined);
    };
    const end = (session: Session, shown: ShownRun): void => {
        session.shown = shown;
        close(session.previous?.reference);
        session.previous = undefined;
        session.end();
        changes.fire(session);
    };
    const isAwaited = (): boolean =>
        [...sessions.values()].some(({ shown, reference }) => shown.kind === 'running' && reference === undefined);
    const isCurrent = (session: Session): boolean => sessions.get(session.document.toString()) === session;

    const finish = (session: Session, report: RunEnd): void => {
        const took = `${programName(session.document)}: ${report.outcome} after ${Math.round(report.milliseconds)} ms`;
        session.notices = report.notices;
        if (report.outcome === 'crashed') log.error(`${took}: ${report.message}`);
        else log.info(took);
        for (const notice of report.notices) log.info(`${notice.severity} ${notice.code}: ${notice.message}`);
        end(session, shownEnd(report));
    };

    const begin = async (session: Session): Promise<void> => {
        const { document, predicates } = session;
        const parameters = readSetting('run.parameters', document);
        try {
            // The server runs what is open; the program of a restored panel may not be.
            session.version = (await workspace.openTextDocument(document)).version;
            const { run } = await server.ask('rulelang/run', {
                uri: document.toString(),
                ...(predicates === undefined ? {} : { predicates }),
                ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
            });
            session.reference = run;
            if (!isCurrent(session)) return close(run);
            if (session.shown.kind !== 'running') return;
            const report = early.get(run);
            early.delete(run);
            if (report !== undefined) finish(session, report);
        } catch (reason) {
            const message = reason instanceof Error ? reason.message : String(reason);
            log.error(`${programName(document)}: ${message}`);
            if (session.shown.kind === 'running') end(session, { kind: 'refused', message });
        }
    };

    server.on('rulelang/runProgress', progress => {
        const session = byReference(progress.run);
        if (session === undefined || session.shown.kind !== 'running') return;
        session.shown = shownProgress(progress, session.startedAt);
        changes.fire(session);
    });
    server.on('rulelang/runEnded', report => {
        const session = byReference(report.run);
        if (session === undefined && isAwaited()) early.set(report.run, report);
        if (session?.shown.kind === 'running') finish(session, report);
    });
    server.ended(() => {
        early.clear();
        for (const session of sessions.values()) {
            session.previous = undefined;
            const message = 'The language server ended, and its runs with it.';
            if (session.shown.kind === 'running') end(session, { kind: 'crashed', message });
            else if (session.shown.kind === 'finished') end(session, { kind: 'gone' });
            session.reference = undefined;
        }
    });
    const timer = setInterval(() => {
        for (const session of sessions.values()) {
            if (session.shown.kind !== 'running') continue;
            session.shown = { ...session.shown, milliseconds: Date.now() - session.startedAt };
            changes.fire(session);
        }
    }, 500);
    subscriptions.push(
        changes,
        { dispose: () => clearInterval(timer) },
        workspace.onDidChangeTextDocument(({ document }) => {
            const session = sessions.get(document.uri.toString());
            if (session?.version === undefined || session.stale || document.version === session.version) return;
            session.stale = true;
            changes.fire(session);
        }),
    );

    return {
        changed: changes.event,
        of: document => sessions.get(document.toString()),
        reference(document, serial) {
            const session = sessions.get(document.toString());
            if (session?.serial === serial) return session.reference;
            return session?.previous?.serial === serial ? session.previous.reference : undefined;
        },
        running: () => [...sessions.values()].filter(session => session.shown.kind === 'running'),
        start(document, predicates) {
            const before = sessions.get(document.toString());
            if (before?.shown.kind === 'running') {
                close(before.reference);
                before.end();
            }
            let resolveEnd = (): void => undefined;
            const ended = new Promise<void>(resolve => {
                resolveEnd = resolve;
            });
            const session: Session = {
                document,
                predicates,
                serial: ++serials,
                reference: undefined,
                shown: { kind: 'running', phase: 'starting', stratum: 0, strata: 0, facts: 0, milliseconds: 0 },
                notices: [],
                startedAt: Date.now(),
                stale: false,
                ended,
                end: resolveEnd,
                version: undefined,
                previous: before && previousOf(before),
            };
            sessions.set(document.toString(), session);
            changes.fire(session);
            void begin(session);
            return session;
        },
        stop(session) {
            const { reference } = session;
            if (session.shown.kind !== 'running') return;
            if (reference === undefined) end(session as Session, { kind: 'stopped', milliseconds: Date.now() - session.startedAt });
            else server.ask('rulelang/stop', { run: reference }).catch(() => undefined);
        },
        discard(document) {
            const session = sessions.get(document.toString());
            if (session === undefined) return;
            sessions.delete(document.toString());
            close(session.previous?.reference);
            close(session.reference);
            session.end();
            changes.fire(session);
        },
    };
}

function previousOf({ shown, serial, reference, previous }: Session): Previous | undefined {
    return shown.kind === 'finished' && reference !== undefined ? { serial, reference } : previous;
}

function shownProgress({ phase, stratum, strata, facts }: RunProgress, startedAt: number): ShownRun {
    return { kind: 'running', phase, stratum, strata, facts, milliseconds: Date.now() - startedAt };
}

function shownEnd(end: RunEnd): ShownRun {
    const { milliseconds, notices } = end;
    switch (end.outcome) {
        case 'finished':
            return { kind: 'finished', outputs: end.outputs, facts: end.facts, milliseconds, notices };
        case 'failed':
            return { kind: 'failed', notices, milliseconds };
        case 'stopped':
            return { kind: 'stopped', milliseconds };
        case 'crashed':
            return { kind: 'crashed', message: end.message };
    }
}
