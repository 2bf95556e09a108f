import type { QueryInput } from '#engine/contracts/queries.ts';
import { isGrouped } from './lineage-query.ts';
import { isNode, listIn, nodesIn, type ParsedNode, textsIn } from './parsed-sql.ts';

/** A SELECT taken apart: what its FROM lists, what has to hold, and what it shows. */
export interface QueryParts {
    readonly node: ParsedNode;
    readonly units: readonly Unit[];
    /** Of WHERE, and of inner joins. */
    readonly conditions: readonly Condition[];
    readonly items: readonly Item[];
    /** The units that a column is of, by their places. */
    unitsOf(column: ParsedNode): ReadonlySet<number>;
}

/** A table, a derived table, or tables with joins that are not taken apart. */
interface Unit {
    readonly from: ParsedNode;
    /** As the query calls it. */
    readonly name?: string;
    /** A table of the program, in lower case. */
    readonly table?: string;
}

/** A part, with the places of the units that it is about; `all` where that is not plain. */
export interface Part {
    readonly node: ParsedNode;
    readonly mentions: ReadonlySet<number> | 'all';
}

export interface Condition extends Part {
    /** A column of a table that equals something. */
    readonly equals: readonly (TableColumn & { readonly value: ParsedNode; readonly others: ReadonlySet<number> })[];
}

interface Item extends Part {
    /** The item is a column of a table. */
    readonly column?: TableColumn;
    readonly equals: readonly never[];
}

/** A column by the place of its unit and its own. */
interface TableColumn {
    readonly unit: number;
    readonly column: number;
}

/** Undefined for a query that is not one SELECT of rows as they are. */
export function partsOf(parsed: unknown, tables: readonly QueryInput[]): QueryParts | undefined {
    const statement = isNode(parsed) ? listIn(parsed.statements)[0] : undefined;
    const node = statement?.node;
    if (!isNode(node) || !isPlain(node)) return undefined;
    const units: Unit[] = [];
    const joined: ParsedNode[] = [];
    collect(node.from_table, units, joined, tables);
    const unitsOf = resolver(units, tables);
    const mentionsOf = (part: ParsedNode): Part['mentions'] => {
        const found = new Set<number>();
        for (const one of nodesIn(part)) {
            if (one.class === 'SUBQUERY' || one.type === 'STAR') return 'all';
            if (one.type === 'COLUMN_REF') for (const unit of unitsOf(one)) found.add(unit);
        }
        return found;
    };
    const columnOf = (part: ParsedNode): TableColumn | undefined => {
        if (part.type !== 'COLUMN_REF') return undefined;
        const [unit, ...more] = unitsOf(part);
        const name = textsIn(part.column_names).at(-1)?.toLowerCase();
        const table = unit === undefined ? undefined : tables.find(one => one.name.toLowerCase() === units[unit]?.table);
        const column = table?.columns.findIndex(one => one.name.toLowerCase() === name) ?? -1;
        return unit === undefined || more.length > 0 || column < 0 ? undefined : { unit, column };
    };
    const equalsIn = ({ type, left, right }: ParsedNode): Condition['equals'] => {
        if (type !== 'COMPARE_EQUAL' || !isNode(left) || !isNode(right)) return [];
        return [[left, right] as const, [right, left] as const].flatMap(([side, value]) => {
            const [column, others] = [columnOf(side), mentionsOf(value)];
            return column === undefined || others === 'all' ? [] : [{ ...column, value, others }];
        });
    };
    const where = isNode(node.where_clause) ? [node.where_clause] : [];
    const conditions = [...joined, ...where]
        .flatMap(conjuncts)
        .map(one => ({ node: one, mentions: mentionsOf(one), equals: equalsIn(one) }));
    const items = listIn(node.select_list).map((one): Item => {
        const column = columnOf(one);
        return { node: one, mentions: mentionsOf(one), equals: [], ...(column && { column }) };
    });
    return { node, units, conditions, items, unitsOf };
}

