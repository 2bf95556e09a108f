import { namedColumn, schemaOf } from './column-path.ts';
import type { SqlNode } from './parse-select.ts';
import { writtenName } from './readable-sql.ts';
import { isNode, nodesIn, textOf } from './sql-nodes.ts';

/** A column that a query names. */
export interface ColumnUse {
    /** The name before its dot, without database and schema. */
    readonly qualifier: string | undefined;
    readonly column: string;
    /** Tables that may have the column: one list for each enclosing query, the innermost first. Callers may cache by list: columns share it. */
    readonly tables: readonly (readonly string[])[];
    /** Whether the qualifier is a name in FROM, of a table or a WITH, not an alias. */
    readonly isTableName: boolean;
}

/** Names in a query, as the parser's tree writes them. */
export interface QueryNames {
    /** Tables that the query reads, in text order, once for each mention. Names that a WITH defines are left out. */
    readonly tables: readonly string[];
    readonly columns: readonly ColumnUse[];
}

/** A source in a FROM list. `table` is undefined for a subquery and for a name that a WITH defines. */
interface Source {
    readonly exposed: string;
    readonly table: string | undefined;
    /** The schema before the table's name; undefined if it has an alias, which hides the schema. */
    readonly schema: string | undefined;
    readonly isAlias: boolean;
}

interface Scope {
    /** Sources of the FROM list, by the qualifier that columns use for them. */
    readonly sources: ReadonlyMap<string, Source>;
    /** Sources with a schema. */
    readonly qualified: readonly Source[];
    readonly tables: readonly string[];
    readonly defined: Defined;
    readonly outer: Scope | undefined;
}

/** Names that a WITH defines, by position, and those of enclosing WITHs. Only the first `known` can be used. */
interface Defined {
    readonly numbers: ReadonlyMap<string, number>;
    readonly known: number;
    readonly outer: Defined | undefined;
}

const NOTHING: Scope = {
    sources: new Map(),
    qualified: [],
    tables: [],
    defined: { numbers: new Map(), known: 0, outer: undefined },
    outer: undefined,
};

interface Work {
    readonly value: unknown;
    readonly scope: Scope;
    readonly isFrom: boolean;
}

/**
 * The tables and columns that a SELECT names, tables by their last names: `t` for `db.s.t`, even where a WITH defines a `t`. `nameOf` gives
 * the name that a text of the tree stands for.
 */
export function queryNames(select: SqlNode, nameOf: (text: string) => string = writtenName): QueryNames {
    const key = (text: string): string => nameOf(text).toLowerCase();
    const tables: string[] = [];
    const columns: ColumnUse[] = [];
    // Uses its own stack: a long condition or union nests too deep for recursion.
    const work: Work[] = [{ value: select, scope: NOTHING, isFrom: false }];
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
        const { value, scope, isFrom } = next;
        const children: Work[] = [];
        const add = (child: unknown, inner = scope, inFrom = false): void =>
            void children.push({ value: child, scope: inner, isFrom: inFrom });
        if (Array.isArray(value)) for (const one of value) add(one, scope, isFrom);
        else if (!isNode(value)) continue;
        else if (value.type === 'select') {
            const { with: definitions, _next: following, ...parts } = value;
            const defined = defineTables(definitions, scope, key, add);
            const all = sourcesOf(value.from, defined, key);
            const sources = new Map(all.map(source => [source.exposed, source] as const).reverse());
            const qualified = all.filter(({ schema }) => schema !== undefined);
            const inner = { sources, qualified, tables: all.flatMap(({ table }) => table ?? []), defined, outer: scope };
            for (const [name, part] of Object.entries(parts)) add(part, inner, name === 'from');
            add(following, { ...scope, defined });
        } else if (value.type === 'column_ref') columns.push(...columnOf(value, scope, key));
        else {
            const table = isFrom ? tableOf(value, scope.defined, key) : undefined;
            if (table !== undefined) tables.push(table);
            // Brackets around a join.
            if (isFrom && value.type === 'tables') add(value.expr, scope, true);
            else for (const part of Object.values(value)) add(part, scope, isFrom && isNode(part) && part.type === 'tables');
        }
        work.push(...children.reverse());
    }
    return { tables, columns };
}

/** Adds the queries of a WITH to the work, and returns the names that are known after it. */
function defineTables(
    definitions: unknown,
    scope: Scope,
    key: (text: string) => string,
    add: (child: unknown, inner: Scope) => void,
): Defined {
    const all = nodesIn(definitions);
    if (all.length === 0) return scope.defined;
    const names = all.map(({ name }) => key(textOf(name) ?? ''));
    const numbers = new Map(Array.from(names, (name, i) => [name, i] as const).reverse());
    const isRecursive = all.some(({ recursive }) => recursive === true);
    for (const [i, { stmt }] of all.entries())
        add(stmt, { ...NOTHING, defined: { numbers, known: isRecursive ? names.length : i, outer: scope.defined }, outer: scope });
    return { numbers, known: names.length, outer: scope.defined };
}

function isDefined(name: string, defined: Defined): boolean {
    for (let at: Defined | undefined = defined; at !== undefined; at = at.outer)
        if ((at.numbers.get(name) ?? at.known) < at.known) return true;
    return false;
}

function sourcesOf(from: unknown, defined: Defined, key: (text: string) => string): Source[] {
    return nodesIn(from).flatMap((item): Source[] => {
        const { as, expr } = item;
        if (isNode(expr) && expr.type === 'tables') return sourcesOf(expr.expr, defined, key);
        const table = tableOf(item, defined, key);
        // An alias with columns is one text: `x(a, b)`.
        const alias = textOf(as)?.split('(', 1)[0];
        const exposed = alias ?? textOf(item.table);
        const schema = alias === undefined ? schemaOf(item) : undefined;
        if (exposed === undefined) return [];
        return [{ exposed: key(exposed), table, schema: schema === undefined ? undefined : key(schema), isAlias: alias !== undefined }];
    });
}

function tableOf({ table, db }: SqlNode, defined: Defined, key: (text: string) => string): string | undefined {
    if (typeof table !== 'string') return undefined;
    return typeof db !== 'string' && isDefined(key(table), defined) ? undefined : table;
}

function columnOf(node: SqlNode, scope: Scope, key: (text: string) => string): ColumnUse[] {
    const scopes: Scope[] = [];
    for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) scopes.push(at);
    const named = namedColumn(node, (schema, table) =>
        scopes.some(({ qualified }) => qualified.some(source => source.exposed === key(table) && source.schema === key(schema))),
    );
    if (named === undefined) return [];
    const { qualifier, column } = named;
    const around = scopes.map(({ tables }) => tables);
    if (qualifier === undefined) return [{ qualifier, column, tables: around, isTableName: false }];
    const source = scopes.find(({ sources }) => sources.has(key(qualifier)))?.sources.get(key(qualifier));
    const tables = source?.table === undefined ? [] : [[source.table]];
    return [{ qualifier, column, tables, isTableName: source !== undefined && !source.isAlias }];
}
