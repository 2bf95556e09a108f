import type { PlanRead, PlanStep } from '../plan/plan.ts';
import type { ClusteredIndex } from '../relations/clustered-index.ts';
import type { Relation } from '../relations/relation.ts';
import { isClose, spanOf } from '../relations/span.ts';
import { type BatchContext, type BatchStep, livePlaces, type Places } from './batch-context.ts';
import { locateInCluster } from './compile-batch-read.ts';
import { type RunContext, relationOf } from './run-context.ts';
import { BATCH_SIZE, gather } from './vectors.ts';

/** Looking for a pair in a table takes as long as marking so many values. */
const MARKS_PER_LOOKUP = 8;
/** And as making so many places for marks. */
const PLACES_PER_LOOKUP = 128;

/** One of the literals. */
interface Way {
    /** The values of the variable, by position in the index. */
    readonly found: Int32Array;
    readonly starts: Int32Array;
    readonly ends: Int32Array;
    readonly locate: (count: number, starts: Int32Array, ends: Int32Array) => void;
    readonly marks: Marks;
    /** Whether the literal has a row with a value of the variable for a match. */
    readonly holds: (match: number, value: number) => boolean;
}

/** Goes on with each value of a variable that several literals have for a match: those of the literal that has fewest, which are looked for in the others. */
export function compileBatchIntersection(step: Extract<PlanStep, { kind: 'intersect' }>, places: Places, context: BatchContext): BatchStep {
    const { take, run, compileAfter, neededAfter, atStart, atEnd } = context;
    const { variable } = step.reads[0]!.binds[0]!;
    const ways = step.reads.map(read => wayOf(read, variable, places, context));
    for (const { marks } of ways) {
        atStart.push(() => marks.forget());
        atEnd.push(() => marks.dispose());
    }
    const [matches, values] = [take(), take()];
    const after = new Map(places);
    const carried = [...livePlaces(step, places, context)].map(([name, from]) => {
        const to = take();
        after.set(name, to);
        return [from, to] as const;
    });
    if (neededAfter(step).has(variable)) after.set(variable, values);
    const next = compileAfter(step, after);
    const { checkpoint } = run;
    let found = 0;
    const flush = (): void => {
        const count = found;
        found = 0;
        for (const [from, to] of carried) gather(to, from, matches, count);
        if (count > 0) next(count);
    };
    /** Whether all ways but the chosen one have the value. */
    const isEverywhere = (chosen: Way, match: number, value: number): boolean => {
        for (const way of ways) {
            if (way !== chosen && !(way.marks.isMarked ? way.marks.has(value) : way.holds(match, value))) return false;
        }
        return true;
    };
    return count => {
        for (const { locate, starts, ends } of ways) locate(count, starts, ends);
        for (let match = 0; match < count; match++) {
            let chosen = ways[0]!;
            for (const way of ways) {
                if (way.ends[match]! - way.starts[match]! < chosen.ends[match]! - chosen.starts[match]!) chosen = way;
            }
            const end = chosen.ends[match]!;
            let position = chosen.starts[match]!;
            if (position === end) continue;
            checkpoint.left -= end - position;
            if (checkpoint.left < 0) checkpoint.check();
            for (const way of ways) if (way !== chosen) way.marks.ask(way.starts[match]!, way.ends[match]!, end - position);
            while (position < end) {
                if (found === BATCH_SIZE) flush();
                const limit = Math.min(end, position + BATCH_SIZE - found);
                const [first, second, third] = ways as [Way, Way, Way | undefined];
                const other = chosen === first ? second : first;
                if (third === undefined && other.marks.isMarked) {
                    found = other.marks.intersect(chosen.found, position, limit, match, matches, values, found);
                } else {
                    for (let i = position; i < limit; i++) {
                        const value = chosen.found[i]!;
                        if (!isEverywhere(chosen, match, value)) continue;
                        matches[found] = match;
                        values[found++] = value;
                    }
                }
                position = limit;
            }
        }
        flush();
    };
}

