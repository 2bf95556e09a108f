import { uniqueName } from '#language/library/unique-name.ts';
import { say } from '#language/program/say.ts';
import type { SqlNode } from '#language/sql/parse-select.ts';
import { isNode } from '#language/sql/sql-nodes.ts';
import { variableName } from '#server/sources/program-names.ts';
import { conditionsOf, constantOf, type ExpressionNames, expressionOf } from './sql-expressions.ts';
import { columnsKnownBy, conjuncts, isBetweenNulls, mayBeNull } from './sql-nulls.ts';
import { beyond, nameOf, nodeOf, nodesOf, onlyParts } from './sql-tree.ts';
import { columnName, type FromItem, type FromList, type TableColumns } from './table-columns.ts';

/** Columns that the rules of a SELECT may have in all: a left join has those of all tables before it. */
export const MOST_COLUMNS = 100_000;
/** The value that stands for NULL where all NULLs are one: a function has the same unknown value wherever it has none for the same arguments. */
export const ONE_UNKNOWN = 'collections:get([], 1)';

interface Context {
    readonly columns: TableColumns;
    /** Names for predicates between. */
    readonly helper: () => string;
    /** No other rules have the same head. */
    readonly isAlone: boolean;
    /** A row comes once, also where some of it is NULL. */
    readonly isDistinct: boolean;
}

/** The rules that derive the rows of one SELECT. */
export function selectRules(from: FromList, head: string, context: Context): string[] {
    return new SelectRules(from, context).into(head);
}

