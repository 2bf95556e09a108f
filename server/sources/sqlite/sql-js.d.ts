/** What is used of sql.js, with its WebAssembly in the script. */
declare module 'sql.js/dist/sql-wasm-inline.js' {
    export type SqlValue = bigint | number | string | Uint8Array | null;

    export interface Statement {
        /** False after the last row. */
        step(): boolean;
        get(parameters: null, options: { readonly useBigInt: true }): SqlValue[];
        getColumnNames(): string[];
        /** Begins anew with these values. */
        bind(values: readonly SqlValue[]): void;
        /** Runs the statement with these values. */
        run(values: readonly SqlValue[]): void;
        free(): void;
    }

    export interface Database {
        run(sql: string): void;
        /** By the last statement. */
        getRowsModified(): number;
        prepare(sql: string): Statement;
        export(): Uint8Array;
        close(): void;
    }

    export default function initSqlJs(): Promise<{ readonly Database: new (bytes?: Uint8Array) => Database }>;
}
