import type { FollowedBlock, FollowWork } from '../contracts/team.ts';
import { clusterRows } from '../relations/cluster-rows.ts';
import type { ClusteredIndex } from '../relations/clustered-index.ts';
import { copyRanges, lengthOf } from '../relations/index-ranges.ts';
import { SourceSet } from '../relations/source-set.ts';
import { grownInts, unlimitedMemory } from '../values/memory.ts';

/** Values that are followed at a time. */
const BATCH = 256;

/** How many blocks there are. */
export function followBlocks({ starts, block }: FollowWork): number {
    return Math.ceil((starts.length - 1) / block);
}

/** Follows sources, block by block. The rows of a source come in the order in which `runPartsBySource` has them. */
export class SourceFollower {
    readonly #work: FollowWork;
    readonly #rules: readonly { readonly index: ClusteredIndex; readonly column: Int32Array }[];
    readonly #memory = unlimitedMemory();
    readonly #set = new SourceSet(this.#memory);
    readonly #seen: Int32Array;
    /** The values found so far for the sources of the block. */
    #found: Int32Array = new Int32Array(1 << 12);
    #met: Int32Array = new Int32Array(BATCH);
    readonly #from = new Int32Array(BATCH);
    readonly #to = new Int32Array(BATCH);

    constructor(work: FollowWork) {
        this.#work = work;
        this.#rules = work.rules.map(columns => {
            const index = clusterRows({ columns, memory: this.#memory }, [0], columns[0].length);
            return { index, column: index.column(1) };
        });
        this.#seen = new Int32Array(work.rules.length);
    }

    follow(block: number): FollowedBlock {
        const { starts, block: size, counts: onlyCounts } = this.#work;
        const from = block * size;
        const to = Math.min(starts.length - 1, from + size);
        const counts = new Int32Array(to - from);
        let count = 0;
        for (let source = from; source < to; source++) {
            const first = onlyCounts ? 0 : count;
            count = this.#followOne(source, first);
            counts[source - from] = count - first;
        }
        return { counts, values: this.#found.slice(0, onlyCounts ? 0 : count) };
    }

    /** Puts what follows from a source into the found values from `first` on; returns where they end. */
    #followOne(source: number, first: number): number {
        const { values, starts } = this.#work;
        const seen = this.#seen;
        let count = this.#add(values, starts[source]!, starts[source + 1]!, first);
        seen.fill(first);
        for (let isDone = false; !isDone; ) {
            isDone = true;
            for (let rule = 0; rule < seen.length; rule++) {
                if (seen[rule] === count) continue;
                isDone = false;
                for (let row = seen[rule]!; row < count; ) {
                    const end = Math.min(count, row + BATCH);
                    const met = this.#meet(rule, row, end);
                    count = this.#add(this.#met, 0, met, count);
                    row = end;
                }
                seen[rule] = count;
            }
        }
        this.#set.clear(this.#found, first, count);
        return count;
    }

    #add(values: Int32Array, from: number, to: number, count: number): number {
        while (count + to - from > this.#found.length) this.#found = grownInts(this.#memory, this.#found, this.#found.length * 2);
        return count + this.#set.addAll(0, 0, values, from, to, this.#found, count);
    }

    /** Collects what a rule finds for the values from `from` to `to`; returns how much that is. */
    #meet(rule: number, from: number, to: number): number {
        const { index, column } = this.#rules[rule]!;
        const count = to - from;
        index.locateAll(this.#found, from, to, this.#from, this.#to);
        const length = lengthOf(this.#from, this.#to, count);
        if (length > this.#met.length) this.#met = new Int32Array(2 * length);
        copyRanges(column, this.#from, this.#to, count, this.#met);
        return length;
    }
}
