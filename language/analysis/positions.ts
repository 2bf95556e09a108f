import type { PredicateKey } from '#language/program/analysed-program.ts';

/** A column of a predicate. */
export interface Position {
    readonly predicate: PredicateKey;
    /** Zero-based. */
    readonly column: number;
}

/** Gives positions small numbers, from zero, in the order in which they are asked for. */
export class PositionNumbers {
    readonly #numbers = new Map<PredicateKey, number[]>();
    readonly #positions: Position[] = [];

    get size(): number {
        return this.#positions.length;
    }

    number(predicate: PredicateKey, column: number): number {
        let columns = this.#numbers.get(predicate);
        if (columns === undefined) {
            columns = [];
            this.#numbers.set(predicate, columns);
        }
        let number = columns[column];
        if (number === undefined) {
            number = this.#positions.push({ predicate, column }) - 1;
            columns[column] = number;
        }
        return number;
    }

    /** The number of a position that was asked for before. */
    known(predicate: PredicateKey, column: number): number | undefined {
        return this.#numbers.get(predicate)?.[column];
    }

    position(number: number): Position | undefined {
        return this.#positions[number];
    }
}
