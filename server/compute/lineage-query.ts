import { isQueryAggregate } from '#language/sql/query-functions.ts';
import { isNode, listIn, nodesIn, type ParsedNode, textsIn } from './parsed-sql.ts';

/** How a query is made to say where its rows come from. */
export interface LineageQuery {
    /** The changed query, as it was given: `json_deserialize_sql` makes a text of it. */
    readonly parsed: unknown;
    /**
     * The columns behind those of the result. `each`: a row number for each input. `merged`: likewise, and rows with the same columns are
     * to be put together. `groups`: how many matches a group has, and a list of the first ones, each a list of row numbers.
     */
    readonly kind: 'each' | 'merged' | 'groups';
    /** The table of each input, by its name in lower case; a table may be several. Where a match has no row of it, its number is NULL or -1. */
    readonly inputs: readonly string[];
}

/** Matches of a group to list. */
export const TOLD = 100;

/** A place where the number of a row can be read. */
interface Input {
    readonly table: string;
    readonly number: ParsedNode;
    /** Further columns that a `*` of a table with this alias would show. */
    readonly hidden?: Hidden;
}

interface Hidden {
    readonly name: string;
    readonly alias: string;
}

/** Thrown for a lineage that rows of tables cannot express. */
class Untold extends Error {}

/**
 * Adds the numbers of the rows of its tables to what a query selects, through derived tables, common table expressions and UNION ALL; DuckDB
 * calls the number of a row `rowid`. This is the lineage of Cui and Widom (VLDB Journal 2000) by rewriting, as in Perm (Glavic and Alonso, ICDE 2009).
 * Rows that subqueries of conditions read are not told. Undefined where windows, EXCEPT, recursion and the like make rows of something else. The tree is changed.
 */
export function lineageQuery(parsed: unknown, hasRowNumber: (table: string) => boolean): LineageQuery | undefined {
    const statement = isNode(parsed) ? listIn(parsed.statements)[0] : undefined;
    if (!isNode(statement?.node)) return undefined;
    const { node } = statement;
    try {
        const rewriting = new Rewriting(hasRowNumber);
        const kind = topKind(node);
        const inputs = kind === 'groups' ? rewriting.group(node) : rewriting.number(node, new Map(), kind === 'merged');
        if (inputs.length === 0 || (rewriting.aliases.size > 0 && showsAdded(node, rewriting.aliases))) return undefined;
        return { parsed, kind, inputs: inputs.map(({ table }) => table) };
    } catch (error) {
        if (error instanceof Untold || error instanceof RangeError) return undefined;
        throw error;
    }
}

function topKind(node: ParsedNode): LineageQuery['kind'] {
    if (isGrouped(node)) return 'groups';
    const isDistinct = node.type === 'SET_OPERATION_NODE' ? node.setop_all !== true : hasModifier(node, 'DISTINCT_MODIFIER');
    if (!isDistinct) return 'each';
    // It is unknown which of equal rows a limit leaves.
    if (isLimited(node)) throw new Untold();
    return 'merged';
}

function isLimited(node: ParsedNode): boolean {
    return hasModifier(node, 'LIMIT_MODIFIER') || hasModifier(node, 'LIMIT_PERCENT_MODIFIER');
}

function hasModifier({ modifiers }: ParsedNode, type: string): boolean {
    return listIn(modifiers).some(modifier => modifier.type === type);
}

/** Inputs of a common table expression, whose columns have these names. */
type Defined = ReadonlyMap<string, () => readonly Input[]>;

class Rewriting {
    readonly #hasRowNumber: (table: string) => boolean;
    /** Names of queries in FROM that have row numbers besides their columns, in lower case. */
    readonly aliases = new Set<string>();
    #names = 0;

    constructor(hasRowNumber: (table: string) => boolean) {
        this.#hasRowNumber = hasRowNumber;
    }

    /** Adds the row numbers of the inputs of a query as its last columns, under names of their own. */
    number(node: ParsedNode, around: Defined, isTop = false): Input[] {
        if (node.type === 'SET_OPERATION_NODE') return this.#numberUnion(node, around, isTop);
        if (isGrouped(node) || (hasModifier(node, 'DISTINCT_MODIFIER') && !isTop)) throw new Untold();
        const inputs = this.#inputsOf(node, around);
        if (isTop) node.modifiers = [];
        return this.#select(node, inputs);
    }

