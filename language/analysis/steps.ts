/** Work that pauses, so that others get their turn. What it changes is right only once it has ended. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all that is left. */
export function finished<T>(steps: Steps<T>): T {
    for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
    }
}

/** Small things, such as clauses, between two pauses: some milliseconds, where they are looked at for the first time. */
const MANY = 128;

/** Does something with each of the items, and pauses now and then. */
export function* withEach<T>(items: Iterable<T>, work: (item: T) => void): Steps<void> {
    let count = 0;
    for (const item of items) {
        work(item);
        if (++count % MANY === 0) yield;
    }
}
