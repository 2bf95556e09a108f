import { inspect } from 'node:util';
import { TestRunner } from 'vitest';

/** Milliseconds between two looks. */
const BETWEEN = 20;

/**
 * Looks again and again until what it sees is fine, and gives that. It has no end of its own, since nobody knows how long a machine takes
 * that does other things: it ends with its test, and says then what it waited for and what it saw last.
 */
export async function until<T>(what: string, look: () => T | Promise<T>, isFine: (seen: T) => boolean = Boolean): Promise<T> {
    let seen: T | undefined;
    const waiting = beforeTheEnd(() => `${what}; seen last: ${inspect(seen, { depth: 6 })}`);
    try {
        for (;;) {
            seen = await look();
            if (isFine(seen)) return seen;
            waiting.signal?.throwIfAborted();
            await new Promise(resolve => setTimeout(resolve, BETWEEN));
        }
    } finally {
        waiting.isOver();
    }
}

/** What `found` gives. A test that reaches its limit before says what it waited for. */
export async function awaited<T>(what: () => string, found: Promise<T>): Promise<T> {
    const waiting = beforeTheEnd(what);
    try {
        return await found;
    } finally {
        waiting.isOver();
    }
}

/** Says what is waited for when the test at hand reaches its limit; a hook that reaches its limit says nothing. */
function beforeTheEnd(what: () => string): { readonly signal: AbortSignal | undefined; isOver(): void } {
    const signal = TestRunner.getCurrentTest()?.context.signal;
    const tell = (): void => console.error(`It waited for ${what()}`);
    signal?.addEventListener('abort', tell);
    return { signal, isOver: () => signal?.removeEventListener('abort', tell) };
}
