import type { PlanRead, PlanStep } from '../plan/plan.ts';
import type { ClusteredIndex } from '../relations/clustered-index.ts';
import type { Relation } from '../relations/relation.ts';
import { type BatchContext, type BatchStep, compileChecks, livePlaces, nameOfRow, type Places } from './batch-context.ts';
import { firstRow, rowLimit } from './compile-read.ts';
import { relationOf } from './run-context.ts';
import { BATCH_SIZE, choose, gather, keep } from './vectors.ts';

/** A look-up in a table takes as long as entering so many rows into bits. */
const ROWS_PER_LOOKUP = 16;

/** For each of so many matches a row, or a position of a clustered index, that the literal has for it; -1 where there is none. */
type Find = (count: number, found: Int32Array) => void;

/** Writes pairs of a match and a row until there are no more, or there is no room; returns how many. `restart` says how many matches there are. */
interface Pairs {
    restart(count: number): void;
    next(matches: Int32Array, rows: Int32Array): number;
}

/** How a column of what `Find` and `Pairs` give is read. */
type ColumnAt = (column: number) => Int32Array;

/** Goes on with each row that the literal has for a match. */
export function compileBatchRead(step: PlanRead, places: Places, context: BatchContext): BatchStep {
    const { access, literal } = step;
    const { recursive, relation: key } = context.variant.rule.literals[literal]!;
    const relation = relationOf(context.run, key);
    if (access.kind === 'scan') return compilePairs(step, product(relation, step), at => relation.columns[at]!, undefined, places, context);
    const isLookup = step.binds.length + step.checks.length === 0 && !context.neededAfter(step).has(nameOfRow(literal));
    if (access.kind === 'key' && isLookup) return compileBatchLookup(step, true, places, context);
    if (access.kind === 'key') {
        return compileSingle(step, compileFind(step, relation, places, context), at => relation.columns[at]!, undefined, places, context);
    }
    if (access.kind !== 'index') throw new Error(`No batches of '${access.kind}'`);
    const keys = access.variables.map(name => places.get(name)!);
    if (recursive) return compilePairs(step, chains(relation, step, keys), at => relation.columns[at]!, undefined, places, context);
    const index = relation.clustered(access.columns);
    const columnAt: ColumnAt = at => index.column(at);
    if (!index.isUnique) return compilePairs(step, ranges(index, keys, context), columnAt, index, places, context);
    return compileSingle(step, findInCluster(index, keys), columnAt, index, places, context);
}

/** Goes on with the matches for which the literal has a row, or for which it has none. `step` is what the plan has for it. */
export function compileBatchLookup(
    read: PlanRead,
    isPresent: boolean,
    places: Places,
    context: BatchContext,
    step: PlanStep = read,
): BatchStep {
    const { take, run, variant, compileAfter } = context;
    const relation = relationOf(run, variant.rule.literals[read.literal]!.relation);
    const find = compileHas(read, relation, places, context);
    const live = [...livePlaces(step, places, context).values()];
    const [found, chosen] = [take(), take()];
    const next = compileAfter(step, places);
    return count => {
        find(count, found);
        const kept = choose(found, count, isPresent, chosen);
        if (kept === 0) return;
        if (kept < count) keep(live, chosen, kept);
        next(kept);
    };
}

/** A literal that has at most one row for each match. */
function compileSingle(
    step: PlanRead,
    find: Find,
    columnAt: ColumnAt,
    index: ClusteredIndex | undefined,
    places: Places,
    context: BatchContext,
): BatchStep {
    const { take, compileAfter } = context;
    const checked = step.checks.map(({ variable }) => places.get(variable)).filter(vector => vector !== undefined);
    const carried = [...new Set([...livePlaces(step, places, context).values(), ...checked])];
    const [found, chosen] = [take(), take()];
    const read = compileColumns(step, columnAt, index, new Map(places), found, context);
    const next = compileAfter(step, read.places);
    return count => {
        find(count, found);
        let kept = choose(found, count, true, chosen);
        if (kept === 0) return;
        if (kept < count) {
            keep(carried, chosen, kept);
            gather(found, found, chosen, kept);
        }
        kept = read.columns(kept);
        if (kept > 0) next(kept);
    };
}

