import postgresql from 'node-sql-parser/build/postgresql.js';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { type ParsedText, parseNested } from './nested-queries.ts';
import { AGGREGATE_PREFIX, DISTINCT_MARK, DISTINCT_OPERATORS, NATURAL_MARK, ORDER_MARK, readableSql } from './readable-sql.ts';
import { isNode, nodesIn, textOf, visitNodes } from './sql-nodes.ts';
import { type SqlPiece, sqlPieces } from './sql-pieces.ts';

/** A reason why a text is not a query, with its place. */
export interface SqlProblem {
    readonly message: string;
    /** Offsets in the text; the end is exclusive. */
    readonly start: number;
    readonly end: number;
    /** Of the start, from 1, in UTF-16 units. */
    readonly line: number;
    readonly column: number;
    /** The text would write something. */
    readonly isWrite?: true;
}

/** A node of the parser's tree; its shape depends on what it stands for. */
export type SqlNode = { readonly [name: string]: unknown };

export type ParsedSelect = { readonly ok: true; readonly select: SqlNode } | { readonly ok: false; readonly problem: SqlProblem };

/** Words that begin what a WITH may define besides queries, but not here. */
const WRITING = new Set(['delete', 'insert', 'update', 'merge']);
/** Words and signs that a query may have: reading more takes seconds. */
const MOST_PIECES = 30_000;
/** Characters, which the parser reads one by one. */
const MOST_CHARACTERS = 1_048_576;
/** Characters of a name, each of which the parser looks at in several ways. */
const LONGEST_NAME = 10_000;
/** Brackets within brackets. */
const MOST_LEVELS = 100;
/** Characters of a piece that a message shows. */
const SHOWN = 100;

const parser = new postgresql.Parser();

/**
 * Parses a text that must be one SELECT, or a WITH that ends in one, in the dialect of PostgreSQL; backticks quote names
 * too. `marks` stand for some pieces, by their indexes: the tree has them in place of the names.
 */
export function parseSelect(sql: string, marks: ReadonlyMap<number, string> = new Map()): ParsedSelect {
    if (sql.length > MOST_CHARACTERS) {
        const message = say`it has more than ${countText(MOST_CHARACTERS)} characters: use several queries`;
        return refused(sql, message, { start: MOST_CHARACTERS, text: '' });
    }
    const pieces = sqlPieces(sql, MOST_PIECES);
    const refusal = refusedPiece(pieces.filter(({ kind }) => kind !== 'comment'));
    if (refusal !== undefined) return refused(sql, refusal.message, refusal.piece, refusal.isWrite);
    const readable = readableSql(sql, pieces, marks);
    try {
        const { select, refusedAt } = parseNested(readable.text, pieces, readable.starts, parsedText);
        if (select !== undefined) {
            if (readable.text.includes(AGGREGATE_PREFIX)) restoreAggregates(select);
            if (readable.hasStandIns) restoreOperators(select);
            if (readable.text.includes(NATURAL_MARK)) restoreNaturalJoins(select);
            return { ok: true, select };
        }
        if (refusedAt === undefined) return refused(sql, say`it is no SELECT`, pieces[0]);
        const at = pieces.find(({ kind, text }, i) => kind !== 'comment' && (readable.starts[i] ?? 0) + text.length > refusedAt);
        if (at !== undefined) return refused(sql, say`unexpected '${at.text.slice(0, SHOWN)}'`, at);
        return refused(sql, say`it ends too early`, { start: sql.trimEnd().length, text: '' });
    } catch (error) {
        if (!(error instanceof Error)) throw error;
        return refused(sql, error instanceof RangeError ? say`it nests too deeply` : say`it cannot be read`, undefined);
    }
}

/** Names the operators that others stand for in a readable text. */
function restoreOperators(select: SqlNode): void {
    visitNodes(select, node => {
        const operator = node.type === 'binary_expr' ? DISTINCT_OPERATORS.get(String(node.operator)) : undefined;
        if (operator !== undefined) Object.assign(node, { operator });
    });
}

/** Gives the tables of natural joins `natural: true`, in place of the USING that stands for it in a readable text. */
function restoreNaturalJoins(select: SqlNode): void {
    visitNodes(select, node => {
        const columns = nodesIn(node.using).map(textOf);
        if (columns.length === 1 && columns[0] === NATURAL_MARK) Object.assign(node, { using: null, natural: true });
    });
}

