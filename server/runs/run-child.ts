import type { ChildProcess } from 'node:child_process';
import { NO_PROVIDERS, type Providers } from '#engine/contracts/providers.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { ProcessEnded, Refusal } from '#server/notices/refusal.ts';
import { type ChildDeath, onDeath } from '#server/processes/child-death.ts';
import { ChildProcesses } from '#server/processes/child-processes.ts';
import { lengthenWait } from '#server/processes/lengthen-wait.ts';
import { removeTemporary, residentBytes } from '#server/processes/process-memory.ts';
import { LAST } from '#server/processes/yield-priority.ts';
import type { ChainProgress } from '#server/protocol/chain-run.ts';
import type { AskRun } from '#server/protocol/methods.ts';
import type { RunEffects } from '#server/protocol/run-difference.ts';
import {
    type AnyRun,
    type FileAnswer,
    type FromProcess,
    isFromProcess,
    type ProcessEnd,
    type ProcessMethods,
    type ProcessQuestion,
    type ProvidedCalls,
    type ToProcess,
    type Unanswered,
} from '#server/protocol/run-process.ts';
import type { RunProgress } from '#server/protocol/runs.ts';
import { answerCalls } from './relayed-calls.ts';

/** How the evaluation in a process ended, seen from outside. */
export type ChildEnd = ProcessEnd | { readonly outcome: 'stopped' } | Crash;

interface Crash {
    readonly outcome: 'crashed';
    readonly message: string;
    /** The place of the failure, for a log; absent if the process exceeded a limit. */
    readonly defect?: string;
}

export interface EndedChild {
    readonly end: ChildEnd;
    readonly chain: ChainProgress | undefined;
    /** Of queries that were tried. */
    readonly unanswered: readonly Unanswered[] | undefined;
    /** Of a query over files. */
    readonly answer: FileAnswer | undefined;
    /** Of a search for what makes a difference. */
    readonly effects: RunEffects | undefined;
}

/** The process of one run, seen from the language server. */
export interface RunChild {
    readonly ask: AskRun<ProcessMethods>;
    /** How the evaluation has ended, whatever ended it. */
    readonly ended: Promise<EndedChild>;
    /** Once the process is gone. */
    readonly gone: Promise<void>;
    /** Ends the process at once, whatever it is doing, and removes what it was writing. */
    kill(): void;
}

const WATCH_EVERY = 50;
const MEGABYTE = 1024 * 1024;
/** Beside the facts that the engine counts: code, the program, results on their way. */
const OWN_MEMORY = 300 * MEGABYTE;
/** The factor by which the engine may underestimate its memory before its process is killed. */
const TOLERANCE = 1.15;
/** The engine sees its deadline first, also where it gets little of a busy machine. */
const LATE = 3000;
/** For which a process waits for a run. */
const LONGEST_WAIT = 60_000;

const PROCESSES = new ChildProcesses({ file: new URL('./run-process.mjs', import.meta.url), priority: LAST, longestWait: LONGEST_WAIT });

/** Messages and questions of a run to the process that started it. */
export interface ChildHost {
    /** `step` is the number of the step in a chain, from 0. */
    readonly progress?: (progress: Omit<RunProgress, 'run'>, step: number | undefined) => void;
    /** Answers the calls of its programs; asked for with the first of them. None are answered where absent. */
    readonly providers?: () => Providers | Promise<Providers>;
}

/** Starts a process and the run or the chain of runs in it. */
export function startChild(run: AnyRun, host: ChildHost = {}): RunChild {
    const settings = { heapMegabytes: heapMegabytes(run), secrets: 'secrets' in run ? (run.secrets ?? []) : [] };
    const child = new Child(PROCESSES.start(settings), run, host);
    void child.ended.then(({ end }) => end.outcome === 'finished' && PROCESSES.prepare(settings));
    return child;
}

/** Most memory of a run is outside the heap; values that are objects are inside. */
function heapMegabytes({ limits }: Pick<AnyRun, 'limits'>): number {
    return Math.ceil((limits.maxMemory + OWN_MEMORY) / MEGABYTE);
}

interface Waiting {
    readonly resolve: (result: unknown) => void;
    readonly reject: (error: Error) => void;
}

class Child implements RunChild {
    readonly #child: ChildProcess;
    readonly #host: ChildHost;
    #providers: Promise<Providers> | undefined;
    #tellEnd: (ended: EndedChild) => void = () => undefined;
    #tellGone: () => void = () => undefined;
    readonly ended = new Promise<EndedChild>(resolve => {
        this.#tellEnd = resolve;
    });
    readonly gone = new Promise<void>(resolve => {
        this.#tellGone = resolve;
    });
    readonly #waiting = new Map<number, Waiting>();
    readonly #temporaries = new Set<string>();
    readonly #watch: NodeJS.Timeout;
    readonly #limit: number;
    readonly #latest: number;
    #asked = 0;
    #isEvaluating = true;
    #isGone = false;
    #defect: string | undefined;
    /** Why we killed it; undefined when it went by itself. */
    #verdict: Crash | 'stopped' | undefined;

