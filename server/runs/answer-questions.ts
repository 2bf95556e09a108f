import { RunStopped, stop } from '#engine/reports/reports.ts';
import { Refusal } from '#server/notices/refusal.ts';
import type { Answered, Asking, CallAnswer } from '#server/protocol/run-process.ts';

/** Gives the answers to questions about a run. */
export interface Answers<Q> {
    /** Evaluates what the answer needs. */
    prepare(question: Q): Promise<void>;
    /** Whether `prepare` has done its part. */
    isReady(question: Q): boolean;
    answer(question: Q): unknown;
}

export interface Stops<Q> {
    /** Ends an answer by an error. */
    readonly checkpoint: () => void;
    /** The reason why the evaluation that some questions need has ended; undefined while it goes on. */
    readonly cancelled: (needs: (question: Q) => boolean) => string | undefined;
}

/** The port of a thread. */
export interface QuestionPort<Q> {
    postMessage(message: Answered): void;
    /** Takes the next message that no listener has heard; undefined if the thread can hear it only once its work is done. */
    receive(): Asking<Q> | CallAnswer | undefined;
    on(event: 'message', listener: (message: Asking<Q> | CallAnswer) => void): unknown;
}

/** Milliseconds between two looks for messages. */
const LOOK_EVERY = 20;
/** Answers inside answers. */
const DEEPEST = 3;

/**
 * Answers the questions that come through the port of a thread. During a long answer, it looks now and then for new questions. It answers
 * those that need no further evaluation at once, and ends answers that no caller awaits. `hear` gets the answers to calls of evaluations.
 */
export function answerQuestions<Q>(
    port: QuestionPort<Q>,
    answersOf: (stops: Stops<Q>) => Answers<Q>,
    hear: (answer: CallAnswer) => void = () => undefined,
): void {
    const waiting = new Map<number, Q>();
    /** The questions that are being answered, each in the midst of the one before it. */
    const answering: number[] = [];
    const stopped = new Set<number>();
    let isWorking = false;
    let nextLook = 0;

    const isStopped = (): boolean => {
        const current = answering.at(-1);
        return current !== undefined && stopped.has(current);
    };
    const take = (message: Asking<Q> | CallAnswer): void => {
        const { id } = message;
        if (message.kind === 'called') hear(message);
        else if (message.kind === 'ask') waiting.set(id, message.question);
        else if (!waiting.delete(id) && answering.includes(id)) stopped.add(id);
    };
    const tell = (message: Answered): void => port.postMessage(message);
    const answer = (id: number, question: Q): void => {
        try {
            tell({ kind: 'answer', id, result: answers.answer(question) });
        } catch (error) {
            tell(refusal(id, error));
        }
    };
    /** Takes what has been sent meanwhile, and answers what can be answered now. */
    const look = (): void => {
        const now = performance.now();
        if (now < nextLook) return;
        nextLook = now + LOOK_EVERY;
        for (let next = port.receive(); next !== undefined; next = port.receive()) take(next);
        for (const [id, question] of waiting) {
            if (answering.length >= DEEPEST) return;
            if (!answers.isReady(question)) continue;
            waiting.delete(id);
            answering.push(id);
            try {
                answer(id, question);
            } finally {
                answering.pop();
                stopped.delete(id);
            }
        }
    };
    const work = async (): Promise<void> => {
        if (isWorking) return;
        isWorking = true;
        for (const [id, question] of waiting) {
            waiting.delete(id);
            answering.push(id);
            try {
                await answers.prepare(question);
                answer(id, question);
            } catch (error) {
                tell(refusal(id, error));
            } finally {
                answering.pop();
                stopped.delete(id);
            }
        }
        isWorking = false;
    };

    const answers = answersOf({
        checkpoint: () => {
            look();
            if (isStopped()) stop('RT032', {}, 'you');
        },
        // An evaluation that another question needs as well goes on.
        cancelled: needs => {
            look();
            return isStopped() && ![...waiting.values()].some(needs) ? 'you' : undefined;
        },
    });
    port.on('message', (message: Asking<Q> | CallAnswer) => {
        take(message);
        void work();
    });
}

function refusal(id: number, error: unknown): Answered {
    if (error instanceof Refusal) return { kind: 'refused', id, message: error.message };
    if (error instanceof RunStopped) return { kind: 'refused', id, message: error.report.message };
    throw error;
}
