import { uniqueName } from '#language/library/unique-name.ts';
import { printString } from '#language/program/print-constant.ts';
import { say } from '#language/program/say.ts';
import { parseSelect, type SqlNode } from '#language/sql/parse-select.ts';
import { queryNames } from '#language/sql/query-names.ts';
import { writtenName } from '#language/sql/readable-sql.ts';
import { renameTables } from '#language/sql/rename-table.ts';
import { isNode } from '#language/sql/sql-nodes.ts';
import { type SqlPiece, sqlPieces } from '#language/sql/sql-pieces.ts';
import { programInterface } from '#language/tools/program-interface.ts';
import { isRefusal } from '#server/notices/refusal.ts';
import { predicateName } from '#server/sources/program-names.ts';
import { MOST_COLUMNS, ONE_UNKNOWN, selectRules } from './select-rules.ts';
import { beyond, nameOf, nodeOf, onlyParts } from './sql-tree.ts';
import { type KnownTable, knownTables, sameName, tableColumns } from './table-columns.ts';

/** The predicate that has the rows of the query, and how those between are called, or begin. */
export const OUTPUT = 'result';
export const HELPER = `${OUTPUT}_part`;

/** A query as a program. */
export interface SqlTranslation {
    readonly program: string;
    /** Why the query stays as it is, and the first part of it that no rules are written for, or all of it; offsets, the end exclusive. */
    readonly beyond?: { readonly reason: string; readonly start: number; readonly end: number };
}

/**
 * A program whose output `result` has the rows of a query: rules for a SELECT, or a UNION of some, of columns and expressions, with WHERE,
 * inner and left joins, and GROUP BY with the usual aggregates. Another query stays as it is, as the body of a rule, behind a comment that says
 * why. ORDER BY becomes a directive where it names what is selected. Undefined for a query that reads a table called `result`.
 */
export function sqlProgram(query: string, known: readonly KnownTable[], parsed = parseSelect(query)): string | undefined {
    return sqlTranslation(query, known, parsed)?.program;
}

/** The same, with what it could not translate. */
export function sqlTranslation(query: string, known: readonly KnownTable[], parsed = parseSelect(query)): SqlTranslation | undefined {
    if (!parsed.ok) return undefined;
    const { orderby, ...select } = parsed.select;
    const tables = new Set(queryNames(parsed.select).tables.map(writtenName));
    // The head of the rule with the query would be one of its tables.
    if ([...tables].some(table => sameName(table, OUTPUT))) return undefined;
    const post = orderDirective(orderby, select);
    const whole = post === undefined ? parsed.select : select;
    const { clauses, beyond } = clausesFor(query, whole, tables, known);
    const program = [...clauses, ...(post === undefined ? [] : [post]), `@output(${printString(OUTPUT)}).`].join('\n');
    const text = `${program}\n`;
    return programInterface(text).ok ? { program: text, ...(beyond && { beyond }) } : undefined;
}

/** A rule that has the rows of a query, as the database that answers queries in programs finds them, for a predicate. */
export function queryRule(query: string, head: string): string | undefined {
    const parsed = parseSelect(query);
    return parsed.ok ? embedded(query, new Set(queryNames(parsed.select).tables.map(writtenName)), head) : undefined;
}

interface Clauses extends Pick<SqlTranslation, 'beyond'> {
    readonly clauses: readonly string[];
}

function clausesFor(query: string, select: SqlNode, tables: ReadonlySet<string>, known: readonly KnownTable[]): Clauses {
    const kept = (reason: string, part: string): Clauses => ({
        clauses: [`% ${reason}`, embedded(query, tables)],
        beyond: { reason, ...placeOf(query, part) },
    });
    try {
        const rules = clausesOf(query, selectsOf(select), known);
        const isNoted = rules.some(rule => rule.includes(ONE_UNKNOWN));
        return { clauses: isNoted ? [`% ${say`NULLs count as one value here, called Unknown.`}`, ...rules] : rules };
    } catch (error) {
        if (isRefusal(error, 'query')) {
            const part = partText(error.message);
            return kept(say`No rules are written for ${part}: the query stays as it is.`, part);
        }
        // Conditions nest as deep as they are long.
        if (error instanceof RangeError)
            return kept(say`No rules are written for a condition of this length: the query stays as it is.`, '');
        throw error;
    }
}

/** Returns the first place of a part's words in a query; else the whole query. */
function placeOf(query: string, part: string): { readonly start: number; readonly end: number } {
    const pieces = sqlPieces(query).filter(({ kind }) => kind !== 'comment');
    const words = sqlPieces(part).map(({ name }) => name.toLowerCase());
    const isAt = (i: number): boolean => words.every((word, j) => pieces[i + j]?.name.toLowerCase() === word);
    const at = words.length === 0 ? -1 : pieces.findIndex((_, i) => isAt(i));
    const [first, last] = at < 0 ? [pieces[0], pieces.at(-1)] : [pieces[at], pieces[at + words.length - 1]];
    return { start: first?.start ?? 0, end: last === undefined ? query.length : last.start + last.text.length };
}