/** A literal that may have several rows for a match: what is carried on goes to other vectors. */
function compilePairs(
    step: PlanRead,
    pairs: Pairs,
    columnAt: ColumnAt,
    index: ClusteredIndex | undefined,
    places: Places,
    context: BatchContext,
): BatchStep {
    const { take, compileAfter, run } = context;
    const [matches, rows] = [take(), take()];
    const needed = new Set(step.checks.map(({ variable }) => variable));
    const live = livePlaces(step, places, context);
    const after = new Map(places);
    const carried: [from: Int32Array, to: Int32Array][] = [];
    for (const [name, vector] of places) {
        if (!live.has(name) && !needed.has(name)) continue;
        const to = take();
        after.set(name, to);
        carried.push([vector, to]);
    }
    const read = compileColumns(step, columnAt, index, after, rows, context);
    const next = compileAfter(step, read.places);
    const { checkpoint } = run;
    return count => {
        pairs.restart(count);
        for (let found = pairs.next(matches, rows); found > 0; found = pairs.next(matches, rows)) {
            checkpoint.left -= found;
            if (checkpoint.left < 0) checkpoint.check();
            for (const [from, to] of carried) gather(to, from, matches, found);
            const kept = read.columns(found);
            if (kept > 0) next(kept);
        }
    };
}

/** Reads the columns that a literal binds, and keeps the rows that pass its checks. `rows` are those of the matches. */
function compileColumns(
    step: PlanRead,
    columnAt: ColumnAt,
    index: ClusteredIndex | undefined,
    places: Map<string, Int32Array>,
    rows: Int32Array,
    context: BatchContext,
): { places: Places; columns: (count: number) => number } {
    const { take, neededAfter } = context;
    const reads: [column: number, vector: Int32Array][] = step.binds.map(({ column, variable }) => {
        const vector = take();
        places.set(variable, vector);
        return [column, vector];
    });
    const checked = step.checks.map(({ column, variable }) => {
        const vector = take();
        reads.push([column, vector]);
        return [vector, places.get(variable)!] as const;
    });
    const name = nameOfRow(step.literal);
    const rowAt = neededAfter(step).has(name) ? index?.rows : undefined;
    const numbers = neededAfter(step).has(name) ? take() : undefined;
    if (numbers !== undefined) places.set(name, numbers);
    const check = compileChecks(checked, livePlaces(step, places, context).values(), take());
    return {
        places,
        columns: count => {
            for (const [column, vector] of reads) gather(vector, columnAt(column), rows, count);
            if (numbers !== undefined) {
                if (rowAt === undefined) numbers.set(rows);
                else gather(numbers, rowAt, rows, count);
            }
            return check(count);
        },
    };
}

/** All rows for each match. */
function product(relation: Relation, { range }: PlanRead): Pairs {
    let count = 0;
    let match = 0;
    let row = 0;
    return {
        restart: matches => {
            count = matches;
            match = 0;
            row = firstRow(relation, range);
        },
        next: (matches, rows) => {
            const from = firstRow(relation, range);
            const to = rowLimit(relation, range);
            let found = 0;
            while (match < count && found < BATCH_SIZE) {
                const end = Math.min(to, row + BATCH_SIZE - found);
                for (; row < end; row++) {
                    matches[found] = match;
                    rows[found++] = row;
                }
                if (row < to) break;
                row = from;
                match++;
            }
            return found;
        },
    };
}

/** The positions of a clustered index. */
function ranges(index: ClusteredIndex, keys: readonly Int32Array[], { take }: BatchContext): Pairs {
    const [starts, ends] = [take(), take()];
    const locate = locateInCluster(index, keys);
    let count = 0;
    let match = 0;
    return {
        restart: matches => {
            locate(matches, starts, ends);
            count = matches;
            match = 0;
        },
        next: (matches, rows) => {
            let found = 0;
            let i = match;
            for (; i < count; i++) {
                const start = starts[i]!;
                const end = Math.min(ends[i]!, start + BATCH_SIZE - found);
                for (let position = start; position < end; position++) {
                    matches[found] = i;
                    rows[found++] = position;
                }
                if (end < ends[i]!) {
                    starts[i] = end;
                    break;
                }
            }
            match = i;
            return found;
        },
    };
}