/** The query with other units, conditions and items, and further columns behind them. */
export function withParts(
    { node }: QueryParts,
    units: readonly Unit[],
    conditions: readonly Condition[],
    items: readonly Pick<Item, 'node'>[],
    further: readonly ParsedNode[],
): ParsedNode {
    const [first = { from: { type: 'EMPTY' } }, ...others] = units;
    const from = others.reduce<ParsedNode>(
        (left, { from: right }) => ({ type: 'JOIN', left, right, join_type: 'INNER', ref_type: 'CROSS', using_columns: [] }),
        first.from,
    );
    const [only, ...more] = conditions.map(condition => condition.node);
    const where =
        more.length === 0 ? only : { class: 'CONJUNCTION', type: 'CONJUNCTION_AND', children: conditions.map(condition => condition.node) };
    return {
        ...node,
        modifiers: [],
        from_table: from,
        where_clause: where ?? null,
        select_list: [...items.map(item => item.node), ...further],
    };
}

/** The columns that stand in a condition, outside of subqueries, each once. */
export function columnNames(part: ParsedNode): { readonly name: string; readonly node: ParsedNode }[] {
    const columns = [...nodesIn(part, ({ class: kind }) => kind === 'SUBQUERY')].filter(({ type }) => type === 'COLUMN_REF');
    return [...new Map(columns.map(node => [textsIn(node.column_names).join('.'), node])).entries()].map(([name, node]) => ({
        name,
        node,
    }));
}

function isPlain(node: ParsedNode): boolean {
    const modifiers = listIn(node.modifiers).map(({ type }) => type);
    return (
        node.type === 'SELECT_NODE' &&
        !isGrouped(node) &&
        !isNode(node.sample) &&
        !isNode(node.qualify) &&
        modifiers.every(type => type === 'ORDER_MODIFIER' || type === 'DISTINCT_MODIFIER') &&
        [...nodesIn(node.select_list)].every(one => one.class !== 'WINDOW' && one.function_name !== 'unnest')
    );
}

function collect(from: unknown, units: Unit[], joined: ParsedNode[], tables: readonly QueryInput[]): void {
    if (!isNode(from) || from.type === 'EMPTY') return;
    const isPulled =
        from.join_type === 'INNER' &&
        (from.ref_type === 'REGULAR' || from.ref_type === 'CROSS') &&
        textsIn(from.using_columns).length === 0;
    if (from.type === 'JOIN' && isPulled) {
        collect(from.left, units, joined, tables);
        collect(from.right, units, joined, tables);
        if (isNode(from.condition)) joined.push(from.condition);
        return;
    }
    const written = from.type === 'BASE_TABLE' ? String(from.table_name) : '';
    const name = String(from.alias ?? '') || written;
    const isTable = tables.some(table => table.name.toLowerCase() === written.toLowerCase());
    units.push({ from, ...(name === '' ? {} : { name }), ...(isTable && { table: written.toLowerCase() }) });
}

/** Finds the units of a column: that of its qualifier, or those that may have it. */
function resolver(units: readonly Unit[], tables: readonly QueryInput[]): QueryParts['unitsOf'] {
    const byName = new Map(units.map(({ name }, unit) => [name?.toLowerCase(), unit]));
    const mayHave = ({ table }: Unit, column: string): boolean => {
        const columns = tables.find(({ name }) => name.toLowerCase() === table)?.columns;
        return columns === undefined || columns.some(({ name }) => name.toLowerCase() === column);
    };
    return column => {
        const [first = '', ...more] = textsIn(column.column_names).map(name => name.toLowerCase());
        const unit = more.length > 0 ? byName.get(first) : undefined;
        if (unit !== undefined) return new Set([unit]);
        return new Set(units.flatMap((one, at) => (more.length > 0 || mayHave(one, first) ? [at] : [])));
    };
}

function conjuncts(node: ParsedNode): ParsedNode[] {
    return node.type === 'CONJUNCTION_AND' ? listIn(node.children).flatMap(conjuncts) : [node];
}
