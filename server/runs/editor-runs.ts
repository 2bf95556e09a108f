import type { Providers } from '#engine/contracts/providers.ts';
import { say } from '#language/program/say.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import type {
    AskedTarget,
    ComparedRuns,
    GatheredRows,
    KeptRun,
    ProcessEnd,
    ProcessMethod,
    ProcessMethods,
    ProgramRun,
} from '#server/protocol/run-process.ts';
import type { RunEnd, RunProgress } from '#server/protocol/runs.ts';
import { type ChildEnd, type RunChild, startChild } from './run-child.ts';

/** A run, or rows of earlier ones, or those that are given. */
export type EditorRun = ProgramRun | KeptRun | ComparedRuns | GatheredRows;

/** The runs that an editor started, each in a process of its own. */
export interface EditorRuns {
    /** Starts a run and returns its number. */
    start(run: EditorRun): number;
    /** Ends a run that goes on; a finished one keeps its results. */
    stop(run: number): void;
    /** Ends the process of a run. */
    close(run: number): void;
    closeAll(): void;
    /** After the signal aborts, no caller waits for the answer. */
    ask<M extends ProcessMethod>(
        method: M,
        params: Omit<ParamsOf<ProcessMethods, M>, 'run'> & { readonly run: number },
        signal?: AbortSignal,
    ): Promise<ResultOf<ProcessMethods, M>>;
}

/** Reports and figures of a run about places of the program and its modules. */
export type ToldOfText = Pick<ProcessEnd, 'reported' | 'atoms'>;

export interface RunListener {
    progress(progress: RunProgress): void;
    ended(end: RunEnd, about: ToldOfText): void;
    /** Answers the calls of a run. */
    providers(): Promise<Providers>;
    /** Asks whether the program may write a file that is not called like data. */
    mayWrite(run: ProgramRun, target: AskedTarget): Promise<boolean>;
}

/** Processes that live at a time; a further run closes the oldest. */
const PROCESSES = 8;

interface LiveRun {
    readonly child: RunChild;
    evaluates: boolean;
    /** The user is asked whether it may go on. */
    stopAsking?: () => void;
}

export function editorRuns(listener: RunListener): EditorRuns {
    const live = new Map<number, LiveRun>();
    let last = 0;

    const close = (run: number): void => {
        const closed = live.get(run);
        live.delete(run);
        closed?.child.kill();
        closed?.stopAsking?.();
    };

    const begin = (number: number, run: EditorRun, began: number): void => {
        const told = (end: ChildEnd): void => {
            const known = live.get(number);
            if (known !== undefined) known.evaluates = false;
            if (end.outcome !== 'finished') close(number);
            listener.ended(runEnd(number, end, performance.now() - began), 'notices' in end ? end : {});
        };
        const ask = async (asking: ProgramRun, end: ChildEnd, target: AskedTarget): Promise<void> => {
            const own = live.get(number);
            const stopped = new Promise<'stopped'>(resolve => {
                if (own === undefined) resolve('stopped');
                else own.stopAsking = () => resolve('stopped');
            });
            const answer = await Promise.race([listener.mayWrite(asking, target), stopped]);
            if (answer === 'stopped') told({ outcome: 'stopped' });
            else if (!answer) told(end);
            else {
                child.kill();
                begin(number, { ...asking, writeFiles: [...(asking.writeFiles ?? []), target.path] }, began);
            }
        };
        const child = startChild(run, {
            progress: progress => listener.progress({ run: number, ...progress }),
            providers: listener.providers,
        });
        live.set(number, { child, evaluates: true });
        void child.ended.then(({ end }) => {
            const target = 'askedTarget' in end ? end.askedTarget : undefined;
            if (target === undefined || !('text' in run)) told(end);
            else void ask(run, end, target);
        });
        void child.gone.then(() => {
            if (live.get(number)?.child === child) live.delete(number);
        });
    };

    return {
        start: run => {
            const number = ++last;
            begin(number, run, performance.now());
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
        ask: async (method, params, signal) => {
            const asked = live.get(params.run);
            if (asked === undefined) throw new UnknownRun();
            return asked.child.ask(method, params, signal);
        },
    };
}

/** The run was closed, or ended without results. */
export class UnknownRun extends Error {
    constructor() {
        super(say`The results of this run are not kept any more. Run the program again`);
    }
}

function runEnd(run: number, end: ChildEnd, milliseconds: number): RunEnd {
    switch (end.outcome) {
        case 'finished': {
            const { reported: _, atoms: __, ...told } = end;
            return { run, ...told };
        }
        case 'failed': {
            const { reported: _, atoms: __, askedTarget: ___, ...told } = end;
            return { run, ...told };
        }
        case 'stopped':
            return { run, milliseconds: Math.round(milliseconds), notices: [], outcome: end.outcome };
        case 'crashed': {
            const { outcome, message } = end;
            return { run, milliseconds: Math.round(milliseconds), notices: [], outcome, message };
        }
    }
}
