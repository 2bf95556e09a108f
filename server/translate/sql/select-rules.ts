import { uniqueName } from '#language/library/unique-name.ts';
import { say } from '#language/program/say.ts';
import type { SqlNode } from '#language/sql/parse-select.ts';
import { isNode } from '#language/sql/sql-nodes.ts';
import { variableName } from '#server/sources/program-names.ts';
import { conditionsOf, constantOf, expressionOf } from './sql-expressions.ts';
import { alternativesOf, beyond, nameOf, nodeOf, nodesOf, onlyParts } from './sql-tree.ts';
import { columnName, type FromItem, type FromList, type TableColumns } from './table-columns.ts';

/** Columns that the rules of a SELECT may have in all: a left join has those of all tables before it. */
export const MOST_COLUMNS = 100_000;

interface Context {
    readonly columns: TableColumns;
    /** Names for predicates between. */
    readonly helper: () => string;
    /** No other rules have the same head. */
    readonly isAlone: boolean;
}

/** The rules that derive the rows of one SELECT. */
export function selectRules(from: FromList, head: string, context: Context): string[] {
    return new SelectRules(from, context).into(head);
}

/** What is selected: an expression, and the name that it gets. */
interface Selected {
    readonly node: SqlNode;
    readonly alias: string | undefined;
}

class SelectRules {
    readonly #select: SqlNode;
    readonly #context: Context;
    readonly #from: FromList;
    readonly #items: readonly FromItem[];
    /** Variables of columns, by item and column. */
    readonly #variables: readonly (readonly string[])[];
    /** Equal columns share a variable: another one that stands for it. */
    readonly #sharing = new Map<string, string>();
    readonly #taken = new Set<string>();
    readonly #used = new Set<string>();
    /** Variables of aggregates, by what they compute. */
    readonly #aggregates = new Map<string, string>();
    readonly #lines: string[] = [];

    constructor(from: FromList, context: Context) {
        this.#select = from.select;
        this.#context = context;
        this.#from = from;
        this.#items = from.items;
        const all = this.#items.map(({ predicate }) => context.columns.all(predicate) ?? beyond(predicate));
        const tables = new Map<string, number>();
        for (const columns of all)
            for (const name of new Set(columns.map(column => column.toLowerCase()))) tables.set(name, (tables.get(name) ?? 0) + 1);
        const isShared = (column: string): boolean => (tables.get(column.toLowerCase()) ?? 0) > 1;
        this.#variables = all.map((columns, i) =>
            columns.map(column => {
                const name = isShared(column) ? `${this.#items[i]?.exposed} ${column}` : column;
                return uniqueName(variableName(name), '', this.#taken);
            }),
        );
    }

