import type { FollowWork } from '../contracts/team.ts';
import type { PartwiseRelation } from '../relations/partwise-relation.ts';
import type { Relation } from '../relations/relation.ts';
import { grownInts } from '../values/memory.ts';
import type { Groups } from './groups.ts';

/** A part should make about so many rows: few enough for the cache, and enough for what a round costs. */
const ROWS_PER_PART = 8192;
const SOURCES_PER_CHECK = 1024;
const LEAST_STARTS = 1024;

/** A stratum with nothing in its relations, to be evaluated part by part. */
export interface PartwiseStratum {
    /** The values that pass unchanged through the recursion: one column, whose delta holds the values of a part. */
    readonly values: Relation;
    readonly relations: readonly PartwiseRelation[];
    readonly groups: ReadonlyMap<Relation, Groups>;
    /** Says how far the evaluation is, and ends it where it must end. */
    readonly check: () => void;
}

/** Evaluates one part after another by rounds; returns the number of rounds of the longest one. */
export function runPartsByRounds({ values, relations, groups, check }: PartwiseStratum, runRounds: () => number): number {
    const rowCount = (): number => relations.reduce((sum, { relation }) => sum + relation.count, 0);
    let rounds = 0;
    let size = 16;
    for (values.to = 0; values.to < values.count; ) {
        values.from = values.to;
        values.to = Math.min(values.count, values.from + size);
        check();
        for (const part of relations) {
            groups.get(part.relation)?.startPart(part.forgets);
            part.startPart();
        }
        const before = rowCount();
        rounds = Math.max(rounds, runRounds());
        const added = rowCount() - before;
        if (added < ROWS_PER_PART / 2) size *= 2;
        else if (added > ROWS_PER_PART * 2 && size > 1) size >>= 1;
    }
    return rounds;
}

/**
 * As `runPartsByRounds` for one relation of pairs, whose source column is that of the parts: each value is a part of its
 * own, and there are no rounds. Each row is the delta of each rule once, in whatever order, which is all that rules with
 * one recursive literal need. The closure of a chain of 2,000 edges takes 0.14 s, where rounds took
 * 0.35 s. It ends before the source at which `isEnough`, of rows and sources so far, and returns the number of that one.
 */
export function runPartsBySource(
    { values, relations, check }: PartwiseStratum,
    starts: readonly (() => void)[],
    variants: readonly (() => void)[],
    isEnough: (rows: number, sources: number) => boolean = () => false,
): number {
    const [filled] = relations as [PartwiseRelation];
    const { relation } = filled;
    const seen = new Int32Array(variants.length);
    let next = 0;
    for (let source = 0; source < values.count; source++) {
        if (relation.count + source >= next) {
            check();
            next += ROWS_PER_PART;
        }
        if (isEnough(relation.count + relation.forgotten, source)) return source;
        startSource(source, values, filled, starts);
        seen.fill(filled.first);
        relation.isLive = true;
        for (let isDone = false; !isDone; ) {
            isDone = true;
            for (let i = 0; i < variants.length; i++) {
                if (seen[i] === relation.count) continue;
                isDone = false;
                relation.from = seen[i]!;
                relation.to = relation.count;
                variants[i]!();
                seen[i] = relation.to;
            }
        }
    }
    return values.count;
}

/** Finds the first values of each source from this one on. The memory of the values is counted until the caller releases it. */
export function startsOf(
    { values, relations, check }: PartwiseStratum,
    starts: readonly (() => void)[],
    from: number,
): Pick<FollowWork, 'values' | 'starts'> {
    const [filled] = relations as [PartwiseRelation];
    const { relation } = filled;
    const { memory } = relation;
    memory.reserve(LEAST_STARTS * 4);
    let found: Int32Array = new Int32Array(LEAST_STARTS);
    let count = 0;
    const places = new Int32Array(values.count - from + 1);
    for (let source = from; source < values.count; source++) {
        if ((source & (SOURCES_PER_CHECK - 1)) === 0) check();
        startSource(source, values, filled, starts);
        const begun = filled.takeBack();
        while (count + begun.length > found.length) found = grownInts(memory, found, found.length * 2);
        found.set(begun, count);
        count += begun.length;
        places[source - from + 1] = count;
    }
    const begun = found.slice(0, count);
    memory.reserve(begun.byteLength);
    memory.release(found.byteLength);
    return { values: begun, starts: places };
}

function startSource(source: number, values: Relation, filled: PartwiseRelation, starts: readonly (() => void)[]): void {
    values.from = source;
    values.to = source + 1;
    filled.relation.isLive = false;
    filled.startPart();
    for (const start of starts) start();
}
