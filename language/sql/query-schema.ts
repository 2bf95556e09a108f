import { commonReading, misorderedColumn, mixedColumn } from '#language/program/ordered-texts.ts';
import type { QueryColumn, QueryFault, QuerySchema, TableColumn, TextOrder } from '#language/program/sql-reading.ts';
import { join, MIXED, type Type } from '#language/program/types.ts';
import { type NamedColumn, namedColumn, schemaOf } from './column-path.ts';
import { typeOfSql } from './expression-type.ts';
import { type Columns, FromSources, type Source, type SourceColumn } from './from-sources.ts';
import type { SqlNode } from './parse-select.ts';
import { writtenName } from './readable-sql.ts';
import { isNode, nodesIn, textOf } from './sql-nodes.ts';
import type { SqlPiece } from './sql-pieces.ts';

interface Scope {
    readonly sources: FromSources;
    /** Names that WITHs define. */
    readonly defined: Defined;
    /** Names of what is selected, which ORDER BY, GROUP BY and HAVING may use. */
    readonly aliases: ReadonlyMap<string, Type>;
    readonly outer: Scope | undefined;
}

/** Names that the WITH of a query defines, and those around it. */
interface Defined {
    readonly own: ReadonlyMap<string, readonly SourceColumn[] | undefined>;
    readonly outer: Defined | undefined;
}

type ColumnsOf = (table: string) => readonly TableColumn[] | undefined;

const EMPTY: Scope = { sources: new FromSources(), defined: { own: new Map(), outer: undefined }, aliases: new Map(), outer: undefined };

/** The columns of a query's result, and the columns it names that no table has; names are compared without regard to case. */
export function querySchema(select: SqlNode, pieces: readonly SqlPiece[], columnsOf: ColumnsOf): QuerySchema {
    const reader = new SchemaReader(columnsOf, pieces);
    const columns = reader.select(select, EMPTY);
    return { columns: columns?.map(shown), faults: reader.faults, textOrders: reader.textOrders, sources: reader.sources };
}

function shown({ name, type }: SourceColumn): QueryColumn {
    return { name, type };
}

class SchemaReader {
    readonly faults: QueryFault[] = [];
    readonly textOrders: TextOrder[] = [];
    readonly sources: { readonly name: string; readonly columns: readonly QueryColumn[] }[] = [];
    readonly #columnsOf: ColumnsOf;
    readonly #pieces: readonly SqlPiece[];
    readonly #tables = new Map<string, Columns>();
    /** Of the queries within the query, as far as they were looked at. */
    readonly #inner = new Map<SqlNode, readonly SourceColumn[] | undefined>();

    constructor(columnsOf: ColumnsOf, pieces: readonly SqlPiece[]) {
        this.#columnsOf = columnsOf;
        this.#pieces = pieces;
    }

    /** The columns of a SELECT with those that are joined to it by UNION and the like. */
    select(select: SqlNode, outer: Scope): readonly SourceColumn[] | undefined {
        const scope = this.#define(select.with, outer);
        const columns = this.#selectAlone(select, scope);
        const types = columns?.map(({ type }) => type) ?? [];
        let known = types.length;
        for (let next = select._next; isNode(next); next = next._next) {
            const more = this.#selectAlone(next, scope) ?? [];
            known = Math.min(known, more.length);
            for (let i = 0; i < known; i++) types[i] = join(types[i] ?? MIXED, more[i]?.type ?? MIXED);
        }
        return columns?.map((column, i) => ({ ...column, type: i < known ? (types[i] ?? MIXED) : MIXED }));
    }

