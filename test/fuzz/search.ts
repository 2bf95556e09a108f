/** Cases that seeds determine, and what must hold for each. */
export interface Search<Found = unknown> {
    readonly name: string;
    /** The case of a seed, in most searches a program. */
    text(seed: number): string;
    /** Throws where something is wrong; undefined where the text is no case, as a program with errors. All chance in it comes from the seed. */
    check(text: string, seed: number): Promise<Found | undefined> | Found | undefined;
}

/** What is wrong with a case: how it is tried again, and the case itself. */
export class FoundFault extends Error {
    constructor(
        { name }: Search,
        readonly seed: number,
        readonly text: string,
        cause: unknown,
    ) {
        const why = cause instanceof Error ? cause.message : String(cause);
        super(`${name}, seed ${seed} (npm run fuzz -- --only ${name} --seed ${seed} --minutes 0)\n${text}\n\n${why}`, { cause });
    }
}

/** Tries the case of a seed. */
async function tried<Found>(search: Search<Found>, seed: number, text: string): Promise<Found | undefined> {
    try {
        return await search.check(text, seed);
    } catch (error) {
        throw new FoundFault(search, seed, text, error);
    }
}

/** Tries cases from a seed on until so many were some; gives what was found of each. */
export async function searched<Found>(search: Search<Found>, firstSeed: number, cases: number): Promise<Found[]> {
    const all: Found[] = [];
    for (let seed = firstSeed; all.length < cases; seed++) {
        const found = await tried(search, seed, search.text(seed));
        if (found !== undefined) all.push(found);
    }
    return all;
}

/** Tries that shrinking a case may take. */
const MOST_TRIES = 400;

/** The same fault with as few lines of the case as are found. */
export async function shrunk(search: Search, fault: FoundFault): Promise<FoundFault> {
    let smallest = fault;
    let tries = 0;
    for (let size = Math.ceil(linesOf(fault).length / 2); size > 0 && tries < MOST_TRIES; ) {
        let isSmaller = false;
        for (let at = 0; at < linesOf(smallest).length && tries < MOST_TRIES; tries++) {
            const lines = linesOf(smallest).filter((_, line) => line < at || line >= at + size);
            const found = await tried(search, fault.seed, lines.join('\n')).catch((error: FoundFault) => error);
            if (found instanceof FoundFault) {
                smallest = found;
                isSmaller = true;
            } else at += size;
        }
        if (size > 1 || !isSmaller) size >>= 1;
    }
    return smallest;
}

function linesOf({ text }: FoundFault): string[] {
    return text.split('\n');
}
