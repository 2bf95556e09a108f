import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { RunStopped, stop } from '#engine/reports.ts';
import type { ExplainingInput, ExplainingQuestion, FromExplaining, ToExplaining } from '#server/protocol/explaining.ts';
import { Refusal } from './refusal.ts';
import { runExplanations } from './run-explanations.ts';

/**
 * The thread that explains the facts of a run. Where an answer takes long, it looks now and then for what was asked meanwhile: it gives
 * answers that need no further evaluation at once, in the midst of the long one, and ends what nobody waits for.
 */
const port = parentPort;
if (port === null) throw new Error('this is no thread');

/** Milliseconds between two looks for messages. */
const LOOK_EVERY = 20;
/** Answers inside answers. */
const DEEPEST = 3;

const waiting = new Map<number, ExplainingQuestion>();
/** The questions that are being answered, each in the midst of the one before it. */
const answering: number[] = [];
const stopped = new Set<number>();
let isWorking = false;
let nextLook = 0;

const explanations = runExplanations(workerData as ExplainingInput, {
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

port.on('message', (message: ToExplaining) => {
    take(message);
    void work();
});

function isStopped(): boolean {
    const current = answering.at(-1);
    return current !== undefined && stopped.has(current);
}

function take(message: ToExplaining): void {
    const { id } = message;
    if (message.kind === 'ask') waiting.set(id, message.question);
    else if (!waiting.delete(id) && answering.includes(id)) stopped.add(id);
}

async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (const [id, question] of waiting) {
        waiting.delete(id);
        answering.push(id);
        try {
            await explanations.prepare(question);
            tell({ kind: 'answer', id, result: explanations.answer(question) });
        } catch (error) {
            tell(refusal(id, error));
        } finally {
            answering.pop();
            stopped.delete(id);
        }
    }
    isWorking = false;
}

/** Takes what has been sent meanwhile, and answers what can be answered now. */
function look(): void {
    const now = performance.now();
    if (now < nextLook) return;
    nextLook = now + LOOK_EVERY;
    for (let next = receive(); next !== undefined; next = receive()) take(next);
    for (const [id, question] of waiting) {
        if (answering.length >= DEEPEST) return;
        if (!explanations.isReady(question)) continue;
        waiting.delete(id);
        answering.push(id);
        try {
            tell({ kind: 'answer', id, result: explanations.answer(question) });
        } catch (error) {
            tell(refusal(id, error));
        } finally {
            answering.pop();
            stopped.delete(id);
        }
    }
}

function receive(): ToExplaining | undefined {
    return port === null ? undefined : (receiveMessageOnPort(port)?.message as ToExplaining | undefined);
}

function refusal(id: number, error: unknown): FromExplaining {
    if (error instanceof Refusal) return { kind: 'refused', id, message: error.message };
    if (error instanceof RunStopped) return { kind: 'refused', id, message: error.report.message };
    throw error;
}

function tell(message: FromExplaining): void {
    port?.postMessage(message);
}
