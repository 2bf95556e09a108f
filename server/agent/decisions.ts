import { randomUUID } from 'node:crypto';

/** The decision of a user about a proposal. */
export type Decision = { readonly kind: 'accept'; readonly code?: string } | { readonly kind: 'reject' };

/** Proposals that wait for a user. */
export interface Decisions {
    /** Begins to wait for a decision. Without one in time the proposal counts as rejected. */
    ask(session: string, signal: AbortSignal): { readonly id: string; readonly decided: Promise<Decision> };
    /** False where none of that id waits in the session. */
    decide(session: string, id: string, decision: Decision): boolean;
}

/** Milliseconds. */
const PATIENCE = 600_000;

export function decisions(patience = PATIENCE): Decisions {
    const waiting = new Map<string, (decision: Decision) => void>();
    const keyOf = (session: string, id: string): string => JSON.stringify([session, id]);
    return {
        ask: (session, signal) => {
            const id = randomUUID();
            const key = keyOf(session, id);
            const decided = new Promise<Decision>(resolve => {
                const reject = (): void => settle({ kind: 'reject' });
                const timer = setTimeout(reject, patience);
                const settle = (decision: Decision): void => {
                    clearTimeout(timer);
                    signal.removeEventListener('abort', reject);
                    waiting.delete(key);
                    resolve(decision);
                };
                waiting.set(key, settle);
                if (signal.aborted) reject();
                else signal.addEventListener('abort', reject);
            });
            return { id, decided };
        },
        decide: (session, id, decision) => {
            const settle = waiting.get(keyOf(session, id));
            settle?.(decision);
            return settle !== undefined;
        },
    };
}
