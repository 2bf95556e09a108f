import { QueryFailed } from '#engine/contracts/queries.ts';
import { say } from '#language/program/say.ts';
import { isQueryFunction, isQueryTableFunction } from '#language/sql/query-functions.ts';
import { isNode, nodesIn, type ParsedNode, textsIn } from './parsed-sql.ts';

/** The result of DuckDB's `json_serialize_sql` for a text. */
type Serialized =
    | { readonly error: true; readonly error_message: string; readonly position?: string }
    | { readonly error: false; readonly statements: readonly unknown[] };

/** Whether a query can need a column of this name, of any of its tables. */
export type UsedColumns = (column: string) => boolean;

/**
 * Refuses several statements, and anything but a SELECT. Refuses tables besides the given ones and those of the query, settings and
 * catalogues. Refuses table functions that read anything, and functions that depend on more than their arguments. Places are those of the
 * serialized text. Returns the columns that it can need.
 */
export function checkParsedQuery(json: string, tables: ReadonlySet<string>): UsedColumns {
    const parsed = JSON.parse(json) as Serialized;
    if (parsed.error) throw failed(parsed.error_message, parsed.position === undefined ? undefined : Number(parsed.position));
    const [statement, ...more] = parsed.statements;
    if (statement === undefined || more.length > 0) throw new QueryFailed(say`it must be one statement`);
    const defined = new Set<string>();
    const nodes = [...nodesIn(statement)];
    for (const { cte_map: map } of nodes) {
        for (const { key } of isNode(map) && Array.isArray(map.map) ? map.map.filter(isNode) : []) defined.add(String(key).toLowerCase());
    }
    for (const node of nodes) checkNode(node, name => tables.has(name.toLowerCase()) || defined.has(name.toLowerCase()));
    return usedColumns(nodes);
}

function checkNode(node: ParsedNode, isTable: (name: string) => boolean): void {
    const at = Number(node.query_location);
    const place = Number.isSafeInteger(at) ? at : undefined;
    switch (node.type) {
        case 'BASE_TABLE': {
            const name = String(node.table_name);
            const path = [node.catalog_name, node.schema_name].map(String).filter(part => part !== '');
            if (path.length > 0 || !isTable(name)) throw failed(say`there is no table '${[...path, name].join('.')}'`, place);
            return;
        }
        case 'TABLE_FUNCTION': {
            const name = isNode(node.function) ? String(node.function.function_name) : '';
            if (!isQueryTableFunction(name)) throw failed(say`'${name}' is no function that queries may read from`, place);
            return;
        }
        case 'SHOW_REF':
        case 'BOUND_TABLE_REF':
        case 'DELIM_GET':
            throw failed(say`it may read tables only`, place);
        case 'FUNCTION': {
            const name = String(node.function_name);
            if (!isQueryFunction(name)) throw failed(say`'${name}' is no function that queries may call`, place);
            return;
        }
        default:
            return;
    }
}

/** Returns the columns that the nodes name; all if a `*`, a natural join or the name of a table alone stands for columns. */
function usedColumns(nodes: readonly ParsedNode[]): UsedColumns {
    const used = new Set<string>();
    const tables = new Set<string>();
    let isAll = false;
    for (const node of nodes) {
        if (node.type === 'STAR' || node.type === 'PIVOT' || node.ref_type === 'NATURAL') isAll = true;
        for (const name of [...textsIn(node.column_names), ...textsIn(node.using_columns)]) used.add(name.toLowerCase());
        if (node.type === 'BASE_TABLE') for (const name of [node.table_name, node.alias]) tables.add(String(name).toLowerCase());
        // `t(a, b)` names columns by their places.
        if (textsIn(node.column_name_alias).length > 0) isAll = true;
    }
    const isRow = nodes.some(
        ({ column_names: names }) => textsIn(names).length === 1 && tables.has(String(textsIn(names)[0]).toLowerCase()),
    );
    return isAll || isRow ? () => true : column => used.has(column.toLowerCase());
}

function failed(message: string, position: number | undefined): QueryFailed {
    return new QueryFailed(message, position === undefined ? undefined : { start: position, end: position + 1 });
}
