import type { ChildProcess } from 'node:child_process';
import { type ChildDeath, onDeath } from '#server/processes/child-death.ts';
import type { ChildProcesses, ProcessSettings } from '#server/processes/child-processes.ts';
import { residentBytes } from '#server/processes/process-memory.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { Caller, Role } from './token.ts';
import type { FromWorker } from './worker-process.ts';

/** Work in processes beside this one, so that a long text does not keep other callers waiting, and ends nothing else with its process. */
export interface Workers<Question, Answer> {
    /**
     * One question of a caller is answered at a time; several callers take turns. Fails with `engine_busy` where too many wait already, and
     * with `analysis_timeout` where it takes longer than the caller has, or more memory than a process.
     */
    ask(question: Question, asker: Asker): Promise<Answer>;
    close(): void;
}

interface Settings<Question> {
    readonly count: number;
    readonly processes: ChildProcesses;
    /** Whether a process waits for the one that is needed next. */
    readonly isPrepared: boolean;
    /** Milliseconds for one question. */
    readonly longest: Readonly<Record<Role, number>>;
    /** Names the subject of a question, in a word or two. */
    readonly subject: (question: Question) => string;
}

/** The caller of a question. A waiting question is dropped when the client goes away. */
export interface Asker {
    readonly caller: Caller;
    readonly departure: AbortSignal;
}

interface Waiting<Question, Answer> {
    readonly question: Question;
    readonly longest: number;
    resolve(answer: Answer): void;
    reject(error: unknown): void;
}

const SECOND = 1000;
const MEGABYTE = 1024 * 1024;
/** Megabytes that a process may use. */
const MOST_MEMORY = 512;
export const WORKER_SETTINGS: ProcessSettings = { heapMegabytes: MOST_MEMORY, secrets: [] };
/** Bytes that the system may count, with code and what is outside the heap. */
const MOST_RESIDENT = (MOST_MEMORY + 300) * MEGABYTE;
const TOO_MUCH_MEMORY = `more than ${MOST_MEMORY} MB of memory`;
/** Exit signals of V8 and of system libraries that get no memory. */
const ABORTED: ReadonlySet<unknown> = new Set(['SIGABRT', 134]);
/** A process that holds more after an answer is not kept for the next question. */
const MOST_KEPT = 300 * MEGABYTE;
/** Milliseconds. */
const WATCH_EVERY = 50;
/** For which a process waits for the next question. */
const LONGEST_REST = 60_000;
/** Questions that wait, of all callers and of one. */
const MOST_WAITING = 256;
const MOST_OF_ONE = 64;

/** Processes that read, started when there is something to read. */
export function startWorkers<Question, Answer>(settings: Settings<Question>): Workers<Question, Answer> {
    const { count: most, longest } = settings;
    const readers = Array.from({ length: most }, () => new Reader<Question, Answer>(settings));
    /** By caller; the one whose turn is next comes first. */
    const waiting = new Map<string, Waiting<Question, Answer>[]>();
    const answered = new Set<string>();
    let isClosed = false;

    const goLast = (caller: string): void => {
        const questions = waiting.get(caller);
        if (questions === undefined) return;
        waiting.delete(caller);
        waiting.set(caller, questions);
    };
    const startNext = (): void => {
        for (const [caller, questions] of waiting) {
            const reader = readers.find(({ isIdle }) => isIdle);
            if (reader === undefined) return;
            if (answered.has(caller)) continue;
            const next = questions.shift() as Waiting<Question, Answer>;
            if (questions.length === 0) waiting.delete(caller);
            answered.add(caller);
            void reader
                .answer(next.question, next.longest)
                .then(next.resolve, next.reject)
                .finally(() => {
                    answered.delete(caller);
                    goLast(caller);
                    startNext();
                });
        }
    };

    return {
        ask: (question, { caller: { organization, username, role }, departure }) =>
            new Promise((resolve, reject) => {
                if (isClosed) throw apiError('shutting_down', []);
                const caller = `${organization}/${username}/${role}`;
                const own = waiting.get(caller) ?? [];
                const count = [...waiting.values()].reduce((sum, questions) => sum + questions.length, 0);
                if (own.length >= MOST_OF_ONE || count >= MOST_WAITING)
                    throw apiError('engine_busy', [], { headers: { 'Retry-After': '1' } });
                const leave = (): void => {
                    const left = (waiting.get(caller) ?? []).filter(other => other !== entry);
                    if (left.length > 0) waiting.set(caller, left);
                    else waiting.delete(caller);
                    reject(apiError('evaluation_stopped', []));
                };
                const stay = (): void => departure.removeEventListener('abort', leave);
                const entry: Waiting<Question, Answer> = {
                    question,
                    longest: longest[role],
                    resolve: answer => {
                        stay();
                        resolve(answer);
                    },
                    reject: error => {
                        stay();
                        reject(error);
                    },
                };
                waiting.set(caller, [...own, entry]);
                departure.addEventListener('abort', leave);
                startNext();
            }),
        close: () => {
            isClosed = true;
            for (const { reject } of [...waiting.values()].flat()) reject(apiError('shutting_down', []));
            waiting.clear();
            for (const reader of readers) reader.end(apiError('shutting_down', []));
        },
    };
}

