import { type Disposable, l10n, type TextDocument, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { notebookAt, programOf } from '#extension/host/notebook-cells.ts';
import { type OpenProgram, versionNow } from '#extension/host/open-program.ts';
import type { ShownLive, ShownRun } from '#extension/webviews/results/messages.ts';
import { shownNotice } from '#extension/webviews/results/shown-run.ts';
import type { Followed } from '#server/protocol/runs.ts';
import type { RunSession } from './runs.ts';

type Finished = Extract<ShownRun, { readonly kind: 'finished' }>;

/** A run whose rows follow the edits of its program. */
export interface LiveSession extends RunSession {
    shown: ShownRun;
    notices: RunSession['notices'];
    live: RunSession['live'];
    /** Of the text that the rows are those of. */
    version: OpenProgram['version'] | undefined;
}

export interface LiveRuns {
    /** Has the rows of a run that has just finished follow edits from now on. */
    begin(session: LiveSession): void;
}

interface Surroundings {
    readonly server: Server;
    readonly sessions: () => Iterable<LiveSession>;
    readonly changed: (session: LiveSession) => void;
    readonly subscriptions: Disposable[];
}

/** Milliseconds after the last key, after which rows follow. */
const PAUSE = 50;
/** After which typing has rested, so that marks begin anew. */
const REST = 2000;

interface Following {
    /** When the rows that are shown came. */
    at: number;
    isUnderWay: boolean;
    isAskedAgain: boolean;
    rested: boolean;
    timer: ReturnType<typeof setTimeout> | undefined;
}

/** Has the rows of live runs follow edits: one update at a time for each of them, and the newest text with it. */
export function createLiveRuns({ server, sessions, changed, subscriptions }: Surroundings): LiveRuns {
    const following = new WeakMap<LiveSession, Following>();
    let lastChange = 0;

    const show = (session: LiveSession, shown: Finished): void => {
        session.shown = shown;
        changed(session);
    };
    const take = (session: LiveSession, followed: Followed, version: OpenProgram['version'] | undefined, state: Following): void => {
        const { shown } = session;
        if (shown.kind !== 'finished') return;
        if (followed.kind !== 'rows') {
            show(session, { ...shown, live: keptLive(followed, state.at) });
            return;
        }
        const { outputs, facts } = followed;
        const notices = followed.notices.map(shownNotice);
        session.version = version;
        session.notices = notices;
        state.at = Date.now();
        show(session, { ...shown, outputs, facts, notices, live: { kind: 'follows' }, followed: (shown.followed ?? 0) + 1 });
    };
    const follow = async (session: LiveSession, state: Following): Promise<void> => {
        if (state.isUnderWay) {
            state.isAskedAgain = true;
            return;
        }
        const { reference } = session;
        if (!isFollowed(session) || reference === undefined) return;
        state.isUnderWay = true;
        const { rested } = state;
        state.rested = false;
        const version = versionNow(session.document);
        try {
            const followed = await server.ask('rulelang/follow', { run: reference, rested });
            if (isFollowed(session)) take(session, followed, version, state);
        } catch (reason) {
            const why = reason instanceof Error ? reason.message : String(reason);
            if (session.shown.kind === 'finished' && isFollowed(session)) show(session, { ...session.shown, live: { kind: 'off', why } });
        } finally {
            state.isUnderWay = false;
            const again = state.isAskedAgain;
            state.isAskedAgain = false;
            if (again) void follow(session, state);
        }
    };
    const soon = (session: LiveSession): void => {
        const state = following.get(session);
        if (state === undefined || !isFollowed(session)) return;
        clearTimeout(state.timer);
        state.timer = setTimeout(() => void follow(session, state), PAUSE);
    };
    const changedNow = (): void => {
        const hasRested = Date.now() - lastChange > REST;
        lastChange = Date.now();
        for (const session of sessions()) {
            const state = following.get(session);
            if (state !== undefined && hasRested) state.rested = true;
            // Others may be included.
            soon(session);
        }
    };
    subscriptions.push(
        workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
            if (isOfProgram(document) && contentChanges.length > 0) changedNow();
        }),
        workspace.onDidChangeNotebookDocument(({ contentChanges }) => {
            if (contentChanges.length > 0) changedNow();
        }),
    );
    return {
        begin(session) {
            following.set(session, { at: Date.now(), isUnderWay: false, isAskedAgain: false, rested: true, timer: undefined });
            // The text may have changed while it was evaluated.
            if (versionNow(session.document) !== session.version) soon(session);
        },
    };
}

/** Whether the rows of a run that has ended follow edits. */
function isFollowed(session: LiveSession): boolean {
    const { live, shown } = session;
    return live !== undefined && shown.kind === 'finished' && shown.live !== undefined && shown.live.kind !== 'off';
}

/** The run as one whose rows do not follow edits; what they made of the rows is not told any more. */
export function withoutLive({ live: _, ...shown }: Finished): Finished {
    return shown;
}

/** Whether a text is that of a program, or a cell of one. */
function isOfProgram(document: TextDocument): boolean {
    return document.languageId === 'rulelang' || notebookAt(programOf(document)) !== undefined;
}

/** Why the rows are those of before. */
function keptLive(followed: Exclude<Followed, { readonly kind: 'rows' }>, at: number): ShownLive {
    if (followed.kind === 'held') return { ...followed, at };
    const [error] = followed.notices.filter(({ severity }) => severity === 'error');
    const line = error?.range?.start.line;
    return {
        kind: 'error',
        why: error?.message ?? l10n.t('The program has an error'),
        ...(line !== undefined && { line: line + 1 }),
        at,
    };
}