/** Makes aggregates again of the functions that stand for them in a readable text, in the form that the parser gives ARRAY_AGG. */
function restoreAggregates(select: SqlNode): void {
    visitNodes(select, node => {
        const { args } = node;
        const called = calledName(node);
        if (called?.startsWith(AGGREGATE_PREFIX) !== true || !isNode(args)) return;
        const given = nodesIn(args.value);
        const isDistinct = given[0]?.type === 'column_ref' && textOf(given[0].column) === DISTINCT_MARK;
        const order = given.find(one => calledName(one) === ORDER_MARK)?.args;
        const [expr, ...others] = given.slice(isDistinct ? 1 : 0, order === undefined ? undefined : -1);
        Object.assign(node, {
            type: 'aggr_func',
            name: called.slice(AGGREGATE_PREFIX.length).toUpperCase(),
            args: {
                ...(isDistinct && { distinct: 'DISTINCT' }),
                expr,
                ...(others.length > 0 && { others }),
                ...(isNode(order) && { orderby: nodesIn(order.value).map(key => ({ expr: key })) }),
            },
        });
    });
}

function calledName({ type, name }: SqlNode): string | undefined {
    return type === 'function' && isNode(name) ? textOf(nodesIn(name.name).at(-1)) : undefined;
}

function parsedText(text: string): ParsedText {
    try {
        const [select, ...more] = [withoutNames(() => parser.astify(text))].flat() as unknown as SqlNode[];
        return select?.type === 'select' && more.length === 0 ? { select } : {};
    } catch (error) {
        const { location } = error as { readonly location?: { readonly start: { readonly offset: number } } };
        if (location === undefined) throw error;
        return { refusedAt: location.start.offset };
    }
}

/** A set that stays empty. */
class Forgetful extends Set<unknown> {
    override add(): this {
        return this;
    }
}

/**
 * Runs the parser with sets that keep nothing. It collects the names of all tables and columns, and copies them for each table and each
 * nested query. We do not need them. Thousands of them would take minutes and gigabytes.
 */
function withoutNames<T>(parse: () => T): T {
    const { Set: usual } = globalThis;
    try {
        Object.assign(globalThis, { Set: Forgetful });
        return parse();
    } finally {
        globalThis.Set = usual;
    }
}

interface Refusal {
    readonly message: string;
    readonly piece: SqlPiece | undefined;
    readonly isWrite?: true;
}

/** Finds a reason to refuse a text before it is parsed, since the parser reads other statements too. */
function refusedPiece(pieces: readonly SqlPiece[]): Refusal | undefined {
    if (pieces.length > MOST_PIECES) {
        return {
            message: say`it has more than ${countText(MOST_PIECES)} words and signs: use several queries`,
            piece: pieces[MOST_PIECES],
        };
    }
    const long = pieces.find(({ kind, name }) => kind !== 'string' && kind !== 'sign' && name.length > LONGEST_NAME);
    if (long !== undefined)
        return { message: say`it has a name of more than ${countText(LONGEST_NAME)} characters: use a shorter one`, piece: long };
    const deep = tooDeep(pieces);
    if (deep !== undefined) return { message: say`its brackets are nested deeper than ${MOST_LEVELS} levels`, piece: deep };
    const begin = pieces.find(({ text }) => text !== '(');
    if (begin === undefined) return { message: say`the query is empty`, piece: undefined };
    const open = pieces.find(({ kind, text }) => kind === 'sign' && /["'`]/u.test(text));
    if (open !== undefined) return { message: say`the quote is not closed`, piece: open };
    if (begin.kind !== 'word' || !/^(?:select|with)$/iu.test(begin.text))
        return {
            message: say`a query begins with SELECT or WITH, not '${begin.text.slice(0, SHOWN)}'`,
            piece: begin,
            ...(WRITING.has(begin.name.toLowerCase()) && { isWrite: true }),
        };
    const end = pieces.findIndex(({ text }) => text === ';');
    const second = end < 0 ? undefined : pieces.slice(end).find(({ text }) => text !== ';');
    if (second !== undefined) return { message: say`only one statement may stand in a query`, piece: second };
    const defines = (i: number): boolean => pieces[i - 1]?.text === '(' && /^(?:as|materialized)$/iu.test(pieces[i - 2]?.text ?? '');
    const writes = pieces.find(({ kind, name }, i) => kind === 'word' && WRITING.has(name.toLowerCase()) && defines(i));
    if (writes !== undefined) return { message: say`a query cannot ${writes.name.toUpperCase()}`, piece: writes, isWrite: true };
    const into = pieces.find(({ kind, name }) => kind === 'word' && name.toLowerCase() === 'into');
    return into && { message: say`a query cannot write INTO a table`, piece: into, isWrite: true };
}

function tooDeep(pieces: readonly SqlPiece[]): SqlPiece | undefined {
    let level = 0;
    return pieces.find(({ kind, text }) => {
        if (kind === 'sign') level += text === '(' ? 1 : text === ')' ? -1 : 0;
        return level > MOST_LEVELS;
    });
}

function refused(sql: string, message: string, piece: Pick<SqlPiece, 'start' | 'text'> | undefined, isWrite?: true): ParsedSelect {
    const { start, text } = piece ?? { start: 0, text: '' };
    const lines = sql.slice(0, start).split(/\r\n|\r|\n/u);
    const place = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    return { ok: false, problem: { message, start, end: start + text.length, ...place, ...(isWrite && { isWrite }) } };
}
