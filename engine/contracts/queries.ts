import type { Type } from '#language/program/types.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { AnswerTarget } from './answer-target.ts';

/** Answers SQL queries over finished relations. Without it a rule with a query ends the run with RT062. */
export interface QueryEngine {
    /** Adds the rows of a query's result, once each or more often. Throws `QueryFailed` for what it refuses or cannot compute. */
    answer(query: RelationalQuery, target: AnswerTarget): Promise<void>;
    /** Says why a query has no row with these values, as far as it knows; `undefined` stands for any value. */
    lacks?(query: RelationalQuery, asked: readonly (ValueId | undefined)[], checkpoint: () => void): Promise<readonly QueryLack[]>;
}

/** A reason why a query does not give a row; true of its tables. */
export type QueryLack =
    /** All but this condition holds for some rows, which would give the row. */
    | { readonly kind: 'condition'; readonly condition: string; readonly values: readonly ShownValue[]; readonly rows: readonly TableRow[] }
    /** With all other values, the query gives another one in this column; undefined for NULL. */
    | { readonly kind: 'value'; readonly column: number; readonly given: ValueId | undefined }
    /** For rows of the other tables there is no row of this one that all its conditions hold for. */
    | {
          readonly kind: 'table';
          /** As the query calls it. */
          readonly table: string;
          /** The name of the table, in lower case, and the values that some of its columns, by number, have to have. */
          readonly of?: string;
          readonly known?: ReadonlyMap<number, ValueId>;
          readonly conditions: readonly string[];
          /** Columns of the result, as the query writes them, whose asked value a row of the table would have to give. */
          readonly asked: readonly { readonly name: string; readonly column: number }[];
          readonly values: readonly ShownValue[];
          readonly rows: readonly TableRow[];
      }
    /** The query gives no rows at all. */
    | { readonly kind: 'empty' };

/** A column of a condition as it is written, and its value; undefined for NULL. */
export interface ShownValue {
    readonly name: string;
    readonly value: ValueId | undefined;
}

/** A row of a table, by its name in lower case. */
export interface TableRow {
    readonly table: string;
    readonly row: number;
}

export interface RelationalQuery {
    readonly text: string;
    readonly tables: readonly QueryInput[];
    /** The values of its parameters: `?name`, and `${name}`, whose text is put in its place within quotes. */
    parameter(name: string): { readonly value: ValueId; readonly type: Type };
    readonly dictionary: Dictionary;
}

/** A relation as a table. */
export interface QueryInput {
    /** As the query writes it. */
    readonly name: string;
    /** The identity of the relation, however the query writes its name. */
    readonly relation: string;
    /** Names that the query may use: `edge_0` where nothing else names a column, and besides other names. */
    readonly columns: readonly { readonly name: string; readonly type: Type }[];
    readonly count: number;
    readonly ids: readonly Int32Array[];
}

/** Why a query has no answer, and where in its text that shows, where that is known. */
export class QueryFailed extends Error {
    readonly place: { readonly start: number; readonly end: number } | undefined;

    constructor(message: string, place?: { readonly start: number; readonly end: number }) {
        super(message);
        this.place = place;
    }
}
