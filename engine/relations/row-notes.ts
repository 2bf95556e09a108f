import { grownInts, type Memory } from '../values/memory.ts';
import type { NotesOfRows, SourceFile } from './rows.ts';

/** Notes on the rows of a relation besides their values. Each kind has an array from the first note on. */
export class RowNotes implements NotesOfRows {
    lines?: Int32Array;
    sources?: Int32Array;
    readonly sourceFiles: SourceFile[] = [];
    facts?: Int32Array;
    heights?: Int32Array;
    /** The derivation trees that each row belongs to, where they are kept: a set of `TreeSets`, 0 for a tree without a number. */
    trees?: Int32Array;
    rewrites?: Int32Array;
    readonly #memory: Memory;
    readonly #capacity: () => number;

    /** `capacity` is how many rows the relation has room for. */
    constructor(memory: Memory, capacity: () => number) {
        this.#memory = memory;
        this.#capacity = capacity;
    }

    get bytes(): number {
        return this.#arrays().reduce((sum, array) => sum + array.byteLength, 0);
    }

    /** Whether something is known of single rows, so that they must keep their order. */
    get areOfRows(): boolean {
        return (this.lines ?? this.facts ?? this.trees ?? this.rewrites) !== undefined;
    }

    /** The number of a source, which is entered if it is new. */
    sourceNumber(file: SourceFile): number {
        const { name, bind, counts } = file;
        const known = this.sourceFiles.findLastIndex(one => one.name === name && one.bind === bind && one.counts === counts);
        return known < 0 ? this.sourceFiles.push(file) - 1 : known;
    }

    /** Notes that the rows from `from` to `to` have lines of one of the sources in `sourceFiles` that follow one another from `line`. */
    setLines(from: number, to: number, line: number, source: number): void {
        this.lines = this.#beside(this.lines);
        for (let row = from; row < to; row++) this.lines[row] = line + row - from;
        if (source === 0) return;
        this.sources = this.#beside(this.sources);
        this.sources.fill(source, from, to);
    }

    /** Notes that a row is the fact of this number, from 1, of the program. */
    setFact(row: number, fact: number): void {
        this.facts = this.#beside(this.facts);
        this.facts[row] = fact;
    }

    /** Gives the rows from `from` to `to` this height. */
    setHeights(from: number, to: number, height: number): void {
        this.heights = this.#beside(this.heights);
        this.heights.fill(height, from, to);
    }

    /** Notes the merge that gave a row its values, by its number from 1. */
    setRewrite(row: number, merge: number): void {
        this.rewrites = this.#beside(this.rewrites);
        this.rewrites[row] = merge;
    }

    setTrees(row: number, trees: number): void {
        this.trees = this.#beside(this.trees);
        this.trees[row] = trees;
    }

    /** Notes of a new row what is known of another one that has become it: where it came from, and its trees. */
    copy(from: number, to: number): void {
        const line = this.lines?.[from] ?? 0;
        if (line > 0) this.setLines(to, to + 1, line, this.sources?.[from] ?? 0);
        const fact = this.facts?.[from] ?? 0;
        if (fact > 0) this.setFact(to, fact);
        if (this.trees !== undefined) this.setTrees(to, this.trees[from] ?? 0);
    }

    /** Has `move` put the entries of each array where those of the columns were put. */
    moveAll(move: (array: Int32Array) => void): void {
        for (const name of ['lines', 'sources', 'facts', 'heights', 'trees', 'rewrites'] as const) {
            const array = this[name];
            if (array === undefined) continue;
            this[name] = this.#beside(array);
            move(this[name]);
        }
    }

    #arrays(): Int32Array[] {
        const { lines, sources, facts, heights, trees, rewrites } = this;
        return [lines, sources, facts, heights, trees, rewrites].filter(array => array !== undefined);
    }

    /** The array with an entry for each row that the relation has room for. */
    #beside(array: Int32Array | undefined): Int32Array {
        const capacity = this.#capacity();
        return array !== undefined && array.length >= capacity ? array : grownInts(this.#memory, array ?? new Int32Array(0), capacity);
    }
}