/** A process that answers one question at a time. One that does not come to its end is given up for a new one. */
class Reader<Question, Answer> {
    readonly #settings: Settings<Question>;
    #process: ChildProcess | undefined;
    #reading: { readonly question: Question; resolve(answer: Answer): void; reject(error: unknown): void } | undefined;
    #rest: NodeJS.Timeout | undefined;

    constructor(settings: Settings<Question>) {
        this.#settings = settings;
    }

    get isIdle(): boolean {
        return this.#reading === undefined;
    }

    async answer(question: Question, longest: number): Promise<Answer> {
        const timer = setTimeout(() => this.#giveUp(`longer than ${longest / SECOND} s`), longest);
        const watch = setInterval(() => this.#holdsMore(MOST_RESIDENT) && this.#giveUp(TOO_MUCH_MEMORY), WATCH_EVERY);
        clearTimeout(this.#rest);
        try {
            return await new Promise<Answer>((resolve, reject) => {
                this.#reading = { question, resolve, reject };
                this.#process ??= this.#started();
                // `onDeath` reports the end of a process that hears nothing.
                this.#process.send(question as object, () => undefined);
            });
        } finally {
            clearTimeout(timer);
            clearInterval(watch);
            this.#reading = undefined;
            if (this.#process !== undefined) this.#keep();
        }
    }

    /** Ends the process; what it reads fails. */
    end(error: unknown): void {
        const process = this.#process;
        this.#process = undefined;
        process?.kill('SIGKILL');
        this.#reading?.reject(error);
    }

    #giveUp(limit: string): void {
        if (this.#reading !== undefined) this.end(apiError('analysis_timeout', [this.#settings.subject(this.#reading.question), limit]));
    }

    /** Lets the process wait for the next question, for a while, unless it has grown. */
    #keep(): void {
        const leave = (): void => this.end(undefined);
        if (this.#holdsMore(MOST_KEPT)) leave();
        else this.#rest = setTimeout(leave, LONGEST_REST).unref();
        if (this.#settings.isPrepared) this.#settings.processes.prepare(WORKER_SETTINGS);
    }

    #holdsMore(bytes: number): boolean {
        return (residentBytes(this.#process?.pid ?? 0) ?? 0) > bytes;
    }

    #started(): ChildProcess {
        const process = this.#settings.processes.start(WORKER_SETTINGS);
        const isCurrent = (): boolean => this.#process === process;
        process.on('message', (told: FromWorker<Answer>) => {
            if (!isCurrent()) return;
            if (told.kind === 'answered') this.#reading?.resolve(told.answer);
            else this.end(told.error);
        });
        process.on('error', error => isCurrent() && this.end(error));
        // One that dies while idle is never asked; `onDeath` reports it.
        process.on('exit', () => isCurrent() && this.isIdle && this.end(undefined));
        onDeath(process, death => isCurrent() && this.#died(death));
        return process;
    }

    #died({ by, ranOutOfMemory, frames }: ChildDeath): void {
        if (ranOutOfMemory || ABORTED.has(by)) this.#giveUp(TOO_MUCH_MEMORY);
        this.end(new Error([`the process that reads texts was ended by ${by}`, ...frames].join(' | ')));
    }
}
