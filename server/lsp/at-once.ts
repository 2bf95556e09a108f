import { setTimeout } from 'node:timers/promises';

/** Milliseconds for which a pointer or a key waits for what a run has to say. */
const WAIT = 300;

/** An answer, unless it takes longer than a user waits here. */
export async function atOnce<T>(answer: Promise<T>): Promise<T | undefined> {
    const waiting = new AbortController();
    const late = setTimeout(WAIT, undefined, waiting).catch(() => undefined);
    const first = await Promise.race([answer, late]);
    waiting.abort();
    return first;
}
