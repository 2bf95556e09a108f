import { sqlOf } from './embedded-sql.ts';
import type { Clause } from './program.ts';
import type { Span } from './span.ts';
import type { Type } from './types.ts';

/** Reads the text of an embedded SQL query. The same text has the same reading, so that it may be kept. */
export type SqlReader = (text: string) => SqlReading;

/** Facts about a SQL query that do not depend on the program around it. Offsets refer to the text of the query; ends are exclusive. */
export interface SqlReading {
    /** Why the text is not one SELECT; then it reads nothing. */
    readonly problem?: {
        readonly message: string;
        readonly start: number;
        readonly end: number;
        /** It would write something. */
        readonly isWrite?: true;
        /** The name, a word of SQL, that needs quotes there. */
        readonly reserved?: string;
    };
    /** Names in double quotes, which other dialects take for strings. */
    readonly doubleQuoted?: readonly { readonly name: string; readonly start: number; readonly end: number }[];
    /** Selected expressions that are neither a column nor named, with their numbers among the columns. */
    readonly unnamed?: readonly { readonly column: number; readonly start: number; readonly end: number }[];
    /** Functions that it calls and that no query may call. */
    readonly unknownFunctions?: readonly UnknownFunction[];
    /** The tables that it reads, each once, without those that it defines itself; in the order of the text. */
    readonly tables: readonly TableUse[];
    /** How many columns its result has, where no `*` leaves that to its tables. */
    readonly width?: number;
    /** An ORDER BY of the whole query, where no LIMIT needs it. */
    readonly idleOrder?: { readonly start: number; readonly end: number };
    /** Returns the schema of the result over tables with these columns. Undefined stands for a table with unknown columns. */
    schema(columnsOf: (table: string) => readonly TableColumn[] | undefined): QuerySchema;
}

export interface UnknownFunction {
    readonly name: string;
    /** One that queries may call and that is called alike. */
    readonly nearest?: string;
    readonly start: number;
    readonly end: number;
}

export interface TableUse {
    readonly name: string;
    readonly start: number;
    readonly end: number;
}

/** A column of a table as queries see it. */
export interface TableColumn {
    readonly name: string;
    /** Its name by position, which also works: `p_0`. */
    readonly position: string;
    readonly type: Type;
}

export interface QuerySchema {
    /** From left to right; undefined where a `*` stands for columns that are not known. */
    readonly columns: readonly QueryColumn[] | undefined;
    readonly faults: readonly QueryFault[];
    /** The columns of numbers or days that are in another order as texts, where the query sorts or compares them, and where they stand. */
    readonly textOrders: readonly TextOrder[];
    /** The columns that the FROM lists offer under each name, wherever they stand. Sources with unknown columns are left out. */
    readonly sources: readonly { readonly name: string; readonly columns: readonly QueryColumn[] }[];
}

export interface TextOrder extends Span {
    /** Of the column. */
    readonly type: Type;
}

export interface QueryColumn {
    /** Its alias, or the column that it is. */
    readonly name: string | undefined;
    readonly type: Type;
}

/** A column that no table of the query has, or that several have. */
export interface QueryFault {
    readonly kind: 'unknown' | 'ambiguous';
    /** As the query writes it, with what stands before its dot. */
    readonly column: string;
    /** Tables that might have it, by the names that the query gives them. */
    readonly tables: readonly string[];
    /** Similar names among the columns of the tables. */
    readonly candidates: readonly string[];
    readonly start: number;
    readonly end: number;
}

/** Whether a clause is a rule with a SQL query. */
export function hasSqlQuery(clause: Clause): boolean {
    return clause.kind === 'rule' && sqlOf(clause) !== undefined;
}