/** Names for people of query parts, by the parser's names. */
const PARTS: Readonly<Record<string, string>> = {
    orderby: 'ORDER BY',
    limit: 'LIMIT',
    with: 'WITH',
    intersect: 'INTERSECT',
    except: 'EXCEPT',
    natural: 'NATURAL',
};

function partText(part: string): string {
    if (part === 'expr') return say`a subquery in FROM`;
    if (part === 'schema') return say`a column with a schema`;
    return Object.hasOwn(PARTS, part) ? (PARTS[part] ?? part) : part.replaceAll(/\s+/gu, ' ');
}

/** `@post` for an ORDER BY of the whole query that names columns which are selected; undefined for another, and where there is none. */
function orderDirective(orderby: unknown, { columns, _next }: SqlNode): string | undefined {
    const keys = Array.isArray(orderby) ? orderby.map(nodeOf) : [];
    const items = Array.isArray(columns) ? columns.map(nodeOf) : [];
    const isStar = items.some(({ expr }) => isNode(expr) && expr.type === 'column_ref' && nameOf(expr.column) === '*');
    if (keys.length === 0 || isStar || isNode(_next)) return undefined;
    const names = items.map(({ as, expr }) => nameOf(as) ?? (isNode(expr) && expr.type === 'column_ref' ? nameOf(expr.column) : undefined));
    /** The numbers, from 1, of selected columns by their names. */
    const numbers = new Map(names.map((name, i) => [name?.toLowerCase(), i + 1] as const).reverse());
    const positions = keys.map(({ expr, type, nulls }) => {
        const position = positionOf(isNode(expr) ? expr : {}, numbers, names.length);
        const isPlain = nulls === null || nulls === undefined;
        return position === 0 || !isPlain ? '' : `${type === 'DESC' ? '-' : ''}${position}`;
    });
    return positions.includes('') ? undefined : `@post(${printString(OUTPUT)}, ${printString(`orderby(${positions.join(', ')})`)}).`;
}

/** The number, from 1, of the selected column that a key of an ORDER BY names; 0 for another. */
function positionOf(key: SqlNode, numbers: ReadonlyMap<string | undefined, number>, count: number): number {
    if (key.type === 'number') return Number(key.value) <= count ? Number(key.value) : 0;
    const name = key.type === 'column_ref' ? nameOf(key.column) : undefined;
    return name === undefined ? 0 : (numbers.get(name.toLowerCase()) ?? 0);
}

function clausesOf(query: string, selects: readonly SqlNode[], known: readonly KnownTable[]): string[] {
    // The parser reads escapes that standard strings do not have.
    const isUnclear = ({ kind, text }: SqlPiece): boolean => kind === 'parameter' || (kind === 'string' && !/^'[^\\]*$/u.test(text));
    if (sqlPieces(query).some(isUnclear)) beyond(say`a parameter or an escape`);
    for (const select of selects) {
        onlyParts(select, 'type', 'distinct', 'columns', 'from', 'where', 'groupby', 'having', '_next', 'set_op');
        if (isNode(select.distinct)) onlyParts(select.distinct, 'type');
    }
    const tables = knownTables(known);
    const { columns, lists } = tableColumns(selects, tables);
    const all = lists.flatMap(({ items }) => items);
    const taken = new Set([OUTPUT, ...all.map(({ predicate }) => predicate)]);
    const context = { columns, helper: () => uniqueName(HELPER, '_', taken) };
    const widths = all.map(({ predicate }) => columns.all(predicate)?.length ?? beyond(say`tables whose columns are not known`));
    if (widths.reduce((sum, width) => sum + width, 0) > MOST_COLUMNS) beyond(say`so many columns`);
    const isSet = selects.some(({ set_op }) => set_op === 'union');
    return lists.flatMap(from => {
        const { distinct } = from.select;
        const isDistinct = isSet || (isNode(distinct) && distinct.type === 'DISTINCT');
        return selectRules(from, OUTPUT, { ...context, isAlone: selects.length === 1, isDistinct });
    });
}

/** The SELECTs of a UNION, in order; all have as many columns. */
function selectsOf(select: SqlNode): SqlNode[] {
    const selects = [select];
    for (let one = select; isNode(one._next); one = one._next) {
        if (one.set_op !== 'union' && one.set_op !== 'union all') beyond(String(one.set_op));
        selects.push(one._next);
    }
    return selects;
}

/** A rule with the query as its body: without comments and semicolons, on one line, its tables called as predicates are. */
function embedded(written: string, tables: ReadonlySet<string>, head = OUTPUT): string {
    const names = Array.from(tables, table => [table, predicateName(table)] as const);
    const query = renameTables(written, new Map(names.filter(([table, name]) => !sameName(name, table))));
    let body = '';
    let from = 0;
    for (const { kind, text, start } of sqlPieces(query)) {
        body += query.slice(from, start);
        from = start + text.length;
        body += kind === 'comment' ? ' ' : text === ';' ? '' : text;
    }
    body += query.slice(from);
    return `${head}() :- ${body.trim()}.`;
}
