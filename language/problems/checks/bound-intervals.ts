import { type Comparison, compareOrdered, type OrderedConstant } from './constant-order.ts';

/** A comparison of a variable with a constant, the variable on the left. */
interface Bound {
    readonly operator: Comparison;
    readonly constant: OrderedConstant;
}

/** The first bounds, by position, that contradict one before them, and the first other one that says all that it says. */
interface Related {
    /** Stands before it, and no value satisfies both. */
    readonly contradicting?: number | undefined;
    /** Every value that satisfies this one satisfies it. Of two that say the same, the first does. */
    readonly implying?: number | undefined;
}

/**
 * The interval that a bound allows, in whole numbers with the order of the constants: 3r for the constant of rank r, and one less or more
 * for the values right beside it. A bound with `!=` allows all but `low`, which equals `high`.
 */
interface Range {
    readonly low: number;
    readonly high: number;
    readonly excludes: boolean;
}

/**
 * Finds how bounds of one variable by constants of one class are related, in n log n for all of them: instead of pairs it compares each
 * with those that begin later, or end earlier, than all before them.
 */
export function firstRelated(bounds: readonly Bound[]): (position: number) => Related {
    const ranges = rangesOf(bounds);
    const beginning = new Staircase();
    const ending = new Staircase();
    const exact = new Map<number, number>();
    const excluding = new Map<number, number>();
    for (const [i, { low, high, excludes }] of ranges.entries()) {
        const single = excludes ? excluding : exact;
        if (low === high && !single.has(low)) single.set(low, i);
        if (excludes) continue;
        beginning.add(low, i);
        ending.add(-high, i);
    }
    const from = (key: number): number => beginning.firstFrom(key);
    const upTo = (key: number): number => ending.firstFrom(-key);
    const outside = (low: number, high: number): number => Math.min(from(high + 1), upTo(low - 1));
    const at = (singles: ReadonlyMap<number, number>, key: number): number => singles.get(key) ?? NOWHERE;

    const contradicting = ({ low, high, excludes }: Range): number => {
        if (excludes) return at(exact, low);
        return low === high ? Math.min(outside(low, high), at(excluding, low)) : outside(low, high);
    };
    /** Bounds that say the same are among them, and the bound itself. */
    const implying = ({ low, high, excludes }: Range): number => {
        if (excludes) return Math.min(at(excluding, low), outside(low, high));
        if (low === high) return at(exact, low);
        return high === Infinity ? from(low) : upTo(high);
    };
    const sayingMore = ({ low, high, excludes }: Range): number => {
        if (excludes) return outside(low, high);
        if (low === high) return NOWHERE;
        return high === Infinity ? Math.min(from(low + 1), at(exact, low)) : Math.min(upTo(high - 1), at(exact, high));
    };
    return position => {
        const range = ranges[position] as Range;
        const other = contradicting(range);
        if (other < position) return { contradicting: other };
        const earlier = implying(range);
        const found = earlier < position ? earlier : sayingMore(range);
        return found === NOWHERE ? {} : { implying: found };
    };
}

const NOWHERE = Infinity;

function rangesOf(bounds: readonly Bound[]): Range[] {
    const sorted = Array.from(bounds.keys()).sort((a, b) => compareOrdered(constantAt(bounds, a), constantAt(bounds, b)));
    const ranges = new Array<Range>(bounds.length);
    let key = 0;
    for (const [rank, position] of sorted.entries()) {
        if (rank > 0 && compareOrdered(constantAt(bounds, sorted[rank - 1] as number), constantAt(bounds, position)) < 0) key += 3;
        ranges[position] = rangeOf((bounds[position] as Bound).operator, key);
    }
    return ranges;
}

function constantAt(bounds: readonly Bound[], position: number): OrderedConstant {
    return (bounds[position] as Bound).constant;
}

function rangeOf(operator: Comparison, key: number): Range {
    switch (operator) {
        case '==':
        case '!=':
            return { low: key, high: key, excludes: operator === '!=' };
        case '>':
            return { low: key + 1, high: Infinity, excludes: false };
        case '>=':
            return { low: key, high: Infinity, excludes: false };
        case '<':
            return { low: -Infinity, high: key - 1, excludes: false };
        case '<=':
            return { low: -Infinity, high: key, excludes: false };
    }
}

/** The keys that are greater than all before them: the first key from some number on is among these. */
class Staircase {
    readonly #keys: number[] = [];
    readonly #positions: number[] = [];

    add(key: number, position: number): void {
        if (key <= (this.#keys.at(-1) ?? -Infinity)) return;
        this.#keys.push(key);
        this.#positions.push(position);
    }

    /** The position of the first key that is at least this one. */
    firstFrom(key: number): number {
        let [low, high] = [0, this.#keys.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((this.#keys[middle] as number) < key) low = middle + 1;
            else high = middle;
        }
        return this.#positions[low] ?? NOWHERE;
    }
}
