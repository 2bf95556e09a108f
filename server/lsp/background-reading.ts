import type { ProgramIndex } from '#server/workspace/program-index.ts';

/** Reads the programs of the workspace while nobody asks anything. */
export interface BackgroundReading {
    /** Goes on with whatever is left to read. */
    go(): void;
    /** Ends when nothing is left to read. */
    settled(): Promise<void>;
}

/** Milliseconds of reading between two looks at the requests of the client; one file may take longer. */
const SLICE = 4;

/** `done` hears when all that was asked for has been read. */
export function backgroundReading(index: ProgramIndex, done: () => void, failed: (error: unknown) => void): BackgroundReading {
    let isReading = false;
    let waiting: (() => void)[] = [];
    const turn = (): void => {
        try {
            const until = performance.now() + SLICE;
            while (index.step()) {
                if (performance.now() < until) continue;
                setImmediate(turn);
                return;
            }
        } catch (error) {
            failed(error);
            setImmediate(turn);
            return;
        }
        isReading = false;
        done();
        // What was read may include what has not been read yet.
        if (isReading) return;
        const settled = waiting;
        waiting = [];
        for (const one of settled) one();
    };
    const go = (): void => {
        if (isReading) return;
        isReading = true;
        setImmediate(turn);
    };
    return {
        go,
        settled: () =>
            new Promise(resolve => {
                waiting.push(resolve);
                go();
            }),
    };
}
