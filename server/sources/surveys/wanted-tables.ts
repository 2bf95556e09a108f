import { stop } from '#engine/reports/reports.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { say } from '#language/program/say.ts';
import type { FoundColumn } from './found-table.ts';

/** What of a source is wanted (API 10.1); lists that are empty or absent want all. */
export interface Wanted {
    readonly tables?: readonly string[];
    readonly ignoreTables?: readonly string[];
    /** Names of columns, or `table.column`. */
    readonly selectedColumns?: readonly string[];
    readonly ignoreColumns?: readonly string[];
}

interface Named {
    readonly name: string;
    /** What else it is called. */
    readonly alias?: string;
}

/** The tables that are wanted, in the order in which they are given. RT064 where one that is named is not there. */
export function wantedTables<T extends Named>(all: readonly T[], { tables = [], ignoreTables = [] }: Wanted, shown: string): T[] {
    const isNamed = (table: T, names: readonly string[]): boolean =>
        names.includes(table.name) || (table.alias !== undefined && names.includes(table.alias));
    const unknown = tables.find(name => !all.some(table => isNamed(table, [name])));
    if (unknown !== undefined) {
        const nearest = nearestName(
            unknown,
            all.map(({ name }) => name),
        );
        const meant = nearest === undefined ? '' : say`; did you mean '${nearest}'?`;
        stop('RT064', {}, shown, say`has no table '${unknown}'${meant}`);
    }
    return all.filter(table => (tables.length === 0 || isNamed(table, tables)) && !isNamed(table, ignoreTables));
}

/** A column that a table has. */
export interface SeenColumn extends FoundColumn {
    /** Its values are no values here, such as bytes. */
    readonly isUnreadable?: true;
}

interface Seen extends Named {
    readonly columns: readonly SeenColumn[];
}

/** The columns of a table that are wanted. */
export interface WantedColumns {
    readonly columns: readonly FoundColumn[];
    /** The option of a bind that chooses them; absent where they are all in their order. */
    readonly selectedColumns?: string;
}

/**
 * The columns of each table that are wanted, in the order in which they are selected. RT064 where none of the tables has one that is selected.
 * `hasNames` says that binds may name them; otherwise they have numbers.
 */
export function wantedColumns(
    tables: readonly Seen[],
    { selectedColumns = [], ignoreColumns = [] }: Wanted,
    shown: string,
    hasNames = true,
): WantedColumns[] {
    const isColumn = (wanted: string, table: Seen, column: string): boolean => wanted === column || wanted === `${table.name}.${column}`;
    const unknown = selectedColumns.find(wanted => !tables.some(table => table.columns.some(({ name }) => isColumn(wanted, table, name))));
    if (unknown !== undefined) stop('RT064', {}, shown, say`has no column '${unknown}'`);
    return tables.map(table => {
        const { columns } = table;
        const all = [...columns.keys()];
        const selected =
            selectedColumns.length === 0
                ? all.filter(at => columns[at]?.isUnreadable !== true)
                : selectedColumns.flatMap(wanted => all.find(at => isColumn(wanted, table, columns[at]?.name ?? '')) ?? []);
        const wanted = selected.filter(at => !ignoreColumns.some(name => isColumn(name, table, columns[at]?.name ?? '')));
        const bytes = wanted.find(at => columns[at]?.isUnreadable === true);
        if (bytes !== undefined) stop('RT064', {}, shown, say`has a column '${columns[bytes]?.name}' whose values are no values here`);
        const kept = wanted.flatMap(at => columns[at] ?? []).map(({ isUnreadable: _, ...column }) => column);
        if (wanted.length === all.length && wanted.every((at, i) => at === i)) return { columns: kept };
        return { columns: kept, selectedColumns: `[${wanted.map(at => choice(columns, at, hasNames)).join('; ')}]` };
    });
}

/** A column as the option of a bind names it: where its name cannot be told from others or written there, by number. */
function choice(columns: readonly SeenColumn[], at: number, hasNames: boolean): string {
    const name = columns[at]?.name ?? '';
    const isTold = hasNames && columns.findIndex(column => column.name === name) === at && !/['";[\]]/u.test(name);
    return isTold ? `'${name}'` : String(at);
}