/** The chains of an index over rows that get more. */
function chains(relation: Relation, { access, range }: PlanRead, keys: readonly Int32Array[]): Pairs {
    if (access.kind !== 'index') throw new Error('Only an index has chains');
    const index = relation.index(access.columns);
    const [only] = keys as [Int32Array];
    const key = new Int32Array(keys.length);
    const firstOf = (match: number): number => {
        if (keys.length === 1) return index.first1(only[match]!);
        for (let k = 0; k < keys.length; k++) key[k] = keys[k]![match]!;
        return index.first(key);
    };
    let count = 0;
    let match = 0;
    let row = -1;
    return {
        restart: matches => {
            count = matches;
            match = 0;
            row = firstOf(0);
        },
        next: (matches, rows) => {
            const from = firstRow(relation, range);
            const to = rowLimit(relation, range);
            const { next } = index;
            let found = 0;
            while (match < count) {
                for (; row >= from; row = next[row]!) {
                    if (row >= to) continue;
                    if (found === BATCH_SIZE) return found;
                    matches[found] = match;
                    rows[found++] = row;
                }
                if (++match < count) row = firstOf(match);
            }
            return found;
        },
    };
}

/** Looks up the keys that vectors hold. */
export function locateInCluster(
    index: ClusteredIndex,
    keys: readonly Int32Array[],
): (count: number, starts: Int32Array, ends: Int32Array) => void {
    const [only] = keys as [Int32Array];
    if (keys.length === 1) return (count, starts, ends) => index.locateAll(only, 0, count, starts, ends);
    const key = new Int32Array(keys.length);
    return (count, starts, ends) => {
        for (let i = 0; i < count; i++) {
            for (let k = 0; k < key.length; k++) key[k] = keys[k]![i]!;
            starts[i] = index.locate(key);
            ends[i] = index.end;
        }
    };
}

function findInCluster(index: ClusteredIndex, keys: readonly Int32Array[]): Find {
    const [only] = keys as [Int32Array];
    if (keys.length === 1) return (count, found) => index.findAll(only, count, found);
    const key = new Int32Array(keys.length);
    return (count, found) => {
        for (let i = 0; i < count; i++) {
            for (let k = 0; k < key.length; k++) key[k] = keys[k]![i]!;
            const start = index.locate(key);
            found[i] = start < index.end ? start : -1;
        }
    };
}

/** As `compileFind`, where only the sign is read: bits where so much is asked that it pays to make them. */
function compileHas(read: PlanRead, relation: Relation, places: Places, context: BatchContext): Find {
    const { access, literal } = read;
    const find = compileFind(read, relation, places, context);
    if (access.kind !== 'key' || context.variant.rule.literals[literal]!.recursive) return find;
    const [first, second] = access.variables.map(name => places.get(name)!) as [Int32Array, Int32Array?];
    let asked = 0;
    return (count, found) => {
        asked += count;
        const members = asked * ROWS_PER_LOOKUP >= relation.count ? relation.members() : undefined;
        if (members === undefined) find(count, found);
        else members.findAll(first, second, count, found);
    };
}

/** One row for each match; where there may be several, any of them. */
function compileFind({ access, range, literal }: PlanRead, relation: Relation, places: Places, { variant }: BatchContext): Find {
    if (access.kind !== 'index' && access.kind !== 'key') throw new Error(`No row is found by '${access.kind}'`);
    const keys = access.variables.map(name => places.get(name)!);
    const isComplete = !variant.rule.literals[literal]!.recursive;
    if (isComplete && access.kind === 'index') return findInCluster(relation.clustered(access.columns), keys);
    const from = (): number => (isComplete ? 0 : firstRow(relation, range));
    const to = (): number => (isComplete ? relation.count : rowLimit(relation, range));
    const [first, second] = keys as [Int32Array, Int32Array | undefined];
    if (access.kind === 'key' && keys.length === 2) {
        return (count, found) => {
            const [least, most] = [from(), to()];
            for (let i = 0; i < count; i++) {
                const row = relation.findKey2(first[i]!, second![i]!);
                found[i] = row >= least && row < most ? row : -1;
            }
        };
    }
    const key = new Int32Array(keys.length);
    const index = access.kind === 'index' ? relation.index(access.columns) : undefined;
    return (count, found) => {
        const [least, most] = [from(), to()];
        for (let i = 0; i < count; i++) {
            for (let k = 0; k < key.length; k++) key[k] = keys[k]![i]!;
            let row = index === undefined ? relation.findKey(key) : index.first(key);
            while (index !== undefined && row >= most) row = index.next[row]!;
            found[i] = row >= least && row < most ? row : -1;
        }
    };
}
