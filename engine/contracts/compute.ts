import type { ScalarKind } from '#language/program/types.ts';
import type { Dictionary } from '../values/dictionary.ts';

/** A SQL engine that evaluates strata of one run. It has tables for this run alone, and they are gone once it is closed. */
export interface ComputeEngine {
    readonly dialect: Dialect;
    /**
     * Carries out a statement. Returns how many rows it has made or added. `look` is called often, and may throw to end it. Throws a
     * `ComputeFailed` where the engine refuses it.
     */
    run(statement: string, look: () => void): Promise<number>;
    /** Makes a table with these columns, in which no value is NULL. */
    upload(table: string, columns: readonly UploadedColumn[], count: number, dictionary: Dictionary, look: () => void): Promise<void>;
    /** Reads the rows of a table, in any order: `add` takes the first `count` of each of these columns. */
    read(
        table: string,
        columns: readonly TableColumn[],
        dictionary: Dictionary,
        add: (columns: readonly Int32Array[], count: number) => void,
        look: () => void,
    ): Promise<void>;
}

/** A column of a table. */
export interface TableColumn {
    readonly name: string;
    /** Absent where it has, instead of values, their numbers in the dictionary of the run. */
    readonly kind?: ColumnKind | undefined;
}

export interface UploadedColumn extends TableColumn {
    /** Of at least as many values as there are rows. */
    readonly ids: Int32Array;
}

/** The kinds of values that tables have, in columns without NULL. */
export type ColumnKind = Extract<ScalarKind, 'int' | 'long' | 'double' | 'string' | 'boolean' | 'date' | 'timestamp'>;

/** The text of statements for one kind of engine. */
export interface Dialect {
    /** The name by which users choose the engine. */
    readonly name: string;
    /** The type of a column of values. That of numbers is `int`. */
    readonly types: Readonly<Record<ColumnKind, string>>;
    /** A text as a literal. */
    readonly text: (value: string) => string;
    /** An expression that is compared or ordered by code points where it is a text. */
    readonly byCodePoint: (expression: string) => string;
    /** Fails where a double is infinite or not a number, which the language has no values for. */
    readonly finite: (double: string) => string;
    /** The quotient of two doubles; fails where the second is zero. */
    readonly quotient: (left: string, right: string) => string;
    /** The remainder of two integers, with the sign of the first; fails where the second is zero. */
    readonly remainder: (left: string, right: string) => string;
    /** Whether a text has another one in it. */
    readonly contains: (text: string, part: string) => string;
    /** Makes a table of the rows of a query. */
    readonly make: (table: string, query: string) => string;
    /** The rows of a query that a table lacks, each once. */
    readonly difference: (query: string, table: string, columns: readonly string[]) => string;
    /** The fixpoint of one relation as a query, each row once: `name` stands for the rows of the last round in `step`. Absent where there is none without a limit. */
    readonly fixpoint?: (name: string, columns: readonly string[], start: string, step: readonly string[]) => string;
}

/** Why an engine has not carried out a statement. */
export class ComputeFailed extends Error {
    /** It had too little memory: another way may need less. */
    readonly isOutOfMemory: boolean;

    constructor(message: string, isOutOfMemory = false) {
        super(message);
        this.isOutOfMemory = isOutOfMemory;
    }
}
