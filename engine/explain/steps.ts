/** Steps between two looks at whether the search may go on. */
const BATCH = 1024;

/** Errors by which a checkpoint has ended a search. */
const ends = new WeakSet<object>();

/** How much a search may still look at. Loops over facts take their steps from here, so that limits are seen wherever the search is. */
export class Steps {
    left: number;
    /** Looks whether the search may go on, while a relation makes an index. */
    readonly pause = (): void => this.check();
    readonly #checkpoint: () => void;
    #since = 0;

    /** `checkpoint` ends the search by an error. */
    constructor(left: number, checkpoint: () => void = () => undefined) {
        this.left = left;
        this.#checkpoint = checkpoint;
    }

    /** Takes some steps; tells whether there were enough left. */
    take(count = 1): boolean {
        this.left -= count;
        this.#since += count;
        if (this.#since >= BATCH) {
            this.#since = 0;
            this.check();
        }
        return this.left >= 0;
    }

    check(): void {
        try {
            this.#checkpoint();
        } catch (error) {
            if (error instanceof Error) ends.add(error);
            throw error;
        }
    }

    /** Steps of their own, under the same checkpoint. */
    apart(left: number): Steps {
        return new Steps(left, this.pause);
    }
}

/** Whether an error ends the whole search, not only the computation that met it. */
export function endsSearch(error: unknown): boolean {
    return error instanceof Error && ends.has(error);
}
