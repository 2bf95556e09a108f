import { say } from '#language/program/say.ts';
import type { SqlNode } from '#language/sql/parse-select.ts';
import { isNode } from '#language/sql/sql-nodes.ts';
import { predicateName } from '#server/sources/program-names.ts';
import { beyond, nameOf, nodesOf, onlyParts } from './sql-tree.ts';

/** A predicate whose columns are known, by its own name. */
export interface KnownTable {
    readonly name: string;
    readonly columns: readonly string[];
}

/** The known tables by their names. */
export interface KnownTables {
    readonly all: readonly KnownTable[];
    /** The table of a name, or else of one that differs in capitals alone. */
    find(name: string): KnownTable | undefined;
    /** The columns of the predicate of this very name, in lower case. */
    columns(predicate: string): Iterable<string>;
}

export function knownTables(all: readonly KnownTable[]): KnownTables {
    const byName = new Map<string, KnownTable>();
    const byKey = new Map<string, KnownTable>();
    const columns = new Map<string, Set<string>>();
    for (const table of all) {
        if (!byName.has(table.name)) byName.set(table.name, table);
        const key = table.name.toLowerCase();
        if (!byKey.has(key)) byKey.set(key, table);
        const own = columns.get(table.name) ?? new Set();
        columns.set(table.name, own);
        for (const column of table.columns) own.add(column.toLowerCase());
    }
    return {
        all,
        find: name => byName.get(name) ?? byKey.get(name.toLowerCase()),
        columns: predicate => columns.get(predicate) ?? [],
    };
}

/** An item of a FROM list. */
export interface FromItem {
    /** The qualifier of its columns. */
    readonly exposed: string;
    readonly table: string;
    readonly predicate: string;
    readonly isLeft: boolean;
    /** Conditions of its join. */
    readonly on: readonly SqlNode[];
}

/** The tables of a FROM list. */
export interface FromList {
    readonly select: SqlNode;
    readonly items: readonly FromItem[];
    /** The number of an item by what stands before the dots of its columns. */
    exposed(name: string): number | undefined;
    /** The number of the item whose column a USING means by a name. */
    shared(column: string): number | undefined;
}

/** The columns of the tables of a query, in order. */
export interface TableColumns {
    /** Undefined where neither the project nor the query tells. */
    all(predicate: string): readonly string[] | undefined;
    /** The item that has a column, and where in it. */
    find(column: SqlNode, list: FromList): { readonly item: number; readonly at: number };
}

const JOINS = new Set(['INNER JOIN', 'CROSS JOIN', 'LEFT JOIN']);

function fromList(select: SqlNode, known: KnownTables): FromList {
    const items: FromItem[] = [];
    const names = new Map<string, number>();
    const shared = new Map<string, number>();
    /** Database and schema of each table: rules know tables by their last names alone. */
    const origins = new Map<string, string>();
    /** The first item that has a column, of those that have been asked. */
    const having = new Map<string, number>();
    let asked = 0;
    const firstHaving = (column: string): number => {
        for (; asked < items.length; asked++)
            for (const one of known.columns(items[asked]?.predicate ?? '')) if (!having.has(one)) having.set(one, asked);
        return having.get(column.toLowerCase()) ?? 0;
    };
    for (const node of nodesOf(select.from)) {
        onlyParts(node, 'table', 'as', 'join', 'on', 'using', 'db', 'schema');
        const { join } = node;
        const table = nameOf(node.table) ?? beyond(say`no table`);
        if (typeof join === 'string' && !JOINS.has(join)) beyond(join);
        const origin = [nameOf(node.db), nameOf(node.schema)].flatMap(name => name?.toLowerCase() ?? []).join('.');
        if ((origins.get(table.toLowerCase()) ?? origin) !== origin) beyond(say`tables of one name in several schemas`);
        origins.set(table.toLowerCase(), origin);
        const found = known.find(table);
        const exposed = aliasOf(node) ?? table;
        if (names.has(exposed.toLowerCase())) beyond(say`two tables of one name`);
        names.set(exposed.toLowerCase(), items.length);
        const equalities = (Array.isArray(node.using) ? node.using : []).map(column => {
            const name = nameOf(column) ?? beyond(say`a column`);
            const other = firstHaving(name);
            if (!shared.has(name.toLowerCase())) shared.set(name.toLowerCase(), other);
            return equality(name, items[other]?.exposed ?? '', exposed);
        });
        items.push({
            exposed,
            table,
            predicate: found?.name ?? predicateName(table),
            isLeft: join === 'LEFT JOIN',
            on: [...(isNode(node.on) ? [node.on] : []), ...equalities],
        });
    }
    return { select, items, exposed: name => names.get(name.toLowerCase()), shared: column => shared.get(column.toLowerCase()) };
}

function aliasOf({ as }: SqlNode): string | undefined {
    const alias = nameOf(as);
    if (alias?.includes('(')) beyond(say`an alias`);
    return alias;
}

function equality(column: string, left: string, right: string): SqlNode {
    const [a, b] = [left, right].map(table => ({ type: 'column_ref', table, column }));
    return { type: 'binary_expr', operator: '=', left: a, right: b };
}

/**
 * The FROM lists of some SELECTs, and their columns. Of tables that the project does not know, or only by facts, the columns that the query
 * names count, in the order of its text.
 */
