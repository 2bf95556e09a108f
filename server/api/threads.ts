import { Worker } from 'node:worker_threads';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { Caller, Role } from './token.ts';

/** Work in threads beside this one, so that a long text does not keep other callers waiting. */
export interface Threads<Question, Answer> {
    /**
     * One question of a caller is answered at a time; several callers take turns. Fails with `engine_busy` where too many wait already, and
     * with `analysis_timeout` where it takes longer than the caller has, or more memory than a thread.
     */
    ask(question: Question, asker: Asker): Promise<Answer>;
    close(): void;
}

interface Settings<Question> {
    readonly threads: number;
    /** What the threads run; it lies beside this file. */
    readonly program: `./${string}.mjs`;
    /** Whether they go behind this thread and others where cores are busy. */
    readonly yields: boolean;
    /** Milliseconds for one question. */
    readonly longest: Readonly<Record<Role, number>>;
    /** What is read for a question, in a word or two. */
    readonly subject: (question: Question) => string;
}

/** What a thread is told at its start. */
export interface ThreadData {
    readonly yields: boolean;
}

/** Who asks. What waits is forgotten when the client goes away. */
export interface Asker {
    readonly caller: Caller;
    readonly departure: AbortSignal;
}

interface Waiting<Question, Answer> {
    readonly question: Question;
    readonly longest: number;
    resolve(answer: Answer): void;
    reject(error: Error): void;
}

const SECOND = 1000;
/** Megabytes that a thread may use. */
const MOST_MEMORY = 512;
/** Of them, for what is new: long texts are read with half as much collecting of garbage as with the usual 16. */
const YOUNG_MEMORY = 48;
/** Questions that wait, of all callers and of one. */
const MOST_WAITING = 256;
const MOST_OF_ONE = 64;

/** Threads that read, started when there is something to read. */
export function startThreads<Question, Answer>(settings: Settings<Question>): Threads<Question, Answer> {
    const { threads, longest } = settings;
    const readers = Array.from({ length: threads }, () => new Reader<Question, Answer>(settings));
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

/** A thread that answers one question at a time. One that does not come to its end is given up for a new one. */
class Reader<Question, Answer> {
    readonly #settings: Settings<Question>;
    #worker: Worker | undefined;
    #reading: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

    constructor(settings: Settings<Question>) {
        this.#settings = settings;
    }

    get isIdle(): boolean {
        return this.#reading === undefined;
    }

    async answer(question: Question, longest: number): Promise<Answer> {
        const gaveUp = (limit: string): Error => apiError('analysis_timeout', [this.#settings.subject(question), limit]);
        const timer = setTimeout(() => this.end(gaveUp(`longer than ${longest / SECOND} s`)), longest);
        try {
            this.#worker ??= this.#started();
            this.#worker.postMessage(question);
            return await new Promise<Answer>((resolve, reject) => {
                this.#reading = { resolve, reject };
            });
        } catch (error) {
            const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
            throw isMemory ? gaveUp(`more than ${MOST_MEMORY} MB of memory`) : error;
        } finally {
            clearTimeout(timer);
            this.#reading = undefined;
        }
    }

    /** Ends the thread; what it reads fails. */
    end(error: Error): void {
        const worker = this.#worker;
        this.#worker = undefined;
        void worker?.terminate();
        this.#reading?.reject(error);
    }

    #started(): Worker {
        const worker = new Worker(new URL(this.#settings.program, import.meta.url), {
            resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY, maxYoungGenerationSizeMb: YOUNG_MEMORY },
            workerData: { yields: this.#settings.yields } satisfies ThreadData,
        });
        const isCurrent = (): boolean => this.#worker === worker;
        worker.on('message', (answer: Answer) => isCurrent() && this.#reading?.resolve(answer));
        worker.on('error', error => isCurrent() && this.end(error));
        worker.on('exit', code => isCurrent() && this.end(new Error(`the thread that reads texts ended with code ${code}`)));
        return worker;
    }
}
