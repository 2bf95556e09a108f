import { basename } from 'node:path/posix';
import { type Disposable, type Event, EventEmitter, type LogOutputChannel, l10n, type Uri, workspace } from 'vscode';
import type { ShownNotice, ShownRun } from '#extension/webviews/results/messages.ts';
import type { RunEnd, RunNotice, RunProgress } from '#server/protocol/runs.ts';
import type { Server } from './client.ts';
import { digestOf, type KeptRuns, readNote, writeNote } from './kept-runs.ts';
import { givenSetting, readSetting } from './read-setting.ts';
import { settingComplaint } from './settings.ts';

/** A run of a document, from its start until its rows are given up. */
export interface RunSession {
    readonly document: Uri;
    readonly predicates: readonly string[] | undefined;
    /** Numbers the runs of this window; the views know them by it. */
    readonly serial: number;
    /** How the server knows the run, once it has begun. */
    readonly reference: number | undefined;
    readonly shown: ShownRun;
    readonly notices: readonly ShownNotice[];
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
    /** Shows the rows that were kept of a document's last run, if there are any. */
    restore(document: Uri): void;
    /** Gives up the rows of a document's run. */
    discard(document: Uri): void;
    readonly changed: Event<RunSession>;
}

/** A finished run whose rows are shown until the run that follows it has ended. */
type Previous = { readonly serial: number; readonly reference: number };
type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Session = Writable<RunSession> & {
    readonly end: () => void;
    version: number | undefined;
    previous: Previous | undefined;
    /** Of the text that is run. */
    digest: string | undefined;
    /** Its rows come from a file. */
    readonly restored: boolean;
};

export function programName(document: Uri): string {
    return basename(document.path);
}

export function createRuns(server: Server, kept: KeptRuns, log: LogOutputChannel, subscriptions: Disposable[]): Runs {
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
        session.notices = report.notices.map(shownNotice);
        if (report.outcome === 'crashed') log.error(`${took}: ${report.message}`);
        else log.info(took);
        for (const notice of report.notices) log.info(`${notice.severity} ${notice.code}: ${notice.message}`);
        end(session, shownEnd(report, session.notices));
        if (report.outcome === 'finished') void keep(session, report.run);
    };
    const keep = async (session: Session, run: number): Promise<void> => {
        const { document, predicates, digest, startedAt: at } = session;
        const place = digest === undefined ? undefined : kept.place();
        if (place === undefined || digest === undefined) return;
        const note = writeNote({ uri: document.toString(), ...(predicates && { predicates }), digest, at });
        try {
            await server.ask('rulelang/keep', { run, uri: place.uri, largest: place.largest, note });
            kept.kept(document, place);
        } catch (reason) {
            log.info(`${programName(document)}: its rows are not kept: ${reason instanceof Error ? reason.message : reason}`);
        }
    };
    /** The rows of a file have come, or not. */
    const finishRestored = async (session: Session, report: RunEnd): Promise<void> => {
        const { document } = session;
        if (report.outcome === 'stopped') return end(session, { kind: 'gone' });
        const note = report.outcome === 'finished' ? readNote(report.note) : undefined;
        if (report.outcome !== 'finished' || note?.uri !== document.toString()) {
            const message =
                'message' in report ? report.message : (report.notices[0]?.message ?? l10n.t('They are those of another program'));
            log.warn(`${programName(document)}: ${message}`);
            kept.forget(document);
            return end(session, { kind: 'gone', message });
        }
        const text = await workspace.openTextDocument(document).then(
            opened => opened,
            () => undefined,
        );
        session.predicates = note.predicates;
        session.version = text?.version;
        session.stale = text === undefined || digestOf(text.getText()) !== note.digest;
        session.notices = report.notices.map(shownNotice);
        end(session, { ...shownFinished(report, session.notices), kept: note.at });
    };
    const beginRestored = async (session: Session, uri: string): Promise<void> => {
        try {
            const { run } = await server.ask('rulelang/restore', { uri });
            session.reference = run;
            if (!isCurrent(session)) return close(run);
            const report = early.get(run);
            early.delete(run);
            if (report !== undefined) await finishRestored(session, report);
        } catch (reason) {
            end(session, { kind: 'gone', message: reason instanceof Error ? reason.message : String(reason) });
        }
    };

    const begin = async (session: Session): Promise<void> => {
        const { document, predicates } = session;
        const complaint = settingComplaint('run.parameters', givenSetting('run.parameters', document));
        if (complaint !== undefined) {
            log.error(`${programName(document)}: ${complaint}`);
            return end(session, { kind: 'refused', message: complaint, setting: true });
        }
        const parameters = readSetting('run.parameters', document);
        try {
            // The server runs what is open; the program of a restored panel may not be.
            const text = await workspace.openTextDocument(document);
            session.version = text.version;
            session.digest = digestOf(text.getText());
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

    const add = (document: Uri, predicates: readonly string[] | undefined, restored: boolean): Session => {
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
            shown: { kind: 'running', phase: restored ? 'loading' : 'starting', stratum: 0, strata: 0, facts: 0, milliseconds: 0 },
            notices: [],
            startedAt: Date.now(),
            stale: false,
            ended,
            end: resolveEnd,
            version: undefined,
            previous: before && previousOf(before),
            digest: undefined,
            restored,
        };
        sessions.set(document.toString(), session);
        changes.fire(session);
        return session;
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
        if (session?.shown.kind !== 'running') return;
        if (session.restored) void finishRestored(session, report);
        else finish(session, report);
    });
    server.ended(() => {
        early.clear();
        for (const session of sessions.values()) {
            session.previous = undefined;
            const message = l10n.t('The language server ended, and its runs with it');
            if (session.shown.kind === 'running') end(session, { kind: 'crashed', message: `${message}.` });
            else if (session.shown.kind === 'finished') end(session, { kind: 'gone', message });
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
            const session = add(document, predicates, false);
            void begin(session);
            return session;
        },
        restore(document) {
            const file = kept.find(document);
            if (file !== undefined && !sessions.has(document.toString())) void beginRestored(add(document, undefined, true), file);
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

/** Values of parameters come from a setting. */
function shownNotice(notice: RunNotice): ShownNotice {
    const isGiven = notice.parameter !== undefined || notice.code === 'RT080';
    return isGiven ? { ...notice, setting: true } : notice;
}

function shownFinished(
    { outputs, facts, milliseconds, parameters = [] }: Extract<RunEnd, { outcome: 'finished' }>,
    notices: readonly ShownNotice[],
): Extract<ShownRun, { kind: 'finished' }> {
    return { kind: 'finished', outputs, facts, milliseconds, notices, parameters };
}

function shownEnd(end: RunEnd, notices: readonly ShownNotice[]): ShownRun {
    const { milliseconds } = end;
    switch (end.outcome) {
        case 'finished':
            return shownFinished(end, notices);
        case 'failed':
            return { kind: 'failed', notices, milliseconds };
        case 'stopped':
            return { kind: 'stopped', milliseconds };
        case 'crashed':
            return { kind: 'crashed', message: end.message };
    }
}