    constructor(child: ChildProcess, run: AnyRun, host: ChildHost) {
        this.#child = child;
        this.#host = host;
        this.#limit = run.limits.maxMemory * TOLERANCE + OWN_MEMORY;
        this.#latest =
            run.limits.timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + run.limits.timeout + lengthenWait(LATE);
        this.#watch = setInterval(() => this.#look(), WATCH_EVERY);
        child.on('message', message => this.#hear(message));
        child.on('error', error => {
            const message = say`The run process could not be started: ${error.message}`;
            this.#gone({ outcome: 'crashed', message, defect: message });
        });
        // What it said before it went names the temporary files to remove.
        onDeath(child, death => this.#gone(crashOf(death)));
        this.#tell({ kind: 'start', run });
    }

    readonly ask: AskRun<ProcessMethods> = (method, params, signal) => {
        const id = ++this.#asked;
        // The process has one run, whatever others call it.
        const question = { method, params: { ...params, run: 0 } } as unknown as ProcessQuestion;
        return new Promise((resolve, reject) => {
            // It answers each question with the result that its method promises.
            this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
            signal?.addEventListener('abort', () => {
                if (this.#settle(id) === undefined) return;
                this.#tell({ kind: 'stop', id });
                reject(new Refusal(say`Nobody waits for this answer any more`));
            });
            this.#tell({ kind: 'ask', id, question });
        });
    };

    kill(): void {
        this.#kill('stopped');
    }

    #kill(verdict: Crash | 'stopped'): void {
        this.#verdict ??= verdict;
        this.#child.kill('SIGKILL');
    }

    #tell(message: ToProcess): void {
        // A process that is gone hears nothing; its exit answers all who wait.
        if (this.#child.connected) this.#child.send(message, () => undefined);
        else if (this.#isGone) this.#refuseAll();
    }

    /** Of a process that was killed, only what it left behind is of interest. */
    #hear(message: unknown): void {
        if (isFromProcess(message)) {
            if (this.#verdict === undefined || message.kind === 'temporary') this.#take(message);
        } else if (this.#verdict === undefined) {
            const told = say`The run process sent something that nobody understands`;
            this.#kill({ outcome: 'crashed', message: told, defect: told });
        }
    }

    #take(message: FromProcess): void {
        switch (message.kind) {
            case 'progress':
                if (this.#isEvaluating) this.#host.progress?.(message.progress, message.step);
                return;
            case 'temporary':
                if (message.exists) this.#temporaries.add(message.path);
                else this.#temporaries.delete(message.path);
                return;
            case 'call':
                void this.#answer(message);
                return;
            case 'ended':
                this.#end(message);
                return;
            case 'answer':
                this.#settle(message.id)?.resolve(message.result);
                return;
            case 'refused':
                this.#settle(message.id)?.reject(new Refusal(message.message));
                return;
        }
    }

    async #answer(calls: ProvidedCalls): Promise<void> {
        try {
            this.#providers ??= Promise.resolve(this.#host.providers?.() ?? NO_PROVIDERS);
            this.#tell(await answerCalls(await this.#providers, calls, () => this.#refuseWhenGone()));
        } catch (error) {
            const message = say`The calls of a run failed inside`;
            const defect = error instanceof Error ? (error.stack ?? error.message) : String(error);
            this.#kill({ outcome: 'crashed', message, defect });
        }
    }

    #refuseWhenGone(): void {
        if (this.#isGone || this.#verdict !== undefined) throw new ProcessEnded(undefined);
    }

    #settle(id: number): Waiting | undefined {
        const waiting = this.#waiting.get(id);
        this.#waiting.delete(id);
        return waiting;
    }

    #end({ end, chain, unanswered, answer, effects }: Pick<EndedChild, 'end'> & Partial<EndedChild>): void {
        if (!this.#isEvaluating) return;
        this.#isEvaluating = false;
        this.#tellEnd({ end, chain, unanswered, answer, effects });
    }

    #look(): void {
        const bytes = this.#child.pid === undefined ? undefined : residentBytes(this.#child.pid);
        if (bytes !== undefined && bytes > this.#limit) {
            const allowed = countText(Math.round(this.#limit / MEGABYTE));
            this.#kill({ outcome: 'crashed', message: say`The run process was ended because it held more than ${allowed} MB of memory` });
        } else if (this.#isEvaluating && performance.now() > this.#latest)
            this.#kill({ outcome: 'crashed', message: say`The run process was ended because its time was over` });
    }

    #gone(crash: Crash): void {
        if (this.#isGone) return;
        this.#isGone = true;
        if (this.#verdict !== 'stopped') this.#defect = (this.#verdict ?? crash).defect;
        clearInterval(this.#watch);
        for (const path of this.#temporaries) removeTemporary(path);
        this.#end({ end: this.#verdict === 'stopped' ? { outcome: 'stopped' } : (this.#verdict ?? crash) });
        this.#refuseAll();
        this.#tellGone();
    }

    #refuseAll(): void {
        for (const { reject } of this.#waiting.values()) reject(new ProcessEnded(this.#defect));
        this.#waiting.clear();
    }
}

function crashOf({ by, ranOutOfMemory, frames }: ChildDeath): Crash {
    if (ranOutOfMemory) return { outcome: 'crashed', message: say`The run process used up its memory` };
    const message =
        typeof by === 'number' ? say`The run process failed inside and ended with code ${by}` : say`The run process was ended by ${by}`;
    return { outcome: 'crashed', message, defect: [message, ...frames].join(' | ') };
}
