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

/** An item of a FROM list. */
export interface FromItem {
    /** What stands before the dots of its columns. */
    readonly exposed: string;
    readonly table: string;
    readonly predicate: string;
    readonly isLeft: boolean;
    /** Conditions of its join. */
    readonly on: readonly SqlNode[];
    /** The columns of its USING, and the item before that has them too. */
    readonly shared: readonly { readonly column: string; readonly with: number }[];
}

/** The columns of the tables of a query, in order. */
export interface TableColumns {
    /** Undefined where neither the project nor the query tells. */
    all(predicate: string): readonly string[] | undefined;
    /** The item that has a column, and where in it. */
    find(column: SqlNode, items: readonly FromItem[]): { readonly item: number; readonly at: number };
}

const JOINS = new Set(['INNER JOIN', 'CROSS JOIN', 'LEFT JOIN']);

/** The tables of a FROM list. */
export function fromItems(select: SqlNode, known: readonly KnownTable[]): FromItem[] {
    const items: FromItem[] = [];
    const names = new Set<string>();
    for (const node of nodesOf(select.from)) {
        onlyParts(node, 'table', 'as', 'join', 'on', 'using', 'db');
        const { join } = node;
        const table = nameOf(node.table) ?? beyond(say`no table`);
        if (typeof join === 'string' && !JOINS.has(join)) beyond(join);
        const found = known.find(({ name }) => name === table) ?? known.find(({ name }) => sameName(name, table));
        const exposed = aliasOf(node) ?? table;
        if (names.has(exposed.toLowerCase())) beyond(say`two tables of one name`);
        names.add(exposed.toLowerCase());
        const shared = (Array.isArray(node.using) ? node.using : []).map(column => sharedColumn(nameOf(column), items, known));
        const equalities = shared.map(({ column, with: other }) => equality(column, items[other]?.exposed ?? '', exposed));
        items.push({
            exposed,
            table,
            predicate: found?.name ?? predicateName(table),
            isLeft: join === 'LEFT JOIN',
            on: [...(isNode(node.on) ? [node.on] : []), ...equalities],
            shared,
        });
    }
    return items;
}

/** The parser takes CROSS and NATURAL for aliases where a join follows. */
function aliasOf({ as }: SqlNode): string | undefined {
    const alias = nameOf(as);
    if (alias?.toLowerCase() === 'natural' || alias?.includes('(')) beyond(say`an alias`);
    return alias?.toLowerCase() === 'cross' ? undefined : alias;
}

/** The table before that has the column of a USING. */
function sharedColumn(column: string | undefined, before: readonly FromItem[], known: readonly KnownTable[]): FromItem['shared'][number] {
    if (column === undefined) return beyond(say`a column`);
    const hasColumn = ({ predicate }: FromItem): boolean =>
        known.some(({ name, columns }) => name === predicate && columns.some(one => sameName(one, column)));
    return { column, with: Math.max(0, before.findIndex(hasColumn)) };
}

function equality(column: string, left: string, right: string): SqlNode {
    const [a, b] = [left, right].map(table => ({ type: 'column_ref', table, column }));
    return { type: 'binary_expr', operator: '=', left: a, right: b };
}

/** Of tables that the project does not know, or only by facts, the columns that the query names count, in the order of its text. */
export function tableColumns(selects: readonly SqlNode[], known: readonly KnownTable[]): TableColumns {
    const named = new Map<string, readonly string[]>();
    const widths = new Map<string, number>();
    for (const { name, columns } of known) {
        const isNumbered = columns.every((column, i) => column === `${name}_${i}`);
        if (isNumbered) widths.set(name, columns.length);
        else named.set(name, columns);
    }
    /** As they are first written, by what they are in lower case. */
    const mentioned = new Map<string, Map<string, string>>();
    const numbered = new Set<string>();
    for (const select of selects) {
        const items = fromItems(select, known);
        for (const column of columnsIn(select, items)) {
            const name = columnName(column);
            if (name === '*') continue;
            const { predicate, table } = items[itemOf(column, items, named)] ?? beyond(say`a table`);
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
    return {
        all,
        find: (column, items) => {
            const item = itemOf(column, items, named);
            const { predicate, table } = items[item] ?? beyond(say`a table`);
            const { length } = all(predicate) ?? [];
            const name = columnName(column);
            const number = places(predicate).get(name.toLowerCase()) ?? numberOf(name, table) ?? length;
            return number < length ? { item, at: number } : beyond(say`column ${name}`);
        },
    };
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

/** The item of a FROM list that a column is of. */
function itemOf(column: SqlNode, items: readonly FromItem[], named: ReadonlyMap<string, readonly string[]>): number {
    onlyParts(column, 'type', 'table', 'column', 'parentheses');
    const qualifier = nameOf(column.table);
    if (qualifier !== undefined) {
        const at = items.findIndex(({ exposed }) => sameName(exposed, qualifier));
        return at < 0 ? beyond(qualifier) : at;
    }
    if (items.length === 1) return 0;
    const name = columnName(column);
    const shared = items.flatMap(item => item.shared).find(({ column: one }) => sameName(one, name));
    if (shared !== undefined) return shared.with;
    const having = items.flatMap((item, i) => (named.get(item.predicate)?.some(one => sameName(one, name)) ? [i] : []));
    const others = items.flatMap((item, i) => (named.has(item.predicate) ? [] : [i]));
    const [only, ...more] = having.length > 0 ? having : others;
    return only === undefined || more.length > 0 ? beyond(say`column ${name}`) : only;
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
