import type { Type } from '#language/program/types.ts';
import type { SourceBind } from '../source-bind.ts';

/** A table, view, file or sheet that a program can read. */
export interface FoundTable {
    readonly name: string;
    readonly kind: 'table' | 'view' | 'file' | 'sheet';
    readonly columns: readonly FoundColumn[];
    /** Null where nobody asked. */
    readonly rows: number | null;
    /** Those whose columns, and the tables that they lead to, were found too; in the order of their columns. */
    readonly foreignKeys: readonly ForeignKey[];
    /** What reads it. */
    readonly bind: SourceBind;
}

export interface FoundColumn {
    readonly name: string;
    readonly type: ColumnType;
    /** Its whole numbers may be beyond 32 bits. */
    readonly isLong?: true;
}

/** A column with the name that the platform gives its type. */
export function foundColumn(name: string, type: Type | undefined): FoundColumn {
    return { name, type: columnType(type), ...(type?.kind === 'long' && { isLong: true }) };
}

/** Columns that hold those of a row of another table. */
export interface ForeignKey {
    readonly columns: readonly string[];
    readonly table: string;
    readonly references: readonly string[];
}

/** As the platform calls types. */
export type ColumnType = 'INT' | 'DOUBLE' | 'STRING' | 'BOOLEAN' | 'DATE' | 'DATETIME' | 'LIST' | 'STRUCT';

/** The name that the platform gives a type; what fits none is text. */
export function columnType(type: Type | undefined): ColumnType {
    switch (type?.kind) {
        case 'int':
        case 'long':
            return 'INT';
        case 'double':
        case 'float':
            return 'DOUBLE';
        case 'boolean':
            return 'BOOLEAN';
        case 'date':
            return 'DATE';
        case 'timestamp':
            return 'DATETIME';
        case 'list':
        case 'set':
            return 'LIST';
        case 'struct':
        case 'map':
            return 'STRUCT';
        default:
            return 'STRING';
    }
}
