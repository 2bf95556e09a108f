/** Milliseconds for which one piece of work goes on before others get their turn. */
const LONGEST = 8;

/** The turn of a piece of work on the only thread that serves: it looks now and then whether that is over, and lets others come in. */
export class Turn {
    #began = performance.now();

    get isOver(): boolean {
        return performance.now() - this.#began > LONGEST;
    }

    /** Ends when the next turn begins. */
    async next(): Promise<void> {
        await new Promise(setImmediate);
        this.#began = performance.now();
    }
}

/** Maps many values, in as many turns as it takes. */
export async function inTurns<T, R>(values: readonly T[], make: (value: T) => R): Promise<R[]> {
    const made: R[] = [];
    const turn = new Turn();
    for (const value of values) {
        made.push(make(value));
        if (turn.isOver) await turn.next();
    }
    return made;
}