    into(head: string): string[] {
        const { groupby } = this.#select;
        const selected = this.#selected();
        const grouped = isNode(groupby) ? this.#groupColumns(groupby, selected) : [];
        const isGrouped = grouped.length > 0 || isNode(this.#select.having) || selected.some(({ node }) => hasAggregate(node));
        const filters = this.#filters();
        const terms = isGrouped ? this.#groups(selected, grouped) : selected.map(one => this.#term(one));
        const having = isNode(this.#select.having) ? conditionsOf(this.#select.having, this) : [];
        const computed = Array.from(this.#aggregates, ([text, variable]) => `${variable} = ${text}`);
        const assigned = terms.flatMap(({ assignment }) => assignment ?? []);
        const rows = [...this.#tables(), ...filters];
        const body = [...rows, ...computed, ...assigned, ...having];
        const heads = terms.map(({ term }) => term);
        const shown = new Set(terms.map(({ key }) => key));
        const hidden = grouped.map(node => expressionOf(node, this)).filter(key => !shown.has(key));
        if (body.length === 0) return [`${head}(${heads.join(',')}).`];
        if (this.#items.length === 0) return beyond(say`conditions without tables`);
        if (isGrouped && grouped.length === 0) this.#lines.push(...this.#withoutRows(head, selected, rows));
        if (hidden.length === 0 && (this.#context.isAlone || !isGrouped)) return [...this.#lines, rule(head, heads, body)];
        // Groups have the terms of the head for their key, and rules of one head share their groups.
        const helper = this.#context.helper();
        const seen = new Set<string>();
        const named = heads.map(term => {
            const isFirst = !seen.has(term);
            seen.add(term);
            return isFirst && /^[A-Z]\w*$/u.test(term) ? term : undefined;
        });
        const all = named.map(term => term ?? uniqueName('Column', '', this.#taken));
        return [
            ...this.#lines,
            rule(helper, [...heads, ...hidden], body),
            rule(head, all, [`${helper}(${[...all, ...hidden.map(() => '_')].join(',')})`]),
        ];
    }

    /** SQL has one group where nothing is grouped, even of no rows: then counts are 0, and other aggregates unknown. */
    #withoutRows(head: string, selected: readonly Selected[], rows: readonly string[]): string[] {
        if (isNode(this.#select.having)) return beyond(say`HAVING without GROUP BY`);
        const terms = selected.map(({ node }) => {
            if (isConstant(node)) return constantOf(node);
            if (node.type !== 'aggr_func') return beyond(say`what is computed from aggregates of all rows`);
            return String(node.name).toLowerCase() === 'count' ? '0' : uniqueName('Unknown', '', this.#taken);
        });
        const some = this.#context.helper();
        return [rule(some, [], rows), rule(head, terms, [`not ${some}()`])];
    }

    column(node: SqlNode): string {
        const { item, at } = this.#context.columns.find(node, this.#from);
        const variable = this.#shared(this.#variables[item]?.[at] ?? beyond(columnName(node)));
        this.#used.add(variable);
        return variable;
    }

    /** The variable that stands for one. */
    #shared(variable: string): string {
        let last = variable;
        for (let next: string | undefined = variable; next !== undefined; next = this.#sharing.get(last)) last = next;
        // Later ways are short.
        for (let at = variable; at !== last; ) {
            const next = this.#sharing.get(at) ?? last;
            this.#sharing.set(at, last);
            at = next;
        }
        return last;
    }

    aggregate(node: SqlNode): string {
        return this.#aggregateAs(node, undefined);
    }

    #aggregateAs(node: SqlNode, alias: string | undefined): string {
        const text = this.#aggregateText(node);
        const known = this.#aggregates.get(text);
        if (known !== undefined) return known;
        const variable = uniqueName(variableName(alias ?? String(node.name).toLowerCase()), '', this.#taken);
        this.#aggregates.set(text, variable);
        return variable;
    }

    #aggregateText(node: SqlNode): string {
        onlyParts(node, 'type', 'name', 'args', 'parentheses');
        const args = nodeOf(node.args);
        onlyParts(args, 'expr', 'distinct');
        const name = String(node.name).toLowerCase();
        const argument = nodeOf(args.expr);
        if (argument.type === 'star') return name === 'count' ? 'count()' : beyond(name);
        if (hasAggregate(argument)) return beyond(say`an aggregate of aggregates`);
        const value = expressionOf(argument, this);
        const isDistinct = args.distinct === 'DISTINCT';
        const isUnknown = this.#mayBeUnknown(argument);
        if (isDistinct && argument.type !== 'column_ref') return beyond(say`DISTINCT expressions`);
        const contributors = isDistinct ? `, <${value}>` : '';
        switch (name) {
            case 'count':
                // A group of nothing but unknown values counts as 0.
                return isUnknown ? `sum(if(is_null(${value}), 0, 1)${contributors})` : `count(${value}${contributors})`;
            case 'sum':
                return isUnknown ? beyond(say`sums of unknown values`) : `sum(${value}${contributors})`;
            case 'avg':
            case 'min':
            case 'max':
                return isUnknown || (isDistinct && name === 'avg') ? beyond(name) : `${name}(${value})`;
            default:
                return beyond(name);
        }
    }

    /** Columns behind a left join are unknown where nothing was joined. */
    #mayBeUnknown(node: SqlNode): boolean {
        if (node.type === 'column_ref') return this.#items[this.#context.columns.find(node, this.#from).item]?.isLeft === true;
        return Object.values(node).some(part => [part].flat().some(one => isNode(one) && this.#mayBeUnknown(one)));
    }

    #selected(): Selected[] {
        let width = 0;
        return nodesOf(this.#select.columns).flatMap((column): Selected[] => {
            const node = nodeOf(column.expr);
            if (node.type !== 'column_ref' || columnName(node) !== '*') return [{ node, alias: nameOf(column.as) }];
            const qualifier = nameOf(node.table);
            const wanted = qualifier === undefined ? this.#items : [this.#items[this.#from.exposed(qualifier) ?? -1] ?? beyond('*')];
            if (wanted.length === 0) beyond('*');
            width += wanted.reduce((sum, { predicate }) => sum + (this.#context.columns.all(predicate)?.length ?? 0), wanted.length);
            if (width > MOST_COLUMNS) beyond(say`so many columns`);
            return wanted.flatMap(({ exposed, predicate }) =>
                (this.#context.columns.all(predicate) ?? []).map(name => ({
                    node: { type: 'column_ref', table: exposed, column: name },
                    alias: undefined,
                })),
            );
        });
    }

    /** The columns of a GROUP BY; numbers and aliases stand for what is selected. */
    #groupColumns(groupby: SqlNode, selected: readonly Selected[]): SqlNode[] {
        onlyParts(groupby, 'columns');
        const byAlias = new Map(selected.map(({ node, alias }) => [alias?.toLowerCase(), node] as const).reverse());
        return nodesOf(groupby.columns).map(node => {
            if (node.type === 'number') return selected[Number(node.value) - 1]?.node ?? beyond(say`a number`);
            const alias = node.type === 'column_ref' && nameOf(node.table) === undefined ? columnName(node) : undefined;
            return (alias === undefined ? undefined : byAlias.get(alias.toLowerCase())) ?? node;
        });
    }

    #groups(selected: readonly Selected[], grouped: readonly SqlNode[]): Term[] {
        const keys = new Set(grouped.map(node => (hasAggregate(node) ? beyond(say`groups of aggregates`) : expressionOf(node, this))));
        return selected.map(one => {
            if (one.node.type === 'aggr_func') return { term: this.#aggregateAs(one.node, one.alias) };
            const isKey = hasAggregate(one.node) || isConstant(one.node) || keys.has(expressionOf(one.node, this));
            return isKey ? this.#term(one) : beyond(say`a column that is no group`);
        });
    }

    #term({ node, alias }: Selected): Term {
        if (isConstant(node) && (alias === undefined || this.#items.length === 0)) return { term: constantOf(node) };
        const key = expressionOf(node, this);
        if (node.type === 'column_ref' && (alias === undefined || variableName(alias) === key)) return { term: key, key };
        const term = uniqueName(variableName(alias ?? 'Column'), '', this.#taken);
        return { term, assignment: `${term} = ${key}`, key };
    }

    /** The conditions on the rows of the tables. Where no table is joined on the left, columns that must be equal share their variable. */
    #filters(): string[] {
        const { where } = this.#select;
        const isLeft = this.#items.some(item => item.isLeft);
        const all = [...(isLeft ? [] : this.#items.flatMap(({ on }) => on)), ...(isNode(where) ? [where] : [])].flatMap(conjuncts);
        const rest = isLeft ? all : all.filter(condition => !this.#unified(condition));
        return rest.flatMap(condition => conditionsOf(condition, this));
    }

    #unified({ type, operator, left, right }: SqlNode): boolean {
        if (type !== 'binary_expr' || operator !== '=' || !isNode(left) || !isNode(right)) return false;
        if (left.type !== 'column_ref' || right.type !== 'column_ref') return false;
        const [one, other] = [this.column(left), this.column(right)];
        if (one !== other) this.#sharing.set(other, one);
        return true;
    }

    /** The atoms of the tables. What a left join gives is derived by rules of its own. */
    #tables(): string[] {
        if (!this.#items.some(({ isLeft }) => isLeft)) {
            return this.#items.map((item, i) =>
                atom(
                    item.predicate,
                    (this.#variables[i] ?? []).map(variable => {
                        const shared = this.#shared(variable);
                        return this.#used.has(shared) ? shared : '_';
                    }),
                ),
            );
        }
        let literals: string[] = [];
        let known: string[] = [];
        let width = 0;
        for (const [i, { predicate, isLeft, on }] of this.#items.entries()) {
            const own = this.#variables[i] ?? [];
            const conditions = on.flatMap(condition => conditionsOf(condition, this));
            const all = [...known, ...own];
            width += all.length;
            if (width > MOST_COLUMNS) beyond(say`so many columns`);
            if (!isLeft) literals = [...literals, atom(predicate, own), ...conditions];
            else {
                const left = this.#asOneAtom(literals, known);
                const [joined, matched] = [this.#context.helper(), this.#context.helper()];
                const match = [left, atom(predicate, own), ...conditions];
                const unknown = [...known, ...own.map(() => 'null')];
                this.#lines.push(
                    rule(matched, known, match),
                    rule(joined, all, match),
                    rule(joined, unknown, [left, `not ${atom(matched, known)}`]),
                );
                literals = [atom(joined, all)];
            }
            known = all;
        }
        return literals;
    }

    #asOneAtom(literals: readonly string[], variables: readonly string[]): string {
        const [only, ...more] = literals;
        if (only !== undefined && more.length === 0) return only;
        const helper = this.#context.helper();
        this.#lines.push(rule(helper, variables, literals));
        return atom(helper, variables);
    }
}

/** A term of the head, what it is assigned, and the expression that it stands for. */
interface Term {
    readonly term: string;
    readonly assignment?: string;
    readonly key?: string;
}

function rule(head: string, terms: readonly string[], body: readonly string[]): string {
    return `${atom(head, terms)} :- ${body.join(', ')}.`;
}

function atom(predicate: string, terms: readonly string[]): string {
    return `${predicate}(${terms.join(',')})`;
}

/** The parts of a condition that must all hold. */
function conjuncts(condition: SqlNode): SqlNode[] {
    const [items = [], ...more] = alternativesOf(condition);
    return more.length > 0 || items.length === 1 ? [condition] : items.flatMap(conjuncts);
}

function isConstant({ type }: SqlNode): boolean {
    return ['number', 'bigint', 'single_quote_string', 'bool', 'null', 'date', 'timestamp'].includes(String(type));
}

function hasAggregate(node: SqlNode): boolean {
    if (node.type === 'aggr_func') return true;
    return Object.values(node).some(part => [part].flat().some(one => isNode(one) && hasAggregate(one)));
}