/** A selected expression with its name. */
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
    /** Variables whose values are not NULL where the conditions hold. */
    readonly #known = new Set<string>();
    /** Names of variables in the rows, if the key of a group or of a distinct row has their name. */
    readonly #rowNames = new Map<string, string>();
    readonly #taken = new Set<string>();
    readonly #used = new Set<string>();
    /** Variables of aggregates, by what they compute. */
    readonly #aggregates = new Map<string, string>();
    readonly #lines: string[] = [];
    /** The variable of the value that stands for all NULLs, if there is one. */
    #unknown: string | undefined;
    /** In the rows of the tables, before they are grouped. */
    readonly #rows: ExpressionNames = {
        column: node => this.#columnIn(node),
        aggregate: () => beyond(say`an aggregate in a condition on rows`),
        isNullable: node => node.type !== 'column_ref' || !this.#known.has(this.#variable(node)),
    };

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
        const conditions = this.#conditions();
        if (isGrouped) this.#nameRows(grouped);
        else if (this.#context.isDistinct) this.#nameRows(selected.map(({ node }) => node));
        const filters = [...conditions.known, ...conditions.rest.flatMap(condition => conditionsOf(condition, this.#rows))];
        const keys = this.#keys(grouped, selected);
        const groups = this.#groupNames(keys);
        const terms = selected.map(one => {
            if (isGrouped) return this.#groupTerm(one, groups);
            return this.#context.isDistinct ? this.#keyTerm(one) : this.#term(one, this.#rows);
        });
        const having = isNode(this.#select.having) ? conditionsOf(this.#select.having, groups) : [];
        const computed = Array.from(this.#aggregates, ([text, variable]) => `${variable} = ${text}`);
        const assigned = new Set([...keys.values(), ...terms].flatMap(({ assignment }) => assignment ?? []));
        const rows = [...this.#tables(), ...filters];
        const body = [...rows, ...this.#unknownValue(), ...assigned, ...computed, ...having];
        const heads = terms.map(({ term }) => term);
        const hidden = Array.from(keys.values(), ({ term }) => term).filter(term => !heads.includes(term));
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
            if (isConstant(node)) return node.type === 'null' ? this.#noValue() : constantOf(node);
            if (node.type !== 'aggr_func') return beyond(say`what is computed from aggregates of all rows`);
            return String(node.name).toLowerCase() === 'count' ? '0' : this.#noValue();
        });
        const some = this.#context.helper();
        const unknown = terms.includes(this.#unknown ?? '') ? this.#unknownValue() : [];
        return [rule(some, [], rows), rule(head, terms, [`not ${some}()`, ...unknown])];
    }

    /** The name of the value that stands for all NULLs. */
    #unknownName(): string {
        this.#unknown ??= uniqueName('Unknown', '', this.#taken);
        return this.#unknown;
    }

    #unknownValue(): string[] {
        return this.#unknown === undefined ? [] : [`${this.#unknown} = ${ONE_UNKNOWN}`];
    }

    /** NULL as it is selected. */
    #noValue(): string {
        return this.#context.isDistinct ? this.#unknownName() : 'null';
    }

    #variable(column: SqlNode): string {
        const { item, at } = this.#context.columns.find(column, this.#from);
        return this.#shared(this.#variables[item]?.[at] ?? beyond(columnName(column)));
    }

    /** Returns the name of a column in the rows. */
    #columnIn(column: SqlNode): string {
        const name = this.#rowName(this.#variable(column));
        this.#used.add(name);
        return name;
    }

    #rowName(variable: string): string {
        return this.#rowNames.get(variable) ?? variable;
    }

    /** Columns of which all NULLs become one value give that their name. */
    #nameRows(keys: readonly SqlNode[]): void {
        for (const key of keys) {
            if (key.type !== 'column_ref' || !this.#rows.isNullable(key)) continue;
            const variable = this.#variable(key);
            const { item } = this.#context.columns.find(key, this.#from);
            if (!this.#rowNames.has(variable))
                this.#rowNames.set(variable, uniqueName(variableName(`${this.#items[item]?.exposed} ${columnName(key)}`), '', this.#taken));
        }
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

    #aggregateAs(node: SqlNode, alias: string | undefined): string {
        return this.#computed(this.#aggregateText(node), alias ?? String(node.name).toLowerCase());
    }

    /** The variable of what is computed for a group. */
    #computed(text: string, name: string): string {
        const known = this.#aggregates.get(text);
        if (known !== undefined) return known;
        const variable = uniqueName(variableName(name), '', this.#taken);
        this.#aggregates.set(text, variable);
        return variable;
    }

    /** An aggregate. Those of the language have no value where there is none to aggregate, and a group without a value of each has no row. */
    #aggregateText(node: SqlNode): string {
        const { name, argument, isDistinct } = aggregateParts(node);
        if (argument.type === 'star') return name === 'count' ? 'count()' : beyond(name);
        if (hasAggregate(argument)) return beyond(say`an aggregate of aggregates`);
        const value = expressionOf(argument, this.#rows);
        if (isDistinct && argument.type !== 'column_ref') return beyond(say`DISTINCT expressions`);
        const contributors = isDistinct ? `, <${value}>` : '';
        const isNullable = mayBeNull(argument, this.#rows.isNullable);
        const count = isNullable ? `sum(if(is_null(${value}), 0, 1)${contributors})` : `count(${value}${contributors})`;
        const sum = `sum(${isNullable ? `nullManagement:coalesce(${value}, 0)` : value}${contributors})`;
        /** Of the values that are known, if there are any. */
        const ofKnown = (text: string): string => `if(${this.#computed(count, 'Values')} > 0, ${text}, ${this.#noValue()})`;
        /** The same of a list, which is empty where there is none. */
        const ofList = (text: string): string => {
            const first = `collections:get(${text}, 1)`;
            return this.#context.isDistinct ? `nullManagement:coalesce(${first}, ${this.#unknownName()})` : first;
        };
        switch (name) {
            case 'count':
                return count;
            case 'sum':
                return isNullable ? ofKnown(this.#computed(sum, 'Total')) : sum;
            case 'avg':
                if (isNullable) return ofKnown(`${this.#computed(sum, 'Total')} / ${this.#computed(count, 'Values')}`);
                return isDistinct ? `${sum} / ${count}` : `avg(${value})`;
            case 'min':
                // Lists of unknown values come last.
                return isNullable ? ofList(`min([${value}])`) : `min(${value})`;
            case 'max':
                return isNullable ? ofList(`max(if(is_null(${value}), [], [${value}]))`) : `max(${value})`;
            default:
                return beyond(name);
        }
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

    /** The keys of groups, by their values in the rows. */
    #keys(grouped: readonly SqlNode[], selected: readonly Selected[]): Map<string, Term> {
        const textOf = (node: SqlNode): string => (hasAggregate(node) ? beyond(say`groups of aggregates`) : expressionOf(node, this.#rows));
        const plain = grouped.length === 0 ? [] : selected.filter(({ node }) => !hasAggregate(node));
        const aliases = new Map(plain.map(({ node, alias }) => [textOf(node), alias] as const).reverse());
        const keys = new Map<string, Term>();
        for (const node of grouped) {
            const text = textOf(node);
            const alias = aliases.get(text);
            if (!keys.has(text)) keys.set(text, { ...this.#keyTerm({ node, alias }), alias });
        }
        return keys;
    }

    /** Returns the names of a group: its keys and aggregates. */
    #groupNames(keys: ReadonlyMap<string, Term>): GroupNames {
        const keyOf = (node: SqlNode): Term | undefined =>
            keys.size === 0 || hasAggregate(node) ? undefined : keys.get(expressionOf(node, this.#rows));
        return {
            keyOf,
            named: node => keyOf(node)?.term,
            column: node => keyOf(node)?.term ?? beyond(say`a column that is no group`),
            aggregate: node => this.#aggregateAs(node, undefined),
            isNullable: node => {
                if (node.type === 'column_ref') return this.#rows.isNullable(node);
                const { name, argument } = aggregateParts(node);
                return name !== 'count' && mayBeNull(argument, this.#rows.isNullable);
            },
        };
    }

    #groupTerm(one: Selected, groups: GroupNames): Term {
        const { node, alias } = one;
        if (node.type === 'aggr_func') return { term: this.#aggregateAs(node, alias) };
        const key = groups.keyOf(node);
        if (key === undefined) return this.#context.isDistinct ? this.#keyTerm(one, groups) : this.#term(one, groups);
        if (alias === undefined || alias === key.alias || variableName(alias) === key.term) return { term: key.term };
        return assigned(uniqueName(variableName(alias), '', this.#taken), key.term);
    }

    #term({ node, alias }: Selected, names: ExpressionNames): Term {
        if (isConstant(node) && (alias === undefined || this.#items.length === 0)) return { term: constantOf(node) };
        const value = expressionOf(node, names);
        if (node.type === 'column_ref' && (alias === undefined || variableName(alias) === value)) return { term: value };
        return assigned(uniqueName(variableName(alias ?? 'Column'), '', this.#taken), value);
    }

    /** A term of which all NULLs are one value. */
    #keyTerm(one: Selected, names = this.#rows): Term {
        const { node, alias } = one;
        if (!mayBeNull(node, names.isNullable)) return this.#term(one, names);
        if (node.type === 'null') return { term: this.#unknownName() };
        const value = `nullManagement:coalesce(${expressionOf(node, names)}, ${this.#unknownName()})`;
        const own = node.type === 'column_ref' ? this.#variable(node) : undefined;
        const isOwn = own !== undefined && (alias === undefined || variableName(alias) === own);
        return assigned(isOwn ? own : uniqueName(variableName(alias ?? 'Column'), '', this.#taken), value);
    }

    /**
     * The conditions on the rows of the tables: what must not be NULL for others to hold, and these. Where no table is joined on the left,
     * columns that must be equal share their variable.
     */
    #conditions(): { readonly known: readonly string[]; readonly rest: readonly SqlNode[] } {
        const { where } = this.#select;
        const isLeft = this.#items.some(item => item.isLeft);
        const joins = this.#items.flatMap(item => (item.isLeft ? [] : item.on)).flatMap(conjuncts);
        const filters = isNode(where) ? conjuncts(where) : [];
        const shared = new Set(isLeft ? [] : [...joins, ...filters].filter(condition => this.#unified(condition)));
        const others = [...joins, ...filters].filter(condition => !shared.has(condition));
        const known: string[] = [];
        const addKnown = (condition: SqlNode): void => {
            for (const column of columnsKnownBy(condition, this.#rows.isNullable)) this.#known.add(this.#variable(column));
        };
        const demand = (column: unknown): void => {
            if (!isNode(column) || column.type !== 'column_ref' || !this.#rows.isNullable(column)) return;
            known.push(`is_not_null(${this.#columnIn(column)})`);
            this.#known.add(this.#variable(column));
        };
        for (const condition of others) addKnown(condition);
        for (const { left } of shared) demand(left);
        for (const condition of others) {
            if (isBetweenNulls(condition, this.#rows.isNullable))
                demand([condition.left, condition.right].find(side => isNode(side) && side.type === 'column_ref'));
            addKnown(condition);
        }
        return { known, rest: isLeft ? filters : others };
    }

    #unified({ type, operator, left, right }: SqlNode): boolean {
        if (type !== 'binary_expr' || operator !== '=' || !isNode(left) || !isNode(right)) return false;
        if (left.type !== 'column_ref' || right.type !== 'column_ref') return false;
        const [one, other] = [this.#variable(left), this.#variable(right)];
        for (const variable of [one, other]) this.#used.add(variable);
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
                        const name = this.#rowName(this.#shared(variable));
                        return this.#used.has(name) ? name : '_';
                    }),
                ),
            );
        }
        let literals: string[] = [];
        let known: string[] = [];
        let width = 0;
        for (const [i, { predicate, isLeft, on }] of this.#items.entries()) {
            const own = (this.#variables[i] ?? []).map(variable => this.#rowName(variable));
            const conditions = on.flatMap(condition => conditionsOf(condition, this.#rows));
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

/** A term of the head, and what it is assigned; of a key also the name that the query gives it. */
interface Term {
    readonly term: string;
    readonly assignment?: string;
    readonly alias?: string | undefined;
}

interface GroupNames extends ExpressionNames {
    keyOf(node: SqlNode): Term | undefined;
}

function assigned(term: string, value: string): Term {
    return { term, assignment: `${term} = ${value}` };
}

function aggregateParts(node: SqlNode): { readonly name: string; readonly argument: SqlNode; readonly isDistinct: boolean } {
    onlyParts(node, 'type', 'name', 'args', 'parentheses');
    const args = nodeOf(node.args);
    onlyParts(args, 'expr', 'distinct');
    return { name: String(node.name).toLowerCase(), argument: nodeOf(args.expr), isDistinct: args.distinct === 'DISTINCT' };
}

function rule(head: string, terms: readonly string[], body: readonly string[]): string {
    return `${atom(head, terms)} :- ${body.join(', ')}.`;
}

function atom(predicate: string, terms: readonly string[]): string {
    return `${predicate}(${terms.join(',')})`;
}

function isConstant({ type }: SqlNode): boolean {
    return ['number', 'bigint', 'single_quote_string', 'bool', 'null', 'date', 'timestamp'].includes(String(type));
}

function hasAggregate(node: SqlNode): boolean {
    if (node.type === 'aggr_func') return true;
    return Object.values(node).some(part => [part].flat().some(one => isNode(one) && hasAggregate(one)));
}