    #define(definitions: unknown, outer: Scope): Scope {
        const all = nodesIn(definitions);
        const own = new Map<string, readonly SourceColumn[] | undefined>();
        const defined = all.length === 0 ? outer.defined : { own, outer: outer.defined };
        const scope = { ...EMPTY, defined, outer };
        for (const { name, stmt, columns } of all) {
            const query = isNode(stmt) && isNode(stmt.ast) ? stmt.ast : stmt;
            const found = isNode(query) && query.type === 'select' ? this.select(query, scope) : undefined;
            const names = nodesIn(columns).map(({ column }) => nameIn(column));
            own.set(keyOf(nameIn(name)), names.length === 0 ? found : renamed(found, names));
        }
        return scope;
    }

    #selectAlone(select: SqlNode, outer: Scope): readonly SourceColumn[] | undefined {
        const inner = select.with === null || outer.outer === undefined ? outer : this.#define(select.with, outer);
        const sources = new FromSources();
        const scope: Scope = { ...inner, sources, aliases: new Map(), outer };
        this.#from(select.from, scope, sources);
        const columns = this.#items(select.columns, scope);
        const aliases = new Map((columns ?? []).flatMap(({ name, type }) => (name === undefined ? [] : [[keyOf(name), type] as const])));
        for (const { as } of nodesIn(select.columns)) if (textOf(as) !== undefined) aliases.set(keyOf(nameIn(as)), MIXED);
        const { columns: _, from, with: __, _next, type, ...parts } = select;
        for (const { expr } of nodesIn(parts.orderby)) this.#noteOrder(orderedItem(expr, select.columns), scope);
        for (const part of Object.values(parts)) this.#look(part, { ...scope, aliases });
        return columns;
    }

    #from(from: unknown, scope: Scope, sources: FromSources): void {
        for (const item of nodesIn(from)) {
            const { expr, on, using } = item;
            if (isNode(expr) && expr.type === 'tables') {
                this.#from(expr.expr, scope, sources);
                continue;
            }
            const source = this.#source(item, scope);
            if (source.columns !== undefined) this.sources.push({ name: source.exposed, columns: source.columns.map(shown) });
            const shared = Array.isArray(using) ? using.map(column => keyOf(nameIn(column))) : [];
            const natural =
                item.natural === true ? (source.columns ?? []).flatMap(({ name }) => (name === undefined ? [] : [keyOf(name)])) : [];
            const merged = new Set([...shared, ...natural.filter(name => sources.hasColumn(name))]);
            sources.add({ ...source, merged });
            this.#look(on, scope);
        }
    }

    #source(item: SqlNode, scope: Scope): Source {
        const { table, as } = item;
        // An alias with columns is one text: `x(a, b)`.
        const [alias, names] = (textOf(as) ?? '').split('(', 2);
        const isAlias = alias !== '' && alias !== undefined;
        const exposed = keyOf(isAlias ? writtenName(alias) : nameIn(table));
        const schema = isAlias ? undefined : schemaOf(item);
        const found = this.#columns(item, scope);
        const columns =
            names === undefined
                ? undefined
                : renamed(
                      found.columns,
                      names
                          .replace(/\).*$/u, '')
                          .split(',')
                          .map(one => one.trim()),
                  );
        return {
            exposed,
            ...(schema !== undefined && { schema: keyOf(writtenName(schema)) }),
            ...(names === undefined ? found : columnsByName(columns)),
            merged: new Set(),
        };
    }

    /** The columns of an item of a FROM list by the names that they have in it. */
    #columns({ table, db, expr }: SqlNode, scope: Scope): Columns {
        if (typeof table !== 'string') {
            if (isNode(expr) && isNode(expr.ast)) return columnsByName(this.select(expr.ast, scope));
            this.#look(expr, scope);
            return columnsByName(undefined);
        }
        const name = nameIn(table);
        const definition = typeof db === 'string' ? undefined : definitionOf(keyOf(name), scope.defined);
        if (definition !== undefined) return columnsByName(definition.own.get(keyOf(name)));
        const known = this.#tables.get(name) ?? columnsByName(this.#columnsOf(name));
        this.#tables.set(name, known);
        return known;
    }

    /** The columns of a select list. */
    #items(items: unknown, scope: Scope): readonly SourceColumn[] | undefined {
        const columns: SourceColumn[] = [];
        let isKnown = true;
        for (const { expr, as } of nodesIn(items)) {
            if (isNode(expr) && expr.type === 'column_ref' && expr.column === '*') {
                const found = this.#star(expr, scope);
                if (found === undefined) isKnown = false;
                else columns.push(...found);
                continue;
            }
            this.#look(expr, scope);
            const alias = textOf(as) === undefined ? undefined : nameIn(as);
            const name = alias ?? (isNode(expr) && expr.type === 'column_ref' ? resultName(columnIn(expr, scope)) : undefined);
            columns.push({
                name,
                type: typeOfSql(expr, { column: node => this.#typeOf(node, scope), query: node => this.#typeOfQuery(node, scope) }),
            });
        }
        return isKnown ? columns : undefined;
    }

    #star({ table }: SqlNode, { sources }: Scope): readonly SourceColumn[] | undefined {
        const qualifier = textOf(table);
        const of = qualifier === undefined ? sources.all : sources.all.filter(({ exposed }) => exposed === keyOf(writtenName(qualifier)));
        const columns: SourceColumn[] = [];
        for (const { columns: all, merged } of of) {
            if (all === undefined) return undefined;
            columns.push(...(qualifier === undefined ? all.filter(({ name }) => !merged.has(keyOf(name ?? ''))) : all));
        }
        return of.length === 0 ? undefined : columns;
    }

    /** Tells the columns in an expression that no source has. Conditions nest as deep as they are long. */
    #look(value: unknown, scope: Scope): void {
        const work = [value];
        for (let one = work.pop(); work.length > 0 || one !== undefined; one = work.pop()) {
            if (Array.isArray(one)) for (let i = one.length; i > 0; i--) work.push(one[i - 1]);
            else if (!isNode(one)) continue;
            else if (one.type === 'select') this.#inner.set(one, this.select(one, scope));
            else if (one.type === 'column_ref') this.#find(one, scope);
            else {
                this.#noteOrders(one, scope);
                work.push(...Object.values(one).reverse());
            }
        }
    }

    #noteOrders(node: SqlNode, scope: Scope): void {
        for (const { expr } of nodesIn(node.orderby)) this.#noteOrder(expr, scope);
        if (isChoice(node)) this.#noteOrder(isNode(node.args) ? node.args.expr : undefined, scope);
        if (!COMPARED.has(String(node.operator))) return;
        const { left, right } = node;
        this.#noteComparison(isNode(right) && right.type === 'expr_list' ? [left, ...nodesIn(right.value)] : [left, right], scope);
    }

    /** Texts of numbers that are sorted, or of which one is chosen. */
    #noteOrder(ordered: unknown, scope: Scope): void {
        if (!isNode(ordered) || ordered.type !== 'column_ref') return;
        const type = this.#typeOf(ordered, scope);
        if (misorderedColumn(type) === undefined && mixedColumn(type) === undefined) return;
        const { qualifier, column } = columnIn(ordered, scope);
        this.textOrders.push({ type, ...this.#placeOf(qualifier, column) });
    }

    /** They are texts of numbers or of days, all of them. */
    #noteComparison(operands: readonly unknown[], scope: Scope): void {
        const compared = operands.map(operand => {
            if (!isNode(operand)) return MIXED;
            if (operand.type === 'single_quote_string') return textOf(operand.value) ?? '';
            return operand.type === 'column_ref' ? this.#typeOf(operand, scope) : MIXED;
        });
        if (commonReading(compared) !== undefined) for (const operand of operands) this.#noteOrder(operand, scope);
    }

    #typeOf(node: SqlNode, scope: Scope): Type {
        const found = columnIn(node, scope).fields.length > 0 ? 'any' : this.#lookUp(node, scope);
        return typeof found === 'object' ? found.type : MIXED;
    }

    #typeOfQuery(node: SqlNode, scope: Scope): Type {
        const columns = this.#inner.has(node) ? this.#inner.get(node) : new SchemaReader(this.#columnsOf, []).select(node, scope);
        return columns?.[0]?.type ?? MIXED;
    }

    #find(node: SqlNode, scope: Scope): void {
        const found = this.#lookUp(node, scope);
        if ((found !== 'unknown' && found !== 'ambiguous') || this.faults.length >= MOST_FAULTS) return;
        const { qualifier, column } = columnIn(node, scope);
        const written = qualifier === undefined ? column : `${qualifier}.${column}`;
        if (this.faults.some(fault => fault.column === written)) return;
        const known = scope.sources.all.filter(({ exposed, byName }) => {
            if (found === 'ambiguous') return byName.has(keyOf(column));
            return qualifier === undefined || exposed === keyOf(qualifier);
        });
        const candidates = known.flatMap(({ columns }) => columns ?? []).flatMap(({ name }) => name ?? []);
        this.faults.push({
            kind: found,
            column: written,
            tables: known.map(({ exposed }) => exposed),
            candidates,
            ...this.#placeOf(qualifier, column),
        });
    }

    /** The column that a name means; `any` where its source may have all columns. */
    #lookUp(node: SqlNode, scope: Scope): SourceColumn | 'any' | 'unknown' | 'ambiguous' {
        if (node.column === '*') return 'any';
        const { qualifier, column } = columnIn(node, scope);
        const name = keyOf(column);
        for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
            const found =
                qualifier === undefined ? at.sources.column(name, at.aliases) : at.sources.columnBehindDot(keyOf(qualifier), name);
            if (found !== undefined) return found;
        }
        return 'unknown';
    }

    /** Finds the first place of a column. */
    #placeOf(qualifier: string | undefined, column: string): { readonly start: number; readonly end: number } {
        const pieces = this.#pieces;
        const at = pieces.findIndex((piece, i) => {
            if ((piece.kind !== 'word' && piece.kind !== 'quoted') || piece.name !== column) return false;
            const isBehindDot = pieces[i - 1]?.text === '.';
            return qualifier === undefined ? !isBehindDot : isBehindDot && pieces[i - 2]?.name === qualifier;
        });
        const piece = pieces[at];
        const first = qualifier === undefined ? piece : pieces[at - 2];
        return piece === undefined || first === undefined
            ? { start: 0, end: 0 }
            : { start: first.start, end: piece.start + piece.text.length };
    }
}

