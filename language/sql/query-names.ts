import type { SqlNode } from './parse-select.ts';
import { writtenName } from './readable-sql.ts';
import { isNode, nodesIn, textOf } from './sql-nodes.ts';

/** A column that a query names. */
export interface ColumnUse {
    /** What stands before its dot. */
    readonly qualifier: string | undefined;
    readonly column: string;
    /** Names of the tables that it can be a column of. */
    readonly tables: readonly string[];
    /** Whether the qualifier is the name of its table, and no alias. */
    readonly isTableName: boolean;
}

/** Names as the tree has them. */
export interface QueryNames {
    /** The tables that are read, each time one is named, without those that a WITH defines; in the order of the text. */
    readonly tables: readonly string[];
    readonly columns: readonly ColumnUse[];
}

/** What a FROM list offers by a name; a subquery or what a WITH defines is no table. */
interface Source {
    readonly exposed: string;
    readonly table: string | undefined;
    readonly isAlias: boolean;
}

interface Scope {
    readonly sources: readonly Source[];
    /** Names that WITH defines. */
    readonly defined: ReadonlySet<string>;
    readonly outer: Scope | undefined;
}

interface Work {
    readonly value: unknown;
    readonly scope: Scope;
    readonly isFrom: boolean;
}

/** The tables and columns that a SELECT names. `nameOf` gives the name that a text of the tree stands for. */
export function queryNames(select: SqlNode, nameOf: (text: string) => string = writtenName): QueryNames {
    const key = (text: string): string => nameOf(text).toLowerCase();
    const tables: string[] = [];
    const columns: ColumnUse[] = [];
    // A stack of its own: conditions and unions nest as deep as they are long.
    const work: Work[] = [{ value: select, scope: { sources: [], defined: new Set(), outer: undefined }, isFrom: false }];
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
            const inner = { sources: sourcesOf(value.from, defined, key), defined, outer: scope };
            for (const [name, part] of Object.entries(parts)) add(part, inner, name === 'from');
            add(following, { ...scope, defined });
        } else if (value.type === 'column_ref') columns.push(...columnOf(value, scope, key));
        else {
            const table = isFrom ? tableOf(value, scope.defined, key) : undefined;
            if (table !== undefined) tables.push(table);
            for (const part of Object.values(value)) add(part, scope, isFrom && isNode(part) && part.type === 'tables');
            if (isFrom && value.type === 'tables') children.splice(0, children.length, { value: value.expr, scope, isFrom });
        }
        work.push(...children.reverse());
    }
    return { tables, columns };
}

/** Adds the queries of a WITH to what is to be read, and gives the names that are known after it. */
function defineTables(
    definitions: unknown,
    scope: Scope,
    key: (text: string) => string,
    add: (child: unknown, inner: Scope) => void,
): ReadonlySet<string> {
    const all = nodesIn(definitions);
    const names = all.map(({ name }) => key(textOf(name) ?? ''));
    const isRecursive = all.some(({ recursive }) => recursive === true);
    for (const [i, { stmt }] of all.entries()) {
        const known = isRecursive ? names : names.slice(0, i);
        add(stmt, { sources: [], defined: new Set([...scope.defined, ...known]), outer: scope });
    }
    return new Set([...scope.defined, ...names]);
}

function sourcesOf(from: unknown, defined: ReadonlySet<string>, key: (text: string) => string): Source[] {
    return nodesIn(from).flatMap((item): Source[] => {
        const { as, expr } = item;
        if (isNode(expr) && expr.type === 'tables') return sourcesOf(expr.expr, defined, key);
        const table = tableOf(item, defined, key);
        // An alias with columns is one text: `x(a, b)`.
        const alias = textOf(as)?.split('(', 1)[0];
        const exposed = alias ?? textOf(item.table);
        return exposed === undefined ? [] : [{ exposed: key(exposed), table, isAlias: alias !== undefined }];
    });
}

function tableOf({ table, db }: SqlNode, defined: ReadonlySet<string>, key: (text: string) => string): string | undefined {
    if (typeof table !== 'string') return undefined;
    return typeof db !== 'string' && defined.has(key(table)) ? undefined : table;
}

function columnOf(node: SqlNode, scope: Scope, key: (text: string) => string): ColumnUse[] {
    const qualifier = textOf(node.schema) ?? textOf(node.table);
    const column = textOf(node.column);
    if (column === undefined) return [];
    const scopes: Scope[] = [];
    for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) scopes.push(at);
    const all = scopes.flatMap(({ sources }) => sources);
    if (qualifier === undefined) return [{ qualifier, column, tables: all.flatMap(({ table }) => table ?? []), isTableName: false }];
    const source = all.find(({ exposed }) => exposed === key(qualifier));
    const tables = source?.table === undefined ? [] : [source.table];
    return [{ qualifier, column, tables, isTableName: source !== undefined && !source.isAlias }];
}
