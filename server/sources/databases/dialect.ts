import type { Type } from '#language/program/types.ts';
import type { ComparedColumn, ComparedKind } from '#server/compute/pushed-conditions.ts';
import type { BindingForm } from '../asked-query.ts';
import type { DatabaseKind, TableName } from './database-bind.ts';
import type { Cells, Connecting, Field, Parameter, Session } from './session.ts';

/** A statement with the texts of its parameters. */
export interface Statement {
    readonly text: string;
    readonly parameters: readonly Parameter[];
}

/** A table that rows are written to, and those of its columns that take them. */
export interface Target {
    readonly name: string;
    readonly columns: readonly TargetColumn[];
}

export type TargetColumn = Field;

/** What a kind of database tells about all tables and views of a schema that one may read; of the connection's where none is named. */
export interface Catalogue {
    /** One row where a schema of that name is there. */
    readonly schema?: Pick<Statement, 'text'>;
    /** The names of the schemas that one may look into, but for those of the system; absent where tables have none. */
    readonly schemas?: Statement;
    /** Their names, whether each is a `table` or a `view`, and its schema. */
    relations(schema: string | undefined): Statement;
    /** For each column the name of its table and its own, and behind them what `field` takes; those of a table in their order. */
    columns(schema: string | undefined): Statement;
    field(name: string, type: Cells): Field;
    /**
     * For each column of a foreign key: table, key, column, table that it refers to, column there; those of a key in their order. Keys that
     * lead to other schemas are left out.
     */
    foreignKeys(schema: string | undefined): Statement;
}

/** What a kind of database has of its own, besides its driver. */
export interface Dialect extends DatabaseKind {
    open(connecting: Connecting): Promise<Session>;
    readonly binding: BindingForm;
    /** A name as it stands in a statement, whatever is in it. */
    quoted(name: string): string;
    /** Begins a transaction that sees one state and changes nothing. */
    readonly beginReading: readonly string[];
    readonly beginWriting: readonly string[];
    /** How values of a column are compared in a query; undefined where that may differ from how they are compared once they are read. */
    compared(field: Field, text: string, session: Session): Pick<ComparedColumn, 'kind' | 'ordered' | 'onlyAscii'> | undefined;
    /** What has all digits of a column of which the database writes but some; undefined for all others. */
    exact?(field: Field, text: string): string | undefined;
    /** The n-th parameter of a query, from one on, as a value that is compared with a column. */
    parameter(number: number, kind: ComparedKind): string;
    /** The names of the tables and views of a schema. */
    tables(schema: string | undefined): Statement;
    /** Whether a table or view is there: one row with a text where it is. */
    exists(table: TableName): Statement;
    readonly catalogue: Catalogue;
    /** Keeps others from writing to a table until the transaction ends. */
    lock?(name: string): string;
    /** What keeps a table without transactions: one row with its name where it is one. */
    withoutTransactions?(table: TableName): Statement;
    /** The type of a column that is made for values of a type. */
    columnType(type: Type): Pick<TargetColumn, 'sqlType' | 'form'>;
    /** What stands behind the columns of a table that is made. */
    readonly tableOptions: string;
    /** A table that is made cannot be taken back, so that rows go to another one first, which is given its name at the end. */
    readonly commitsTables: boolean;
    /** Whether rows can be added to a table as `Session.writeLines` does: one row with a text where they can. */
    takesLines?(table: TableName): Statement;
    /** The most rows of so many columns that one statement takes. */
    rowsAtOnce(columns: number): number;
    insert(target: Target, rows: readonly (readonly (string | null)[])[]): Statement;
    /** Deletes rows, or changes those of their cells that are no keys. */
    delete(target: Target, keys: readonly number[], rows: readonly (readonly (string | null)[])[]): readonly Statement[];
    update(target: Target, keys: readonly number[], rows: readonly (readonly (string | null)[])[]): readonly Statement[];
}

/** `schema.table`, quoted. */
export function quotedTable({ schema, table }: TableName, { quoted }: Pick<Dialect, 'quoted'>): string {
    return schema === undefined ? quoted(table) : `${quoted(schema)}.${quoted(table)}`;
}
