import type { Type } from '#language/program/types.ts';
import type { RowMessages } from './data-rows.ts';

/** How a connection is made. All of it is known: drivers fall back on variables of the environment and on files. */
export interface Connecting {
    /** Resolved: what is connected to. */
    readonly address: string;
    readonly port: number;
    readonly database: string;
    readonly username: string;
    readonly password: string | undefined;
    readonly tls: Tls | undefined;
    /** Milliseconds. */
    readonly patience: number;
}

export interface Tls {
    /** The name that the certificate must have. */
    readonly host: string;
    readonly verifies: 'nothing' | 'chain' | 'name';
    /** In PEM; those of the system where absent. */
    readonly root: string | undefined;
}

/** A cell as the text that the database writes for it, null for NULL. */
export type Cells = readonly (string | null)[];

/** One connection to a database. Nothing of it is used by two at a time. */
export interface Session {
    /** Runs one statement, whose parameters are bound as texts, and gives its rows. */
    run(statement: string, parameters?: readonly Parameter[]): Promise<readonly Cells[]>;
    /** As `run`, for a statement that deletes or updates rows; gives how many it found. */
    change(statement: string, parameters: readonly Parameter[]): Promise<number>;
    /** Runs a query and hands on its rows one by one; an error of `row` ends it. */
    read(query: string, parameters: readonly BoundValue[], row: (cells: Cells) => void): Promise<void>;
    /** As `read`, as the messages that they come in, several times as fast; where the database has that. */
    readMessages?(query: string, parameters: readonly BoundValue[], rows: RowMessages): Promise<void>;
    /** Adds rows to columns of a table, as `copy-lines.ts` writes them. */
    writeLines?(into: string, pieces: Iterable<Uint8Array>): Promise<void>;
    /** What the texts of the database are encoded in, by its name for that; undefined where columns say it. */
    readonly encoding: string | undefined;
    /** The columns that a query has. */
    fields(query: string, parameters: readonly BoundValue[]): Promise<readonly Field[]>;
    /** Bytes that have come since the last row, or since the last statement began. */
    unread(): number;
    /** Breaks off from outside, at once; what goes on fails. */
    interrupt(): void;
    end(): Promise<void>;
}

/** A text, NULL, or a list of them where the database binds lists. */
export type Parameter = string | null | Cells;

/** What a query takes. */
export type BoundValue = string | bigint;

/** A column of a table or of a result. */
export interface Field {
    readonly name: string;
    /** What the database calls its type. */
    readonly sqlType: string;
    readonly form: CellForm;
}

/** What the text of a cell is; `none` for what has no value here, such as bytes. */
export type CellForm =
    | { readonly kind: 'integer' | 'decimal' | 'text' | 'boolean' | 'date' | 'timestamp' | 'json' | 'none' }
    /** As PostgreSQL writes arrays. */
    | { readonly kind: 'array'; readonly element: CellForm };

/** The type of the values of a column; undefined where nothing is known, or it has none. */
export function typeOfForm({ form, sqlType }: Field): Type | undefined {
    return formType(form, /^(?:int4|int2|smallint|integer|int|tinyint|mediumint|year)\b(?!.*unsigned)/u.test(sqlType));
}

function formType(form: CellForm, isSmall: boolean): Type | undefined {
    switch (form.kind) {
        case 'integer':
            return { kind: isSmall ? 'int' : 'long' };
        case 'decimal':
            return { kind: 'double' };
        case 'text':
            return { kind: 'string' };
        case 'boolean':
        case 'date':
        case 'timestamp':
            return { kind: form.kind };
        case 'array': {
            const element = formType(form.element, isSmall);
            return element && { kind: 'list', element };
        }
        case 'json':
            return { kind: 'mixed' };
        case 'none':
            return undefined;
    }
}
