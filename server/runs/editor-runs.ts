import type { KeptRun, ProcessRequests, ProgramRun, ReportedPlace } from '#server/protocol/run-process.ts';
import type { RunEnd, RunProgress } from '#server/protocol/runs.ts';
import { type ChildEnd, type RunChild, startChild } from './run-child.ts';

/** The runs that an editor started, each in a process of its own. */
export interface EditorRuns {
    /** Starts a run and returns its number. */
    start(run: ProgramRun | KeptRun): number;
    /** Ends a run that goes on; a finished one keeps its results. */
    stop(run: number): void;
    /** Ends the process of a run. */
    close(run: number): void;
    closeAll(): void;
    ask<M extends keyof ProcessRequests>(method: M, params: ProcessRequests[M]['params']): Promise<ProcessRequests[M]['result']>;
}

export interface RunListener {
    progress(progress: RunProgress): void;
    ended(end: RunEnd, reported: readonly ReportedPlace[]): void;
}

/** Processes that live at a time; a further run closes the oldest. */
const PROCESSES = 8;

interface LiveRun {
    readonly child: RunChild;
    evaluates: boolean;
}

export function editorRuns(listener: RunListener): EditorRuns {
    const live = new Map<number, LiveRun>();
    let last = 0;

    const close = (run: number): void => {
        live.get(run)?.child.kill();
        live.delete(run);
    };

    return {
        start: run => {
            const number = ++last;
            const began = performance.now();
            const ended = (end: ChildEnd): void => {
                const known = live.get(number);
                if (known !== undefined) known.evaluates = false;
                if (end.outcome !== 'finished') close(number);
                listener.ended(runEnd(number, end, performance.now() - began), 'reported' in end ? (end.reported ?? []) : []);
            };
            const child = startChild(run, {
                progress: progress => listener.progress({ run: number, ...progress }),
                ended,
                gone: () => live.delete(number),
            });
            live.set(number, { child, evaluates: true });
            for (const oldest of live.keys()) {
                if (live.size <= PROCESSES) break;
                close(oldest);
            }
            return number;
        },
        stop: run => {
            if (live.get(run)?.evaluates) close(run);
        },
        close,
        closeAll: () => {
            for (const run of [...live.keys()]) close(run);
        },
        ask: async (method, params) => {
            const asked = live.get(params.run);
            if (asked === undefined) throw new UnknownRun();
            // The process answers each question with the result that its method promises.
            return (await asked.child.ask({ method, params } as Parameters<RunChild['ask']>[0])) as never;
        },
    };
}

/** The run was closed, or ended without results. */
export class UnknownRun extends Error {
    constructor() {
        super('The results of this run are not kept any more. Run the program again');
    }
}

function runEnd(run: number, end: ChildEnd, milliseconds: number): RunEnd {
    switch (end.outcome) {
        case 'finished':
        case 'failed': {
            const { reported: _, ...told } = end;
            return { run, ...told };
        }
        case 'stopped':
        case 'crashed':
            return { run, milliseconds: Math.round(milliseconds), notices: [], ...end };
    }
}
