import { basename } from 'node:path/posix';
import { type Disposable, type Event, EventEmitter, type LogOutputChannel, l10n, type Memento, type Uri, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { programOf } from '#extension/host/notebook-cells.ts';
import { type OpenProgram, openProgram, versionNow } from '#extension/host/open-program.ts';
import { givenSetting } from '#extension/host/read-setting.ts';
import { type RememberedPrograms, rememberedPrograms } from '#extension/host/remembered-programs.ts';
import { settingComplaint } from '#extension/host/settings.ts';
import type { ShownNotice, ShownRun } from '#extension/webviews/results/messages.ts';
import { shownEnd, shownFinished, shownNotice, shownProgress, starting } from '#extension/webviews/results/shown-run.ts';
import type { Login } from '#server/protocol/login.ts';
import type { GivenParameters, RunEnd } from '#server/protocol/runs.ts';
import type { ProgramParameters } from './given-parameters.ts';
import { digestOf, type KeptRuns, readNote, writeNote } from './kept-runs.ts';
import { createLiveRuns, type LiveRuns, withoutLive } from './live-runs.ts';
import type { RunHistory } from './run-history.ts';

/** A run of a document, from its start until its rows are given up. */
export interface RunSession {
    readonly document: Uri;
    readonly predicates: readonly string[] | undefined;
    /** The evaluated body, if the run has one instead of predicates. */
    readonly body: string | undefined;
    /** Parameters of the run, by name. */
    readonly parameters: GivenParameters;
    /** The names of those that are secrets. */
    readonly secrets: ReadonlySet<string>;
    /** Numbers the runs of this window; the views know them by it. */
    readonly serial: number;
    /** How the server knows the run, once it has begun. */
    readonly reference: number | undefined;
    readonly shown: ShownRun;
    readonly notices: readonly ShownNotice[];
    readonly startedAt: number;
    /** The text has changed since the run began. */
    readonly stale: boolean;
    /** Its rows follow edits, as far as they can; where it only `looks`, nothing is written. */
    readonly live: 'looks' | 'writes' | undefined;
    /** Resolves when the run has ended, however. */
    readonly ended: Promise<void>;
}

/** The part of a program to evaluate instead of its outputs, and parameters instead of those in the settings. */
export type RunPart = Partial<Pick<RunSession, 'predicates' | 'body' | 'parameters'>> & {
    /** Counts the matches that reach the atoms of rules. */
    readonly profiled?: true;
    readonly live?: 'looks' | 'writes';
};

export interface Runs {
    /** Runs the text of a document; a run of it that still goes on is stopped. */
    start(document: Uri, part?: RunPart): RunSession;
    stop(session: RunSession): void;
    /** Whether the rows of a document's run follow its edits. */
    follows(document: Uri): boolean;
    /** They follow them no longer. */
    settle(document: Uri): void;
    of(document: Uri): RunSession | undefined;
    /** How the server knows a run of a document: the current one, or the one before while the current one goes on. */
    reference(document: Uri, serial: number): number | undefined;
    running(): readonly RunSession[];
    /** Shows what was shown of a document before the window was loaded again: a comparison, else the rows of its last run, if they are kept. */
    restore(document: Uri): void;
    /** Shows the rows of an earlier run of a document, which are kept under this name; a run that goes on is stopped. */
    reopen(document: Uri, rows: string): RunSession | undefined;
    /** Shows what differs between the rows of two earlier runs of a document, which are kept under these names; a run that goes on is stopped. */
    compare(document: Uri, before: string, after: string): RunSession | undefined;
    /** Gives up the rows of a document's run. */
    discard(document: Uri): void;
    readonly changed: Event<RunSession>;
}

/** A finished run whose rows are shown until the run that follows it has ended. */
type Previous = { readonly serial: number; readonly reference: number };
type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Session = Writable<RunSession> & {
    readonly end: () => void;
    version: OpenProgram['version'] | undefined;
    previous: Previous | undefined;
    /** Of the text that is run. */
    digest: string | undefined;
    /** Its rows come from a file; of this name, where they were asked for by it. */
    readonly restored: boolean;
    readonly rows: string | undefined;
    /** Its rows are what differs between those of two runs, which are kept under these names. */
    readonly compared: ComparedRows | undefined;
};

interface ComparedRows {
    readonly before: string;
    readonly after: string;
}

/** Comparisons that are shown, by their programs, for the next window. */
const COMPARED = 'runs.compared';
type Remembered = ComparedRows & { readonly uri: string };

export function programName(document: Uri): string {
    return basename(document.path);
}

interface Surroundings {
    readonly server: Server;
    readonly kept: KeptRuns;
    readonly history: RunHistory;
    readonly parameters: ProgramParameters;
    /** Credentials of the databases that a program may reach. */
    readonly connected: (program: string, name: string) => Promise<readonly Login[]>;
    readonly log: LogOutputChannel;
    readonly state: Memento;
    readonly subscriptions: Disposable[];
}

export function createRuns(around: Surroundings): Runs {
    return new WindowRuns(around);
}

class WindowRuns implements Runs {
    readonly #around: Surroundings;
    readonly #changes = new EventEmitter<RunSession>();
    readonly changed = this.#changes.event;
    readonly #sessions = new Map<string, Session>();
    /** Ends that came before the answer that names their run. */
    readonly #early = new Map<number, RunEnd>();
    #serials = 0;
    readonly #live: LiveRuns;
    readonly #remembered: RememberedPrograms<Remembered>;
    readonly #timer: ReturnType<typeof setInterval>;

    constructor(around: Surroundings) {
        this.#around = around;
        this.#live = createLiveRuns({
            server: this.#around.server,
            sessions: () => this.#sessions.values(),
            changed: session => this.#changes.fire(session as Session),
            subscriptions: this.#around.subscriptions,
        });
        this.#remembered = rememberedPrograms<Remembered>(this.#around.state, COMPARED);
        this.#around.server.on('rulelang/runProgress', progress => {
            const session = this.#byReference(progress.run);
            if (session === undefined || session.shown.kind !== 'running') return;
            session.shown = shownProgress(progress, session.startedAt);
            this.#changes.fire(session);
        });
        this.#around.server.on('rulelang/runEnded', report => {
            const session = this.#byReference(report.run);
            if (session === undefined && this.#isAwaited()) this.#early.set(report.run, report);
            if (session?.shown.kind !== 'running') return;
            if (session.restored) void this.#finishRestored(session, report);
            else this.#finish(session, report);
        });
        this.#around.server.ended(() => {
            this.#early.clear();
            for (const session of this.#sessions.values()) {
                session.previous = undefined;
                const message = l10n.t('The language server ended, and its runs with it');
                if (session.shown.kind === 'running') this.#endRun(session, { kind: 'crashed', message: `${message}.` });
                else if (session.shown.kind === 'finished') this.#end(session, { kind: 'gone', message });
                session.reference = undefined;
                session.live = undefined;
            }
        });
        this.#timer = setInterval(() => {
            for (const session of this.#sessions.values()) {
                if (session.shown.kind !== 'running') continue;
                session.shown = { ...session.shown, milliseconds: Date.now() - session.startedAt };
                this.#changes.fire(session);
            }
        }, 500);
        this.#around.subscriptions.push(
            this.#changes,
            { dispose: () => clearInterval(this.#timer) },
            workspace.onDidChangeTextDocument(({ document }) => this.#changed(programOf(document))),
            workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
                if (contentChanges.length > 0) this.#changed(notebook.uri);
            }),
        );
    }

    of(document: Uri): RunSession | undefined {
        return this.#sessions.get(document.toString());
    }

    reference(document: Uri, serial: number): number | undefined {
        const session = this.#sessions.get(document.toString());
        if (session?.serial === serial) return session.reference;
        return session?.previous?.serial === serial ? session.previous.reference : undefined;
    }

    running(): readonly RunSession[] {
        return [...this.#sessions.values()].filter(session => session.shown.kind === 'running');
    }

    start(document: Uri, part: RunPart = {}): RunSession {
        const session = this.#add(document, part, false);
        void this.#begin(session, part);
        return session;
    }

    reopen(document: Uri, rows: string): RunSession | undefined {
        const file = this.#around.kept.file(rows);
        if (file === undefined) return undefined;
        const session = this.#add(document, {}, true, rows);
        void this.#beginRestored(session, this.#around.server.ask('rulelang/restore', { uri: file }));
        return session;
    }

    compare(document: Uri, before: string, after: string): RunSession | undefined {
        return this.#compare(document, { before, after });
    }

    restore(document: Uri): void {
        if (this.#sessions.has(document.toString())) return;
        const compared = this.#remembered.of(document);
        if (compared !== undefined && this.#compare(document, { before: compared.before, after: compared.after }) !== undefined) return;
        const file = this.#around.kept.find(document);
        if (file === undefined) return;
        void this.#beginRestored(this.#add(document, {}, true), this.#around.server.ask('rulelang/restore', { uri: file }));
    }

    follows(document: Uri): boolean {
        const { live: asked, shown } = this.#sessions.get(document.toString()) ?? {};
        return asked !== undefined && !(shown?.kind === 'finished' && shown.live?.kind === 'off');
    }

    settle(document: Uri): void {
        const session = this.#sessions.get(document.toString());
        if (session?.live === undefined) return;
        session.live = undefined;
        if (session.shown.kind === 'finished') session.shown = withoutLive(session.shown);
        session.stale = session.version !== undefined && session.version !== versionNow(document);
        this.#changes.fire(session);
    }

    stop(session: RunSession): void {
        const { reference } = session;
        if (session.shown.kind !== 'running') return;
        if (reference === undefined) this.#endRun(session as Session, { kind: 'stopped', milliseconds: Date.now() - session.startedAt });
        else this.#around.server.ask('rulelang/stop', { run: reference }).catch(() => undefined);
    }

    discard(document: Uri): void {
        const session = this.#sessions.get(document.toString());
        if (session === undefined) return;
        this.#sessions.delete(document.toString());
        this.#close(session.previous?.reference);
        this.#close(session.reference);
        session.end();
        this.#changes.fire(session);
    }

    #byReference(run: number): Session | undefined {
        return [...this.#sessions.values()].find(session => session.reference === run);
    }

    #close(run: number | undefined): void {
        if (run !== undefined) this.#around.server.ask('rulelang/close', { run }).catch(() => undefined);
    }

    #end(session: Session, shown: ShownRun): void {
        session.shown = shown;
        this.#close(session.previous?.reference);
        session.previous = undefined;
        session.end();
        this.#changes.fire(session);
    }

    /** The same for a run that is remembered; answers the id under which it is. */
    #endRun(session: Session, shown: ShownRun): string | undefined {
        this.#end(session, shown);
        return session.restored ? undefined : this.#around.history.add(session);
    }

    #isAwaited(): boolean {
        return [...this.#sessions.values()].some(({ shown, reference }) => shown.kind === 'running' && reference === undefined);
    }

    #isCurrent(session: Session): boolean {
        return this.#sessions.get(session.document.toString()) === session;
    }

    #finish(session: Session, report: RunEnd): void {
        const took = `${programName(session.document)}: ${report.outcome} after ${Math.round(report.milliseconds)} ms`;
        session.notices = report.notices.map(shownNotice);
        const isLook = session.live === 'looks';
        if (report.outcome !== 'finished') session.live = undefined;
        if (report.outcome === 'crashed') this.#around.log.error(`${took}: ${report.message}`);
        else this.#around.log.info(took);
        for (const notice of report.notices) this.#around.log.info(`${notice.severity} ${notice.code}: ${notice.message}`);
        const shown = shownEnd(report, session.notices);
        if (isLook) this.#end(session, shown);
        else {
            const id = this.#endRun(session, shown);
            if (report.outcome === 'finished') void this.#keep(session, report.run, id);
        }
        if (session.live !== undefined) this.#live.begin(session);
    }

    async #keep(session: Session, run: number, id: string | undefined): Promise<void> {
        const { document, predicates, body, digest, startedAt: at } = session;
        const { log } = this.#around;
        // The rows of a selection are looked at once.
        const place = digest === undefined || body !== undefined ? undefined : this.#around.kept.place();
        if (place === undefined || digest === undefined) return;
        const note = writeNote({ uri: document.toString(), ...(predicates && { predicates }), digest, at });
        try {
            const { program } = await this.#around.server.ask('rulelang/keep', { run, uri: place.uri, largest: place.largest, note });
            const name = this.#around.kept.kept(document, place, program);
            if (id !== undefined) this.#around.history.rowsKept(id, name);
        } catch (reason) {
            log.info(`${programName(document)}: its rows are not kept: ${reason instanceof Error ? reason.message : reason}`);
        }
    }

    /** The rows of a file have come, or not. */
    async #finishRestored(session: Session, report: RunEnd): Promise<void> {
        const { document } = session;
        if (report.outcome === 'stopped') return this.#end(session, { kind: 'gone' });
        const note = report.outcome === 'finished' ? readNote(report.note) : undefined;
        if (report.outcome !== 'finished' || note?.uri !== document.toString()) {
            const message =
                'message' in report ? report.message : (report.notices[0]?.message ?? l10n.t('They are those of another program'));
            this.#around.log.warn(`${programName(document)}: ${message}`);
            if (session.rows === undefined) this.#around.kept.forget(document);
            else this.#around.kept.remove(session.rows);
            return this.#end(session, { kind: 'gone', message });
        }
        const text = await openProgram(document).then(
            opened => opened,
            () => undefined,
        );
        session.predicates = note.predicates;
        session.version = text?.version;
        session.stale = text === undefined || digestOf(text.text) !== note.digest;
        session.notices = report.notices.map(shownNotice);
        const { compared, notices } = session;
        const { difference } = report;
        const differs = compared && difference && { before: this.#begunAt(compared.before), after: note.at, difference };
        this.#end(session, { ...shownFinished(report, notices), kept: note.at, ...(differs && { compared: differs }) });
    }

    async #beginRestored(session: Session, begun: Promise<{ readonly run: number }>): Promise<void> {
        try {
            const { run } = await begun;
            session.reference = run;
            if (!this.#isCurrent(session)) return this.#close(run);
            const report = this.#early.get(run);
            this.#early.delete(run);
            if (report !== undefined) await this.#finishRestored(session, report);
        } catch (reason) {
            this.#end(session, { kind: 'gone', message: reason instanceof Error ? reason.message : String(reason) });
        }
    }

    #compare(document: Uri, rows: ComparedRows): Session | undefined {
        const files = { before: this.#around.kept.file(rows.before), after: this.#around.kept.file(rows.after) };
        if (files.before === undefined || files.after === undefined) return undefined;
        const session = this.#add(document, {}, true, rows.after, rows);
        void this.#beginRestored(session, this.#around.server.ask('rulelang/compare', { before: files.before, after: files.after }));
        return session;
    }

    #begunAt(rows: string): number {
        return this.#around.history.records().find(record => record.rows === rows)?.at ?? 0;
    }

    async #begin(session: Session, part: RunPart): Promise<void> {
        const { document, predicates, body } = session;
        const complaint = settingComplaint('run.parameters', givenSetting('run.parameters', document));
        if (part.parameters === undefined && complaint !== undefined) {
            this.#around.log.error(`${programName(document)}: ${complaint}`);
            return this.#end(session, { kind: 'refused', message: complaint, setting: true });
        }
        try {
            // The server runs what is open; the program of a restored panel may not be.
            const text = await openProgram(document);
            const { values: parameters, secrets } = await this.#around.parameters.given(document, part.parameters);
            session.parameters = parameters;
            session.secrets = secrets;
            session.version = text.version;
            session.digest = digestOf(text.text);
            const connected = await this.#around.connected(text.text, programName(document));
            if (session.shown.kind !== 'running') return;
            const { run } = await this.#around.server.ask('rulelang/run', {
                uri: document.toString(),
                ...(predicates === undefined ? {} : { predicates }),
                ...(body === undefined ? {} : { body }),
                ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
                ...(part.profiled === undefined ? {} : { profiled: part.profiled }),
                ...(connected.length === 0 ? {} : { connected }),
                ...(session.live !== undefined && { live: session.live }),
            });
            session.reference = run;
            if (!this.#isCurrent(session)) return this.#close(run);
            if (session.shown.kind !== 'running') return;
            const report = this.#early.get(run);
            this.#early.delete(run);
            if (report !== undefined) this.#finish(session, report);
        } catch (reason) {
            const message = reason instanceof Error ? reason.message : String(reason);
            this.#around.log.error(`${programName(document)}: ${message}`);
            if (session.shown.kind === 'running') this.#end(session, { kind: 'refused', message });
        }
    }

    #add(document: Uri, { predicates, body, live }: RunPart, restored: boolean, rows?: string, compared?: ComparedRows): Session {
        if (compared === undefined) this.#remembered.forget(document);
        else void this.#remembered.put({ uri: document.toString(), ...compared });
        const before = this.#sessions.get(document.toString());
        if (before?.shown.kind === 'running') {
            this.#close(before.reference);
            before.end();
            if (!before.restored && before.live !== 'looks')
                this.#around.history.add({ ...before, shown: { kind: 'stopped', milliseconds: Date.now() - before.startedAt } });
        }
        let resolveEnd = (): void => undefined;
        const ended = new Promise<void>(resolve => {
            resolveEnd = resolve;
        });
        const session: Session = {
            document,
            predicates,
            body,
            parameters: {},
            secrets: new Set(),
            serial: ++this.#serials,
            reference: undefined,
            shown: starting(restored ? 'loading' : 'starting'),
            notices: [],
            startedAt: Date.now(),
            stale: false,
            ended,
            end: resolveEnd,
            live: restored || body !== undefined ? undefined : (live ?? (before?.live && 'writes')),
            version: undefined,
            previous: before && previousOf(before),
            digest: undefined,
            restored,
            rows,
            compared,
        };
        this.#sessions.set(document.toString(), session);
        this.#changes.fire(session);
        return session;
    }

    #changed(document: Uri): void {
        const session = this.#sessions.get(document.toString());
        if (session?.version === undefined || session.stale || versionNow(document) === session.version) return;
        if (session.live !== undefined) return;
        session.stale = true;
        this.#changes.fire(session);
    }
}

function previousOf({ shown, serial, reference, previous }: Session): Previous | undefined {
    return shown.kind === 'finished' && reference !== undefined ? { serial, reference } : previous;
}
