import type { Program } from '#language/program/program.ts';
import { type ClausePlace, comparePlaces } from '#language/program/span.ts';

export type ComparePlaces = (a: ClausePlace, b: ClausePlace) => number;

/** The order of the clauses of a program: its own file first, then its modules in the order in which they are included. */
export class FileOrder {
    #ranks: ReadonlyMap<string, number> = new Map();

    follow({ file, inclusion }: Program): void {
        const modules = inclusion?.modules ?? [];
        this.#ranks = modules.length === 0 ? NO_RANKS : new Map([file, ...modules.map(module => module.file)].map((name, i) => [name, i]));
    }

    readonly compare: ComparePlaces = (a, b) => {
        if (a.file === b.file) return a.offset - b.offset;
        const [first, second] = [this.#ranks.get(a.file), this.#ranks.get(b.file)];
        return first === undefined || second === undefined ? comparePlaces(a, b) : first - second;
    };
}

const NO_RANKS: ReadonlyMap<string, number> = new Map();