export function tableColumns(
    selects: readonly SqlNode[],
    known: KnownTables,
): { readonly columns: TableColumns; readonly lists: readonly FromList[] } {
    const named = new Map<string, readonly string[]>();
    const widths = new Map<string, number>();
    for (const { name, columns } of known.all) {
        const isNumbered = columns.every((column, i) => column === `${name}_${i}`);
        if (isNumbered) widths.set(name, columns.length);
        else named.set(name, columns);
    }
    /** As they are first written, by what they are in lower case. */
    const mentioned = new Map<string, Map<string, string>>();
    const numbered = new Set<string>();
    const itemOf = itemFinder(named);
    const lists: FromList[] = [];
    for (const select of selects) {
        const from = fromList(select, known);
        lists.push(from);
        for (const column of columnsIn(select, from.items)) {
            const name = columnName(column);
            if (name === '*') continue;
            const { predicate, table } = from.items[itemOf(column, from)] ?? beyond(say`a table`);
            if (named.has(predicate)) continue;
            const columns = mentioned.get(predicate) ?? new Map<string, string>();
            mentioned.set(predicate, columns);
            const number = numberOf(name, table);
            if (number !== undefined) {
                numbered.add(predicate);
                widths.set(predicate, Math.max(widths.get(predicate) ?? 0, number + 1));
            } else if (!columns.has(name.toLowerCase())) columns.set(name.toLowerCase(), name);
        }
    }
    const all = remembered((predicate: string): readonly string[] | undefined => {
        const columns = named.get(predicate);
        if (columns !== undefined) return columns;
        const names = [...(mentioned.get(predicate)?.values() ?? [])];
        const width = widths.get(predicate) ?? names.length;
        if (width === 0) return undefined;
        if (names.length > width || (names.length > 0 && numbered.has(predicate))) return beyond(say`columns by name and by number`);
        return Array.from({ length: width }, (_, i) => names[i] ?? `${predicate}_${i}`);
    });
    const places = remembered(
        (predicate: string): ReadonlyMap<string, number> =>
            new Map([...(all(predicate) ?? []).entries()].reverse().map(([i, name]) => [name.toLowerCase(), i])),
    );
    const columns: TableColumns = {
        all,
        find: (column, list) => {
            const item = itemOf(column, list);
            const { predicate, table } = list.items[item] ?? beyond(say`a table`);
            const { length } = all(predicate) ?? [];
            const name = columnName(column);
            const number = places(predicate).get(name.toLowerCase()) ?? numberOf(name, table) ?? length;
            return number < length ? { item, at: number } : beyond(say`column ${name}`);
        },
    };
    return { columns, lists };
}

/** The function, which works out each answer once. */
function remembered<T>(answer: (name: string) => T): (name: string) => T {
    const known = new Map<string, T>();
    return name => {
        const before = known.get(name);
        if (before !== undefined) return before;
        const found = answer(name);
        known.set(name, found);
        return found;
    };
}

export function columnName(column: SqlNode): string {
    return nameOf(column.column) ?? beyond(say`a column`);
}

export function sameName(left: string, right: string): boolean {
    return left.toLowerCase() === right.toLowerCase();
}

/** The number of a column that is called `<table>_<number>`. */
function numberOf(column: string, table: string): number | undefined {
    const suffix = /^(.*)_(\d{1,4})$/u.exec(column);
    return suffix !== null && sameName(suffix[1] ?? '', table) ? Number(suffix[2]) : undefined;
}

/** Finds the item of a FROM list that a column is of. */
function itemFinder(named: ReadonlyMap<string, readonly string[]>): (column: SqlNode, list: FromList) => number {
    const found = new WeakMap<FromList, OwnersOfColumns>();
    return (column, list) => {
        onlyParts(column, 'type', 'table', 'column', 'parentheses');
        const { items } = list;
        const qualifier = nameOf(column.table);
        if (qualifier !== undefined) return list.exposed(qualifier) ?? beyond(qualifier);
        if (items.length === 1) return 0;
        const name = columnName(column);
        const shared = list.shared(name);
        if (shared !== undefined) return shared;
        const owners = found.get(list) ?? ownersOfColumns(items, named);
        found.set(list, owners);
        const owner = owners.having.has(name.toLowerCase()) ? owners.having.get(name.toLowerCase()) : owners.other;
        return owner ?? beyond(say`column ${name}`);
    };
}

/** Numbers of items; null where there are several. */
interface OwnersOfColumns {
    /** The item that has a column, by the column's name in lower case. */
    readonly having: ReadonlyMap<string, number | null>;
    /** Whose columns are not known. */
    readonly other: number | null | undefined;
}

function ownersOfColumns(items: readonly FromItem[], named: ReadonlyMap<string, readonly string[]>): OwnersOfColumns {
    const having = new Map<string, number | null>();
    let other: number | null | undefined;
    for (const [i, { predicate }] of items.entries()) {
        const columns = named.get(predicate);
        if (columns === undefined) other = other === undefined ? i : null;
        else for (const key of new Set(columns.map(column => column.toLowerCase()))) having.set(key, having.has(key) ? null : i);
    }
    return { having, other };
}
/** The columns that a SELECT names, in the order of its text. */
function columnsIn(select: SqlNode, items: readonly FromItem[]): SqlNode[] {
    const found: SqlNode[] = [];
    const aliases = new Set(nodesOf(select.columns).flatMap(({ as }) => nameOf(as)?.toLowerCase() ?? []));
    const visit = (value: unknown, skipped: ReadonlySet<string> = new Set()): void => {
        if (Array.isArray(value)) for (const one of value) visit(one, skipped);
        else if (!isNode(value)) return;
        else if (value.type === 'select' || value.ast !== undefined) beyond(say`a subquery`);
        else if (value.type === 'column_ref') {
            if (nameOf(value.table) !== undefined || !skipped.has(columnName(value).toLowerCase())) found.push(value);
        } else for (const part of Object.values(value)) visit(part, skipped);
    };
    visit(select.columns);
    for (const { on } of items) visit(on);
    visit(select.where);
    // GROUP BY may name what is selected.
    visit(select.groupby, aliases);
    visit(select.having);
    return found;
}