    /** Adds the count of the matches of each group, and the first ones, as the last columns of a query with groups. */
    group(node: ParsedNode): readonly Input[] {
        if (hasModifier(node, 'DISTINCT_MODIFIER') || (Array.isArray(node.group_sets) && node.group_sets.length > 1)) throw new Untold();
        const inputs = this.#inputsOf(node, new Map());
        const match = call(
            'list_value',
            inputs.map(({ number }) => ({ class: 'OPERATOR', type: 'OPERATOR_COALESCE', children: [number, integer(-1)] })),
        );
        node.select_list = [...listIn(node.select_list), call('count_star', []), call('min', [match, integer(TOLD)])];
        return inputs;
    }

    #numberUnion(node: ParsedNode, around: Defined, isTop: boolean): Input[] {
        const { left, right } = node;
        if (node.setop_type !== 'UNION' || (node.setop_all !== true && !isTop) || !isNode(left) || !isNode(right)) throw new Untold();
        if (isTop) Object.assign(node, { setop_all: true, modifiers: [] });
        const defined = this.#defined(node, around);
        const [before, after] = [left, right].map(side => this.number(side, defined, isTop && !isLimited(side)));
        if (before === undefined || after === undefined) throw new Untold();
        appendTo(
            left,
            after.map(({ hidden }) => ({ ...NULL_NUMBER, alias: hidden?.name })),
        );
        insertBefore(
            right,
            after.length,
            before.map(() => NULL_NUMBER),
        );
        return [...before, ...after];
    }

    #select(node: ParsedNode, inputs: readonly Input[]): Input[] {
        const named = inputs.map(({ table, number }) => ({ table, name: `$row ${this.#names++}`, number }));
        node.select_list = [...listIn(node.select_list), ...named.map(({ name, number }) => ({ ...number, alias: name }))];
        return named.map(({ table, name }) => ({ table, number: column(name), hidden: { name, alias: '' } }));
    }

    #inputsOf(node: ParsedNode, around: Defined): readonly Input[] {
        if (node.type !== 'SELECT_NODE' || isNode(node.sample) || isNode(node.qualify) || hasDistinctOn(node)) throw new Untold();
        const own = [node.select_list, node.where_clause, node.having, node.group_expressions, node.modifiers];
        const parts = [...nodesIn(own, isSubquery)];
        if (parts.some(part => part.class === 'WINDOW' || part.columns === true)) throw new Untold();
        const inputs = this.#inputsFrom(node.from_table, this.#defined(node, around));
        const hidden = inputs.flatMap(input => input.hidden ?? []);
        for (const { alias } of hidden) this.aliases.add(alias.toLowerCase());
        hide(parts, hidden);
        return inputs;
    }

    #defined({ cte_map: map }: ParsedNode, around: Defined): Defined {
        const defined = new Map(around);
        for (const { key, value } of isNode(map) ? listIn(map.map) : []) {
            const query = isNode(value) && isNode(value.query) ? value.query.node : undefined;
            if (!isNode(query) || !isNode(value)) throw new Untold();
            const outer = new Map(defined);
            const aliases = textsIn(value.aliases);
            let inputs: readonly Input[] | undefined;
            defined.set(String(key).toLowerCase(), () => {
                inputs ??= this.number(query, outer);
                if (aliases.length > 0 && inputs.length > 0) throw new Untold();
                return inputs;
            });
        }
        return defined;
    }

    #inputsFrom(from: unknown, defined: Defined): readonly Input[] {
        if (!isNode(from) || isNode(from.sample)) throw new Untold();
        switch (from.type) {
            case 'EMPTY':
            case 'EXPRESSION_LIST':
            case 'TABLE_FUNCTION':
                return [];
            case 'BASE_TABLE': {
                const name = String(from.table_name);
                const alias = from.alias === '' ? name : String(from.alias);
                const inner = defined.get(name.toLowerCase());
                if (inner !== undefined) return behind(inner(), alias);
                if (!this.#hasRowNumber(name.toLowerCase())) throw new Untold();
                return [{ table: name.toLowerCase(), number: column(alias, 'rowid') }];
            }
            case 'SUBQUERY': {
                const query = isNode(from.subquery) ? from.subquery.node : undefined;
                if (!isNode(query)) throw new Untold();
                return behind(this.number(query, defined), String(from.alias));
            }
            case 'JOIN':
                return this.#inputsOfJoin(from, defined);
            default:
                throw new Untold();
        }
    }

    #inputsOfJoin(join: ParsedNode, defined: Defined): readonly Input[] {
        const left = this.#inputsFrom(join.left, defined);
        switch (join.join_type) {
            case 'SEMI':
            case 'ANTI':
                return left;
            case 'INNER':
            case 'LEFT':
            case 'RIGHT':
            case 'FULL': {
                const inputs = [...left, ...this.#inputsFrom(join.right, defined)];
                const isPlain = join.ref_type === 'REGULAR' || join.ref_type === 'CROSS' || join.ref_type === 'NATURAL';
                if (!isPlain || (join.ref_type === 'NATURAL' && inputs.some(({ hidden }) => hidden !== undefined))) throw new Untold();
                return inputs;
            }
            default:
                throw new Untold();
        }
    }
}

