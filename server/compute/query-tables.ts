import { QueryFailed, type QueryInput, type RelationalQuery } from '#engine/contracts/queries.ts';
import { say } from '#language/program/say.ts';

/** A table's own column of that name hides the number that DuckDB gives its rows. */
export function hasRowNumber({ tables }: RelationalQuery): (table: string) => boolean {
    const named = new Set(
        tables.filter(({ columns }) => columns.some(({ name }) => name.toLowerCase() === 'rowid')).map(({ name }) => name.toLowerCase()),
    );
    return table => !named.has(table);
}

/** Each table once: for DuckDB letters are the same in both cases. */
export function tablesByName(inputs: readonly QueryInput[]): readonly QueryInput[] {
    const tables = new Map<string, QueryInput>();
    for (const input of inputs) {
        if (input.columns.length === 0)
            throw new QueryFailed(say`there is no table '${input.name}': no predicate of this name has columns`);
        const other = tables.get(input.name.toLowerCase());
        if (other === undefined) tables.set(input.name.toLowerCase(), input);
        else if (other.relation !== input.relation)
            throw new QueryFailed(say`'${other.name}' and '${input.name}' differ in letter case alone, and a query cannot tell them apart`);
    }
    return [...tables.values()];
}

/** The columns that a text may call by number, where their names are others. */
export function columnsByPosition(tables: readonly QueryInput[]): (name: string) => string | undefined {
    const names = new Map<string, string>();
    const own = new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => name.toLowerCase())));
    for (const { name, columns } of tables) {
        for (const [i, column] of columns.entries()) {
            const position = `${name}_${i}`.toLowerCase();
            if (!own.has(position)) names.set(position, column.name);
        }
    }
    return name => names.get(name.toLowerCase());
}
