import type { SqlReader, SqlReading, TableUse } from '#language/program/sql-reading.ts';
import { parseSelect, type SqlNode } from './parse-select.ts';
import { queryNames } from './query-names.ts';
import { querySchema } from './query-schema.ts';
import { writtenName } from './readable-sql.ts';
import { nodesIn } from './sql-nodes.ts';
import { type SqlPiece, sqlPieces } from './sql-pieces.ts';

/** Reads a SQL query that should be one SELECT statement, or WITH … SELECT. */
export const readQuery: SqlReader = text => {
    const parsed = parseSelect(text);
    if (!parsed.ok) return { problem: parsed.problem, tables: [], schema: () => ({ columns: undefined, faults: [] }) };
    const { select } = parsed;
    const pieces = sqlPieces(text).filter(({ kind }) => kind !== 'comment');
    const tables = tablesIn(select, pieces);
    const idleOrder = idleOrderIn(select, pieces);
    const width = querySchema(select, pieces, () => undefined).columns?.length;
    const reading: SqlReading = {
        tables,
        ...(width === undefined ? {} : { width }),
        ...(idleOrder === undefined ? {} : { idleOrder }),
        schema: columnsOf => querySchema(select, pieces, columnsOf),
    };
    return reading;
};

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