/** Inputs of a query that stands in a FROM under this alias. */
function behind(inputs: readonly Input[], alias: string): Input[] {
    return inputs.map(({ table, hidden }) => {
        const name = hidden?.name ?? '';
        return { table, number: alias === '' ? column(name) : column(alias, name), hidden: { name, alias } };
    });
}

/** Has stars show what they would have shown. */
function hide(parts: readonly ParsedNode[], hidden: readonly Hidden[]): void {
    for (const part of parts) {
        if (part.type !== 'STAR') continue;
        const relation = String(part.relation_name).toLowerCase();
        const names = hidden.filter(({ alias }) => relation === '' || alias.toLowerCase() === relation).map(({ name }) => name);
        part.exclude_list = [...textsIn(part.exclude_list), ...new Set(names)];
    }
}

/** Whether columns that were added to a query inside another one can show in a value: of a whole row, or of a star in a subquery. */
function showsAdded(node: ParsedNode, aliases: ReadonlySet<string>): boolean {
    for (const part of nodesIn(node)) {
        if (isSubquery(part) && [...nodesIn(part.subquery)].some(({ type }) => type === 'STAR')) return true;
        const names = part.type === 'COLUMN_REF' ? textsIn(part.column_names) : [];
        if (names.length === 1 && aliases.has(names[0]?.toLowerCase() ?? '')) return true;
    }
    return false;
}

function appendTo(node: ParsedNode, columns: readonly ParsedNode[]): void {
    if (node.type === 'SELECT_NODE') node.select_list = [...listIn(node.select_list), ...columns];
    else for (const side of [node.left, node.right]) if (isNode(side)) appendTo(side, columns);
}

function insertBefore(node: ParsedNode, last: number, columns: readonly ParsedNode[]): void {
    if (node.type === 'SELECT_NODE') {
        const selected = listIn(node.select_list);
        const at = selected.length - last;
        node.select_list = [...selected.slice(0, at), ...columns, ...selected.slice(at)];
    } else for (const side of [node.left, node.right]) if (isNode(side)) insertBefore(side, last, columns);
}

function column(...names: readonly string[]): ParsedNode {
    return { class: 'COLUMN_REF', type: 'COLUMN_REF', column_names: names };
}

function integer(value: number): ParsedNode {
    return { class: 'CONSTANT', type: 'VALUE_CONSTANT', value: { type: { id: 'INTEGER' }, is_null: false, value } };
}

const NULL_NUMBER: ParsedNode = {
    class: 'CAST',
    type: 'OPERATOR_CAST',
    child: { class: 'CONSTANT', type: 'VALUE_CONSTANT', value: { type: { id: 'NULL' }, is_null: true } },
    cast_type: { id: 'BIGINT' },
};

function call(name: string, children: readonly ParsedNode[]): ParsedNode {
    return { class: 'FUNCTION', type: 'FUNCTION', function_name: name, children };
}

function isSubquery({ class: kind }: ParsedNode): boolean {
    return kind === 'SUBQUERY';
}

function hasDistinctOn({ modifiers }: ParsedNode): boolean {
    return listIn(modifiers).some(({ distinct_on_targets: targets }) => Array.isArray(targets) && targets.length > 0);
}

/** Whether a SELECT makes groups, of all its rows too. */
export function isGrouped(node: ParsedNode): boolean {
    if (node.type !== 'SELECT_NODE') return false;
    const isWritten = (Array.isArray(node.group_expressions) && node.group_expressions.length > 0) || isNode(node.having);
    const calls = [...nodesIn([node.select_list, node.having, node.modifiers], isSubquery)];
    return (
        isWritten ||
        node.aggregate_handling !== 'STANDARD_HANDLING' ||
        calls.some(({ type, function_name: name }) => type === 'FUNCTION' && isQueryAggregate(String(name)))
    );
}