const COMPARED = new Set(['<', '<=', '>', '>=', 'BETWEEN', 'NOT BETWEEN']);

function isChoice({ type, name }: SqlNode): boolean {
    return type === 'aggr_func' && (name === 'MIN' || name === 'MAX');
}

/** Returns the expression behind an item of ORDER BY: a column, or a selected expression by its number or alias. */
function orderedItem(expr: unknown, items: unknown): unknown {
    if (!isNode(expr)) return expr;
    if (expr.type === 'number') return nodesIn(items)[Number(expr.value) - 1]?.expr;
    const named = expr.type === 'column_ref' && textOf(expr.table) === undefined ? keyOf(nameIn(expr.column)) : undefined;
    return nodesIn(items).find(({ as }) => named !== undefined && keyOf(nameIn(as)) === named)?.expr ?? expr;
}

/** Faults to report of one query. */
const MOST_FAULTS = 20;

/** The WITH that defines a name. */
function definitionOf(name: string, defined: Defined): Defined | undefined {
    for (let at: Defined | undefined = defined; at !== undefined; at = at.outer) if (at.own.has(name)) return at;
    return undefined;
}

function columnsByName(columns: readonly SourceColumn[] | undefined): Columns {
    const named = new Map<string, SourceColumn>();
    const add = (name: string | undefined, column: SourceColumn): void => {
        if (name !== undefined && !named.has(keyOf(name))) named.set(keyOf(name), column);
    };
    for (const column of columns ?? []) add(column.name, column);
    for (const column of columns ?? []) add(column.position, column);
    return { columns, byName: named };
}

function renamed(columns: readonly SourceColumn[] | undefined, names: readonly string[]): readonly SourceColumn[] | undefined {
    return columns?.map(({ name, type }, i) => ({ name: names[i] ?? name, type }));
}

/** The names of a column as the query writes them. */
function columnIn(node: SqlNode, scope: Scope): NamedColumn {
    const hasTable = (schema: string, table: string): boolean => {
        const [schemaKey, tableKey] = [keyOf(writtenName(schema)), keyOf(writtenName(table))];
        for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) if (at.sources.hasTable(schemaKey, tableKey)) return true;
        return false;
    };
    const { qualifier, column, fields } = namedColumn(node, hasTable) ?? { qualifier: undefined, column: '', fields: [] };
    return {
        qualifier: qualifier === undefined ? undefined : writtenName(qualifier),
        column: writtenName(column),
        fields: fields.map(writtenName),
    };
}

/** The name of a selected column in the result. */
function resultName({ column, fields }: NamedColumn): string {
    return fields.at(-1) ?? column;
}

function nameIn(value: unknown): string {
    return writtenName(textOf(value) ?? '');
}

function keyOf(name: string): string {
    return name.toLowerCase();
}
