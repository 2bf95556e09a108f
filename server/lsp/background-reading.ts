import type { Documents } from '#server/workspace/documents.ts';
import { inSlices } from './turns.ts';

/** Reads the programs of the workspace in idle time, and then finds the names in them. */
export interface BackgroundReading {
    /** Goes on with whatever is left to read. */
    go(): void;
    /** Ends when nothing is left to read, also of what is included by what was read last. */
    settled(): Promise<void>;
    /** Ends when the names in all that was read are found too: what speaks of every file must not leave one out. */
    named(): Promise<void>;
}

/** `done` hears when all that was asked for has been read. */
export function backgroundReading(
    documents: Pick<Documents, 'index' | 'indexNames' | 'stepIncluding'>,
    done: () => void,
    failed: (error: unknown) => void,
): BackgroundReading {
    let isReading = false;
    let isRead = true;
    let waiting: (() => void)[] = [];
    let waitingForNames: (() => void)[] = [];
    const step = (): boolean => {
        if (documents.index.step()) {
            isRead = false;
            return true;
        }
        if (!isRead) {
            isRead = true;
            done();
            return true;
        }
        if (waiting.length + waitingForNames.length > 0) {
            // What was read may include what has not been read yet, of which the index hears where that is found out.
            if (documents.stepIncluding()) return true;
            if (documents.index.step()) {
                isRead = false;
                return true;
            }
        }
        const settled = waiting;
        waiting = [];
        for (const one of settled) one();
        if (documents.indexNames()) return true;
        const named = waitingForNames;
        waitingForNames = [];
        for (const one of named) one();
        return false;
    };
    /** A listener for the last step may ask for more at once. */
    const next = (): boolean => {
        try {
            isReading = step();
        } catch (error) {
            failed(error);
        }
        return isReading;
    };
    const go = (): void => {
        if (isReading) return;
        isReading = true;
        void inSlices(next, true);
    };
    return {
        go,
        settled: () =>
            new Promise(resolve => {
                waiting.push(resolve);
                go();
            }),
        named: () =>
            new Promise(resolve => {
                waitingForNames.push(resolve);
                go();
            }),
    };
}
