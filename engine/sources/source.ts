import type { Bind, Column } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import type { NullTest, ValueTest } from '../plan/plan.ts';
import type { Report } from '../reports/reports.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';

/** The target of a source's rows. Nothing of a row outlives the call that adds it. */
export interface RowTarget {
    readonly dictionary: Dictionary;
    /** One per column of the predicate: names and types; a column with `cast` takes values of its type only. */
    readonly columns: readonly Column[];
    /** Adds a row, one id per column; `line` is the one-based line of a text source, 0 where there is none. */
    add(row: Int32Array, line: number): void;
    /**
     * Adds the first `count` rows of these columns, a few thousand at the most, whose lines follow one another from `line`. A
     * target without it gets each row by `add`.
     */
    readonly addRows?: (columns: readonly Int32Array[], count: number, line: number) => void;
    /** The rows that follow stand in this file of many, or in a file whose items are counted instead of its lines. */
    readonly enterFile?: (file: string, counts: 'lines' | 'items') => void;
    /** The needed rows, if not all. A source may give more. */
    readonly needs?: SourceNeeds;
    /** Called often, at least once per 64 KiB of input; throws `RunStopped` when the run is cancelled or over a limit. */
    checkpoint(): void;
    report(report: Report): void;
}

/** The needs of a run for a source. */
export interface SourceNeeds {
    /** The columns that are read; in others any id will do. */
    readonly columns: ReadonlySet<number>;
    /** A row that meets all conditions of one of these lists may be needed, and no other; absent where all may be. */
    readonly rows?: readonly (readonly SourceCondition[])[];
    /** One row is as good as all. */
    readonly anyRow?: true;
}

/** A condition on the value of a row in a column, by D-16 and D-20; an unknown one meets `is null` alone. */
export type SourceCondition = { readonly column: number } & (
    | { readonly test: ValueTest; readonly value: ValueId }
    | { readonly test: NullTest }
);

/** The rows of one input bind. Throws `RunStopped` for what cannot be read (RT063, RT064). */
export interface Source {
    /** Its name for people: a path from the current folder. */
    readonly name: string;
    /** A query that takes values is asked for each of these tuples (8.6). */
    load(target: RowTarget, asked?: AskedValues): void | Promise<void>;
}

/** The values that a query is asked for. */
export interface AskedValues {
    /** The columns of the predicate that have them, counted from 0, in ascending order. */
    readonly columns: readonly number[];
    /** One value for each column; none is a null. */
    readonly tuples: readonly (readonly ValueId[])[];
}

/** Rows that the host has itself; they are cast to the columns of the predicate as facts are. */
export interface GivenRows extends Source {
    readonly types: readonly Type[];
}

/** The rows of one output predicate in listing order, column by column. */
export interface OutputRows {
    readonly dictionary: Dictionary;
    readonly columns: readonly Column[];
    readonly count: number;
    /** The id at a row and column. */
    at(row: number, column: number): ValueId;
    /** The names of a header stand without quotes even where all values have them. */
    readonly plainNames?: true;
}

/** The effect of `write` on its rows. */
// biome-ignore lint/suspicious/noConfusingVoidType: most targets have nothing to tell.
export type WriteOutcome = void | 'kept' | 'replaced' | ChangedRows;

/** How many rows of its target were deleted or updated by their keys. */
export interface ChangedRows {
    readonly changed: number;
}

/**
 * The target of one output bind. `write` prepares everything without touching the target; only `commit` makes it
 * visible, whole, and `discard` leaves no trace. Throws `RunStopped` for what cannot be written.
 */
export interface Sink {
    /** Its name for people: a path from the current folder. */
    readonly name: string;
    /** 'kept' if the target stays as it is, 'replaced' if the rows take the place of what it holds, the number of changed rows for a keyed bind. */
    write(rows: OutputRows, checkpoint: () => void): WriteOutcome | Promise<WriteOutcome>;
    commit(): void | Promise<void>;
    discard(): void | Promise<void>;
}

/** The host's answer to binds; undefined where it has no connector for the type (RT061). */
export interface Connectors {
    source(bind: Bind): Source | undefined;
    /** The rows that the host itself has for an `@input` predicate without bind; undefined where it has none (RT070). */
    input?(predicate: string): GivenRows | undefined;
    sink(bind: Bind): Sink | undefined;
}

/** Bytes pulled from somewhere in order; 0 means the end. */
export interface ByteReader {
    read(into: Uint8Array): number;
}
