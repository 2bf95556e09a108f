import type { RunProgress } from '#server/protocol/runs.ts';
import type { ChildHost } from './run-child.ts';

/** Why an evaluation did not come to its end. */
export type Cancellation = 'stopped' | 'disconnected' | 'shutting-down';

/** Too many evaluations wait already. */
export class LanesFull extends Error {}

/** The evaluation was cancelled while it waited or ran. */
export class Cancelled extends Error {
    readonly reason: Cancellation;

    constructor(reason: Cancellation) {
        super(reason);
        this.reason = reason;
    }
}

/** The concept of an evaluation, if it is one. */
export interface LaneSubject {
    readonly scope: 'user' | 'organization';
    readonly projectId: string;
    readonly concept: string;
    readonly purpose: 'run' | 'explanation';
}

/** How far an evaluation of a concept is, with all that the concept depends on. */
export interface LaneProgress extends Omit<RunProgress, 'run'> {
    /** The concept that is evaluated now; its number, from 1, among so many. */
    readonly concept: string;
    readonly step: number;
    readonly steps: number;
}

/** An evaluation that runs or waits. */
export interface LaneEntry {
    readonly state: 'running' | 'waiting';
    /** Milliseconds since 1970, when it came into this state. */
    readonly since: number;
    readonly subject: LaneSubject | undefined;
    /** As it was told last. */
    readonly progress: LaneProgress | undefined;
}

/** Signals and messages of work in a lane. */
export interface LaneTurn {
    readonly signal: AbortSignal;
    /** It is done but for handing over what it found: only its caller can still end it. */
    settle(): void;
    /** Its lane is free for others. */
    release(): void;
    tell(progress: LaneProgress): void;
}

/** Evaluations in lanes: one at a time in each, few at a time in all, the others wait in the order of their arrival. */
export interface Lanes {
    /** Runs work when its turn comes. The work ends soon after its signal is aborted, with a `Cancelled`. */
    run<T>(lane: string, work: (turn: LaneTurn) => Promise<T>, caller: AbortSignal, subject?: LaneSubject): Promise<T>;
    /** Cancels everything that waits, or runs and is not settled, and gives how much that was. */
    cancelAll(reason: Cancellation): number;
    /** Whether work in this lane would start at once. */
    isFree(lane: string): boolean;
    readonly running: number;
    readonly waiting: number;
    /** Running evaluations, and then waiting ones in the order of their turns. */
    readonly entries: readonly LaneEntry[];
}

interface Entry {
    readonly lane: string;
    readonly subject: LaneSubject | undefined;
    since: number;
    readonly abort: AbortController;
    readonly start: () => void;
    isSettled: boolean;
    progress: LaneProgress | undefined;
}

/** Tells in a lane how far a chain of concepts is, from what its process says. */
export function stepTeller(steps: readonly { readonly concept: string }[], tell: LaneTurn['tell']): NonNullable<ChildHost['progress']> {
    return (progress, step = 0) => {
        const concept = steps[step]?.concept;
        if (concept !== undefined) tell({ ...progress, concept, step: step + 1, steps: steps.length });
    };
}

export function lanes({ parallel, mostWaiting }: { readonly parallel: number; readonly mostWaiting: number }): Lanes {
    const running = new Set<Entry>();
    const waiting = new Set<Entry>();
    const isBusy = (lane: string): boolean => running.size >= parallel || [...running].some(entry => entry.lane === lane);

    const startNext = (): void => {
        for (const entry of waiting) {
            if (running.size >= parallel) return;
            if (isBusy(entry.lane)) continue;
            waiting.delete(entry);
            running.add(entry);
            entry.since = Date.now();
            entry.start();
        }
    };

    const turn = (lane: string, abort: AbortController, subject: LaneSubject | undefined): Promise<Entry> =>
        new Promise((resolve, reject) => {
            const entry: Entry = {
                lane,
                subject,
                since: Date.now(),
                abort,
                start: () => resolve(entry),
                isSettled: false,
                progress: undefined,
            };
            waiting.add(entry);
            abort.signal.addEventListener('abort', () => {
                if (waiting.delete(entry)) reject(abort.signal.reason);
            });
            startNext();
        });

    return {
        run: async (lane, work, caller, subject) => {
            const abort = new AbortController();
            const leave = (): void => abort.abort(new Cancelled('disconnected'));
            if (caller.aborted) throw new Cancelled('disconnected');
            if (isBusy(lane) && waiting.size >= mostWaiting) throw new LanesFull();
            caller.addEventListener('abort', leave);
            try {
                const entry = await turn(lane, abort, subject);
                const release = (): void => {
                    if (running.delete(entry)) startNext();
                };
                const settle = (): void => {
                    entry.isSettled = true;
                };
                const tell = (progress: LaneProgress): void => {
                    entry.progress = progress;
                };
                try {
                    return await work({ signal: abort.signal, settle, release, tell });
                } finally {
                    release();
                }
            } finally {
                caller.removeEventListener('abort', leave);
            }
        },
        cancelAll: reason => {
            const all = [...running, ...waiting].filter(({ abort, isSettled }) => !isSettled && !abort.signal.aborted);
            for (const { abort } of all) abort.abort(new Cancelled(reason));
            return all.length;
        },
        isFree: lane => !isBusy(lane),
        get running() {
            return running.size;
        },
        get waiting() {
            return waiting.size;
        },
        get entries() {
            const inState = (of: ReadonlySet<Entry>, state: LaneEntry['state']): LaneEntry[] =>
                Array.from(of, ({ since, subject, progress }) => ({ state, since, subject, progress }));
            return [...inState(running, 'running'), ...inState(waiting, 'waiting')];
        },
    };
}
