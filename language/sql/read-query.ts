import { nearestName } from '#language/library/nearest-name.ts';
import { say } from '#language/program/say.ts';
import type { SqlReader, SqlReading, TableUse, UnknownFunction } from '#language/program/sql-reading.ts';
import { parseSelect, type SqlNode, type SqlProblem } from './parse-select.ts';
import { isQueryFunction, QUERY_FUNCTIONS } from './query-functions.ts';
import { queryNames } from './query-names.ts';
import { querySchema } from './query-schema.ts';
import { writtenName } from './readable-sql.ts';
import { isReservedInSql } from './sql-keywords.ts';
import { nodesIn, textOf, visitNodes } from './sql-nodes.ts';
import { sqlOutline } from './sql-outline.ts';
import { type SqlPiece, sqlPieces } from './sql-pieces.ts';

/** Reads a SQL query that should be one SELECT statement, or WITH … SELECT. */
export const readQuery: SqlReader = text => {
    const parsed = parseSelect(text);
    const pieces = sqlPieces(text).filter(({ kind }) => kind !== 'comment');
    if (!parsed.ok) {
        const problem = reservedName(text, pieces, parsed.problem) ?? parsed.problem;
        return { problem, tables: [], schema: () => ({ columns: undefined, faults: [], textOrders: [], sources: [] }) };
    }
    const { select } = parsed;
    const doubleQuoted = pieces.flatMap(({ text: written, name, start }) =>
        written.startsWith('"') && written.length > 1 ? [{ name, start, end: start + written.length }] : [],
    );
    const unnamed = sqlOutline(text).result?.unnamed ?? [];
    const tables = tablesIn(select, pieces);
    const idleOrder = idleOrderIn(select, pieces);
    const unknownFunctions = unknownFunctionsIn(select, pieces);
    const width = querySchema(select, pieces, () => undefined).columns?.length;
    const reading: SqlReading = {
        tables,
        ...(width === undefined ? {} : { width }),
        ...(idleOrder === undefined ? {} : { idleOrder }),
        ...(doubleQuoted.length > 0 && { doubleQuoted }),
        ...(unknownFunctions.length > 0 && { unknownFunctions }),
        ...(unnamed.length > 0 && { unnamed }),
        schema: columnsOf => querySchema(select, pieces, columnsOf),
    };
    return reading;
};

/** Words between the parts of a query: where one of them is too many, it is hardly meant as a name. */
const JOINTS = new Set(['select', 'from', 'where', 'join', 'on', 'by', 'and', 'or', 'as', 'having']);

/** A word of SQL before the place where a text cannot be read on, where quotes around it let it be read further. */
function reservedName(text: string, pieces: readonly SqlPiece[], problem: SqlProblem): SqlReading['problem'] {
    const word = pieces.findLast(({ start }) => start < problem.start);
    if (word?.kind !== 'word' || !isReservedInSql(word.name) || JOINTS.has(word.name.toLowerCase())) return undefined;
    const end = word.start + word.text.length;
    const quoted = parseSelect(`${text.slice(0, word.start)}\`${word.name}\`${text.slice(end)}`);
    // The quotes are two signs more.
    if (!quoted.ok && quoted.problem.start <= problem.start + 2) return undefined;
    return { message: say`'${word.name}' is a word of SQL`, start: word.start, end, reserved: word.name };
}

function tablesIn(select: SqlNode, pieces: readonly SqlPiece[]): TableUse[] {
    const firsts = new Map<string, SqlPiece>();
    const behind = new Map<string, SqlPiece>();
    for (const [i, piece] of pieces.entries()) {
        if (!isName(piece)) continue;
        if (!firsts.has(piece.name)) firsts.set(piece.name, piece);
        if (!behind.has(piece.name) && BEFORE_TABLES.has(pieces[i - 1]?.text.toLowerCase() ?? '')) behind.set(piece.name, piece);
    }
    return Array.from(new Set(queryNames(select).tables.map(writtenName)), (name): TableUse => {
        const { start, text } = behind.get(name) ?? firsts.get(name) ?? { start: 0, text: '' };
        return { name, start, end: start + text.length };
    });
}

const BEFORE_TABLES = new Set(['from', 'join', ',', '.', '(']);

function isName({ kind }: SqlPiece): boolean {
    return kind === 'word' || kind === 'quoted';
}

/** Words of GROUP BY that may stand before brackets. */
const GROUPINGS = new Set(['rollup', 'cube']);

/** The calls of functions that no query may call, at the words before their brackets. The parser takes words such as NOT for functions, too. */
function unknownFunctionsIn(select: SqlNode, pieces: readonly SqlPiece[]): UnknownFunction[] {
    const called = new Set<string>();
    visitNodes(select, ({ type, name }) => {
        const text = type === 'function' ? textOf(nodesIn((name as SqlNode | null)?.name).at(-1)) : undefined;
        if (text !== undefined && !isQueryFunction(text) && !isReservedInSql(text) && !GROUPINGS.has(text.toLowerCase()))
            called.add(text.toLowerCase());
    });
    if (called.size === 0) return [];
    return pieces.flatMap(({ kind, name, text, start }, i) => {
        const isCall = kind === 'word' && pieces[i + 1]?.text === '(' && called.has(name.toLowerCase());
        if (!isCall) return [];
        const nearest = nearestName(name.toLowerCase(), QUERY_FUNCTIONS);
        return [{ name, ...(nearest !== undefined && { nearest }), start, end: start + text.length }];
    });
}

/** The last ORDER BY of the text, where it is that of the whole query and no LIMIT stands behind it. */
function idleOrderIn(select: SqlNode, pieces: readonly SqlPiece[]): SqlReading['idleOrder'] {
    let last = select;
    for (let next = select._next; typeof next === 'object' && next !== null; next = last._next) last = next as SqlNode;
    const isLimited = [select, last].some(({ limit }) => nodesIn((limit as SqlNode | null)?.value).length > 0);
    if (isLimited || [select, last].every(({ orderby }) => nodesIn(orderby).length === 0)) return undefined;
    const at = pieces.findLastIndex(({ text }, i) => text.toLowerCase() === 'order' && pieces[i + 1]?.text.toLowerCase() === 'by');
    const [order, end] = [pieces[at], pieces.at(-1)];
    return order && end && { start: order.start, end: end.start + end.text.length };
}