function wayOf({ literal }: PlanRead, variable: string, places: Places, { run, variant, take }: BatchContext): Way {
    const { relation: key, terms } = variant.rule.literals[literal]!;
    const relation = relationOf(run, key);
    const names = terms.map(term => (term.kind === 'variable' ? term.name : ''));
    const column = names.indexOf(variable);
    const columns = [...names.keys()].filter(at => at !== column);
    const index: ClusteredIndex = relation.clustered(columns);
    const known = columns.map(at => places.get(names[at]!)!);
    return {
        found: index.column(column),
        starts: take(),
        ends: take(),
        locate: locateInCluster(index, known),
        marks: new Marks(relation, column, index, run),
        holds: compileHolds(relation, column, columns, known),
    };
}

function compileHolds(
    relation: Relation,
    column: number,
    columns: readonly number[],
    known: readonly Int32Array[],
): (match: number, value: number) => boolean {
    const [only] = known as [Int32Array];
    if (relation.arity === 2) {
        if (column === 0) return (match, value) => relation.findKey2(value, only[match]!) >= 0;
        return (match, value) => relation.findKey2(only[match]!, value) >= 0;
    }
    const row = new Int32Array(relation.arity);
    return (match, value) => {
        for (let i = 0; i < columns.length; i++) row[columns[i]!] = known[i]![match]!;
        row[column] = value;
        return relation.findKey(row) >= 0;
    };
}

/**
 * The values between two positions of an index, marked in an array over all values. A mark costs less than a look-up in a table;
 * so values are marked when about as much time has gone into look-ups between the same two positions, as long as the matches
 * ask for the same ones.
 */
class Marks {
    /** Whether the values between the positions asked for last are marked. */
    isMarked = false;
    readonly #found: Int32Array;
    readonly #run: RunContext;
    readonly #relation: Relation;
    readonly #least: number;
    readonly #places: number;
    #marks: Int32Array = new Int32Array(0);
    #mark = 0;
    #start = -1;
    #lookups = 0;
    #allLookups = 0;

    constructor(relation: Relation, column: number, index: ClusteredIndex, run: RunContext) {
        this.#found = index.column(column);
        this.#run = run;
        this.#relation = relation;
        const { least, places } = spanOf(relation.columns[column]!, relation.count);
        this.#least = least;
        this.#places = isClose(places, relation.count) ? places : 0;
    }

    /** The next look-ups, of this number, are between these positions. */
    ask(start: number, end: number, lookups: number): void {
        if (start !== this.#start) {
            this.#start = start;
            this.#lookups = 0;
            this.isMarked = false;
        }
        if (this.isMarked || this.#places === 0) return;
        this.#lookups += lookups;
        this.#allLookups += lookups;
        if (this.#lookups * MARKS_PER_LOOKUP < end - start) return;
        if (this.#relation.hasTable && this.#allLookups * PLACES_PER_LOOKUP < this.#places) return;
        if (this.#marks.length === 0) {
            this.#run.memory.reserve(this.#places * 4);
            this.#marks = new Int32Array(this.#places);
            this.#mark = 0;
        }
        const mark = ++this.#mark;
        for (let i = start; i < end; i++) this.#marks[this.#found[i]! - this.#least] = mark;
        this.isMarked = true;
    }

    has(value: number): boolean {
        const place = (value - this.#least) >>> 0;
        return place < this.#places && this.#marks[place] === this.#mark;
    }

    /** Writes the marked ones of the values between two positions, with the match, from `at` on; returns where they end. */
    intersect(from: Int32Array, start: number, end: number, match: number, matches: Int32Array, values: Int32Array, at: number): number {
        const marks = this.#marks;
        const mark = this.#mark;
        const least = this.#least;
        const places = this.#places;
        let free = at;
        for (let i = start; i < end; i++) {
            const value = from[i]!;
            const place = (value - least) >>> 0;
            if (place >= places || marks[place] !== mark) continue;
            matches[free] = match;
            values[free++] = value;
        }
        return free;
    }

    forget(): void {
        this.#start = -1;
        this.isMarked = false;
    }

    dispose(): void {
        this.#run.memory.release(this.#marks.byteLength);
        this.#marks = new Int32Array(0);
        this.#allLookups = 0;
    }
}
