import type { ProvidedArguments, ProvidedReply } from '../../contracts/providers.ts';
import type { RunOptions } from '../../contracts/run-options.ts';

/** Values that functions ask of a run besides their arguments (6.1, the functions marked †). */
export interface Surroundings {
    /** A whole number, uniform in [0, 2^32). */
    readonly word: () => number;
    /** 0, 1, 2 and so on, one for each call. */
    readonly nextId: () => number;
    /** The instant that counts as the present of the whole run, in microseconds since 1970. */
    readonly now: bigint;
    /** Replies of the host to calls of a function; undefined if it answers none. */
    readonly provided: KnownReplies;
}

export type KnownReplies = (name: string) => ((args: ProvidedArguments) => ProvidedReply) | undefined;

/** Fresh surroundings for one run; with a seed the random numbers are the same every time. */
export function surroundings(
    { seed, now = Date.now }: Pick<RunOptions, 'seed' | 'now'> = {},
    provided: KnownReplies = () => undefined,
): Surroundings {
    let ids = 0;
    let words: (() => number) | undefined;
    return {
        word: () => {
            words ??= randomWords(seed === undefined ? crypto.getRandomValues(new Uint32Array(4)) : spread(seed));
            return words();
        },
        nextId: () => ids++,
        now: BigInt(Math.floor(now())) * 1000n,
        provided,
    };
}

/** Fresh surroundings of a run that took an instant for its present, in microseconds since 1970; the real one where absent. */
export function surroundingsAt(now: bigint | undefined): Surroundings {
    return now === undefined ? surroundings() : { ...surroundings(), now };
}

/** A double, uniform over the multiples of 2^-53 in [0, 1). */
export function randomFraction(word: () => number): number {
    return ((word() >>> 5) * 0x4000000 + (word() >>> 6)) / 0x20000000000000;
}

/** A whole number, uniform in [0, end), for an end of up to 2^53. */
export function randomBelow(end: number, word: () => number): number {
    const limit = Math.floor(Number.MAX_SAFE_INTEGER / end) * end;
    for (;;) {
        const candidate = (word() & 0x1fffff) * 0x100000000 + word();
        if (candidate < limit) return candidate % end;
    }
}

/** sfc32, the small fast chaotic generator of Chris Doty-Humphrey (PractRand), which passes its author's tests. */
function randomWords(state: Uint32Array): () => number {
    const [a = 0, b = 0, c = 0, counter = 0] = state;
    const words = Int32Array.of(a, b, c, counter);
    const next = (): number => {
        const sum = (words[0]! + words[1]! + words[3]!) | 0;
        words[3] = words[3]! + 1;
        words[0] = words[1]! ^ (words[1]! >>> 9);
        words[1] = words[2]! + (words[2]! << 3);
        words[2] = ((words[2]! << 21) | (words[2]! >>> 11)) + sum;
        return sum >>> 0;
    };
    for (let i = 0; i < 12; i++) next();
    return next;
}

/** The words of a seed, by the finalizer of MurmurHash3, so that seeds that are near give states that are not. */
function spread(seed: number): Uint32Array {
    const halves = new Uint32Array(Float64Array.of(seed).buffer);
    let state = (halves[0]! ^ Math.imul(halves[1]!, 0x9e3779b1)) | 0;
    return Uint32Array.from({ length: 4 }, () => {
        state = (state + 0x9e3779b9) | 0;
        let word = state;
        word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
        word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
        return (word ^ (word >>> 16)) >>> 0;
    });
}
