import { functionNames } from '#language/library/function-catalogue.ts';
import { editDistance, foldOf, mostEdits, nearestName } from '#language/library/nearest-name.ts';

interface Candidate {
    readonly name: string;
    /** The letters that occur in the name, one bit each. */
    readonly letters: number;
}

/**
 * The names that an unknown one may be meant for: the defined predicates, then the functions. Of several that are equally
 * near, the first in alphabetical order counts.
 */
export class NameSearch {
    readonly #byLength = new Map<number, Map<string, Candidate>>();
    readonly #byFold = new Map<string, Set<string>>();

    add(name: string): void {
        const sameLength = this.#byLength.get(name.length);
        const candidate = { name, letters: lettersOf(name) };
        if (sameLength === undefined) this.#byLength.set(name.length, new Map([[name, candidate]]));
        else sameLength.set(name, candidate);
        const fold = foldOf(name);
        const sameFold = this.#byFold.get(fold);
        if (sameFold === undefined) this.#byFold.set(fold, new Set([name]));
        else sameFold.add(name);
    }

    delete(name: string): void {
        this.#byLength.get(name.length)?.delete(name);
        const fold = foldOf(name);
        const sameFold = this.#byFold.get(fold);
        sameFold?.delete(name);
        if (sameFold?.size === 0) this.#byFold.delete(fold);
    }

    nearest(name: string): string | undefined {
        return nearestName(name, [...this.#similar(name).sort(), ...functionNames()]);
    }

    /** Whether the second name may be the nearest to the first. */
    isSimilar(name: string, other: string): boolean {
        const edits = mostEdits(name);
        const near = Math.abs(name.length - other.length) <= edits && bitCount(lettersOf(name) ^ lettersOf(other)) <= 2 * edits;
        return near || foldOf(name) === foldOf(other);
    }

    /** Names of which some are the nearest, where any differs by few enough letters. */
    #similar(name: string): string[] {
        const edits = mostEdits(name);
        let fewest = edits;
        const letters = lettersOf(name);
        const found = new Set(this.#byFold.get(foldOf(name)) ?? []);
        for (let length = name.length - edits; length <= name.length + edits; length++) {
            for (const candidate of this.#byLength.get(length)?.values() ?? []) {
                if (bitCount(candidate.letters ^ letters) > 2 * fewest) continue;
                const distance = editDistance(name, candidate.name, fewest + 1);
                if (distance > fewest) continue;
                fewest = distance;
                found.add(candidate.name);
            }
        }
        return [...found];
    }
}

function lettersOf(name: string): number {
    let letters = 0;
    for (let i = 0; i < name.length; i++) letters |= 1 << (name.charCodeAt(i) & 31);
    return letters;
}

function bitCount(bits: number): number {
    const pairs = bits - ((bits >>> 1) & 0x55555555);
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
    return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
