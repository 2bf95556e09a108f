import type { Relation } from '../relations/relation.ts';
import { grownInts, type Memory } from '../values/memory.ts';

/** A set of derivation trees by number: `t` > 0 is tree t alone, a negative number several trees, 0 a tree without a number yet. */
export type TreeSetId = number;

/** A fact without a parent is the root of a tree, which gets its number when something grows on it. */
export const UNNUMBERED: TreeSetId = 0;

/** The trees that parents make of facts (D-29), over all strata of a run. */
export class TreeSets {
    readonly #memory: Memory;
    #trees = 0;
    /** The trees of all sets of several, one after another; those of set -1 - s are from #starts[s] to #starts[s + 1]. */
    #members: Int32Array = new Int32Array(64);
    #starts: Int32Array = new Int32Array(64);
    #count = 0;
    readonly #single = new Int32Array(1);

    constructor(memory: Memory) {
        this.#memory = memory;
        memory.reserve(this.#members.byteLength + this.#starts.byteLength);
    }

    newTree(): TreeSetId {
        return ++this.#trees;
    }

    /** The trees of a row, which is numbered as a root if it has none. */
    ofRow(relation: Relation, row: number): TreeSetId {
        const known = relation.notes.trees?.[row] ?? UNNUMBERED;
        if (known !== UNNUMBERED) return known;
        const tree = this.newTree();
        relation.notes.setTrees(row, tree);
        return tree;
    }

    /** Lets a row, which is the same fact as another one now, belong to the trees of both. */
    unite(relation: Relation, row: number, other: number): void {
        relation.notes.setTrees(row, this.union([this.ofRow(relation, row), this.ofRow(relation, other)]));
    }

    /** The trees of a set, valid until the next call. */
    treesOf(set: TreeSetId): Int32Array {
        if (set < 0) return this.#members.subarray(this.#starts[-1 - set]!, this.#starts[-set]!);
        this.#single[0] = set;
        return this.#single;
    }

    union(sets: readonly TreeSetId[]): TreeSetId {
        const [first = UNNUMBERED] = sets;
        if (sets.every(set => set === first)) return first;
        const trees = new Set<number>();
        for (const set of sets) for (const tree of this.treesOf(set)) trees.add(tree);
        const start = this.#starts[this.#count]!;
        const end = start + trees.size;
        if (end > this.#members.length) this.#members = grownInts(this.#memory, this.#members, 2 * end);
        if (this.#count + 2 > this.#starts.length) this.#starts = grownInts(this.#memory, this.#starts, 2 * this.#starts.length);
        this.#members.set([...trees], start);
        this.#count++;
        this.#starts[this.#count] = end;
        return -this.#count;
    }
}
