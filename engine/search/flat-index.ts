import { cosineOfUnits, unitVector } from './unit-vector.ts';

/** A row of an index and how near its vector is: the cosine of the angle between it and the one that was asked for, 1 for the same direction. */
export interface Neighbour {
    readonly row: number;
    readonly score: number;
}

/** Rows between two looks at whether the run has to end. */
const LOOK_EVERY = 1024;

/** Vectors of one length, all of which a search compares, so that its result is exact. */
export class FlatIndex {
    readonly #dimensions: number;
    /** The vectors at length 1, one after the other. */
    readonly #vectors: Float64Array;

    /** `vectorOf` gives the vector of each row, all of them of this many dimensions. */
    constructor(rows: number, dimensions: number, vectorOf: (row: number) => ArrayLike<number>) {
        this.#dimensions = dimensions;
        this.#vectors = new Float64Array(rows * dimensions);
        for (let row = 0; row < rows; row++) this.#vectors.set(unitVector(vectorOf(row)), row * dimensions);
    }

    /** Bytes of an index. */
    static bytesFor(rows: number, dimensions: number): number {
        return rows * dimensions * Float64Array.BYTES_PER_ELEMENT;
    }

    /** The nearest rows, best first; of rows that are equally near those come first that `order` puts first. `look` is called often. */
    nearest(vector: ArrayLike<number>, limit: number, order: (a: number, b: number) => number, look: () => void): Neighbour[] {
        const asked = unitVector(vector);
        const rows = this.#dimensions === 0 ? 0 : this.#vectors.length / this.#dimensions;
        const scores = new Float64Array(rows);
        for (let row = 0; row < rows; row++) {
            if (row % LOOK_EVERY === 0) look();
            scores[row] = cosineOfUnits(asked, this.#vectors, row * this.#dimensions);
        }
        const least = scores.slice().sort()[Math.max(0, rows - limit)] ?? 0;
        const found: Neighbour[] = [];
        for (let row = 0; row < rows; row++) if (scores[row]! >= least) found.push({ row, score: scores[row]! });
        return found.sort((a, b) => b.score - a.score || order(a.row, b.row)).slice(0, limit);
    }
}
