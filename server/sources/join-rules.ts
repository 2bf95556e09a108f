import { uniqueName } from '#language/library/unique-name.ts';
import { variableName } from './program-names.ts';
import type { FoundTable } from './surveys/found-table.ts';

type KeyedTable = Pick<FoundTable, 'name' | 'columns' | 'foreignKeys'>;

/** A rule of some tables. */
export interface JoinRule {
    readonly predicate: string;
    readonly text: string;
    readonly reads: readonly KeyedTable[];
}

/**
 * A rule for each table that has foreign keys: its rows with those of the tables of the same source that they lead to, in the order of the keys
 * (D55). `predicates` has the names of the tables in the program.
 */
export function joinRules(tables: readonly KeyedTable[], predicates: ReadonlyMap<KeyedTable, string>, taken: Set<string>): JoinRule[] {
    const byName = new Map(tables.map(table => [table.name, table]));
    return tables.flatMap(table => {
        const keys = table.foreignKeys.flatMap(key => {
            const other = byName.get(key.table);
            return other === undefined ? [] : [{ ...key, other }];
        });
        if (keys.length === 0) return [];
        const variablesOf = tableVariables();
        const own = variablesOf(table);
        /** Columns of the table that have the variable of another one. */
        const shared = new Set<number>();
        const atoms = keys.map(({ other, columns, references }) => {
            const variables = variablesOf(other);
            for (const [i, column] of columns.entries()) {
                const here = columnAt(table, column);
                const there = columnAt(other, references[i]);
                // A column of two keys joins both of the tables.
                if (shared.has(here)) variables[there] = own[here] ?? '';
                else own[here] = variables[there] ?? '';
                shared.add(here);
            }
            return { table: other, variables };
        });
        const body = [{ table, variables: own }, ...atoms];
        const predicate = uniqueName(`${predicates.get(table) ?? ''}_join`, '_', taken);
        const head = [...new Set(body.flatMap(({ variables }) => variables))];
        const literals = body.map(({ table: read, variables }) => `${predicates.get(read)}(${variables})`);
        return [{ predicate, text: `${predicate}(${head}) <- ${literals.join(', ')}.`, reads: body.map(one => one.table) }];
    });
}

/** Names the variables of a table in a rule, `<Table><Column>`; those of one that stands there again have 2, 3… behind them. */
function tableVariables(): (table: KeyedTable) => string[] {
    const names = new Set<string>();
    const times = new Map<string, number>();
    return ({ name, columns }) => {
        const time = (times.get(name) ?? 0) + 1;
        times.set(name, time);
        const end = time === 1 ? '' : String(time);
        return columns.map(column => uniqueName(variableName(name) + variableName(column.name) + end, '', names));
    };
}

function columnAt({ columns }: KeyedTable, name: string | undefined): number {
    return columns.findIndex(column => column.name === name);
}
