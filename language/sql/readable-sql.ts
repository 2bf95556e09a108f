import { isQueryAggregate } from './query-functions.ts';
import type { SqlPiece } from './sql-pieces.ts';

/** A query as the parser can read it. */
export interface ReadableSql {
    readonly text: string;
    /** Where each piece begins in it. */
    readonly starts: readonly number[];
}

/** A doubled quote, which the parser has no words for, becomes two of these. */
const DOUBLED = '\ue000\ue000';
/** Words after which the tables of a FROM list are over. */
const AFTER_TABLES = new Set(['where', 'group', 'having', 'order', 'limit', 'window', 'union', 'except', 'intersect', 'offset', 'fetch']);

/**
 * Writes a query for the parser: parameters in its own form, names without doubled quotes, `,` behind a join as CROSS
 * JOIN, for it would take the tables that follow for columns of the condition, and what it does not know otherwise (`rewrittenPieces`). `marks` replace pieces by their indexes.
 */
export function readableSql(sql: string, pieces: readonly SqlPiece[], marks: ReadonlyMap<number, string>): ReadableSql {
    const commas = new Set(commasBehindJoins(pieces));
    const rewritten = rewrittenPieces(pieces);
    const starts: number[] = [];
    let text = '';
    let from = 0;
    for (const [i, piece] of pieces.entries()) {
        text += sql.slice(from, piece.start);
        starts.push(text.length);
        text += marks.get(i) ?? rewritten.get(i) ?? (commas.has(piece) ? ' cross join ' : readablePiece(piece));
        from = piece.start + piece.text.length;
    }
    return { text: text + sql.slice(from), starts };
}

/** The name that a text of the parser's tree stands for. */
export function writtenName(text: string): string {
    return text.replaceAll(DOUBLED, '"');
}

function readablePiece({ kind, text, name }: SqlPiece): string {
    if (kind === 'parameter') return `:${'p'.repeat(name.length)}`;
    const quote = text.charAt(0);
    return kind === 'quoted' ? `${quote}${text.slice(1, -1).replaceAll(quote + quote, DOUBLED)}${quote}` : text;
}

/** What begins the name of an aggregate of different values, which the parser knows of few aggregates. */
export const DISTINCT_PREFIX = 'distinct__';
const DISTINCT_KNOWN = new Set(['count', 'string_agg', 'array_agg']);
const NUMBERED = new Set(['limit', 'offset', 'escape']);

/**
 * Aggregates of different values as functions of other names, no brackets around single values behind LIMIT, OFFSET and ESCAPE, and the
 * condition of QUALIFY as one of HAVING.
 */
function rewrittenPieces(pieces: readonly SqlPiece[]): ReadonlyMap<number, string> {
    const rewritten = new Map<number, string>();
    const having = [false];
    for (const [i, { kind, name, text }] of pieces.entries()) {
        if (text === '(') having.push(false);
        else if (text === ')') having.pop();
        if (kind !== 'word') continue;
        const word = name.toLowerCase();
        if (word === 'select') having[having.length - 1] = false;
        else if (word === 'having') having[having.length - 1] = true;
        else if (word === 'qualify') rewritten.set(i, having.at(-1) === true ? 'and' : 'having');
        if (pieces[i + 1]?.text !== '(') continue;
        const next = pieces[i + 2]?.text.toLowerCase();
        if (next === 'distinct' && isQueryAggregate(word) && !DISTINCT_KNOWN.has(word)) {
            rewritten.set(i, `${DISTINCT_PREFIX}${word}`).set(i + 2, ' ');
        } else if (next === 'all' && isQueryAggregate(word)) rewritten.set(i + 2, ' ');
        else if (NUMBERED.has(word) && pieces[i + 3]?.text === ')') rewritten.set(i + 1, ' ').set(i + 3, ' ');
    }
    return rewritten;
}

/** Commas between tables of a FROM list, once it has a join. */
function* commasBehindJoins(pieces: readonly SqlPiece[]): Iterable<SqlPiece> {
    type Place = 'select' | 'tables' | 'joined' | 'elsewhere';
    const outer: Place[] = [];
    let place: Place = 'elsewhere';
    const told = pieces.filter(({ kind }) => kind !== 'comment');
    for (const [i, piece] of told.entries()) {
        const word = piece.kind === 'word' ? piece.name.toLowerCase() : '';
        if (piece.text === '(') {
            outer.push(place);
            place = 'elsewhere';
        } else if (piece.text === ')') place = outer.pop() ?? 'elsewhere';
        else if (piece.text === ',' && place === 'joined') yield piece;
        else if (word === 'select') place = 'select';
        else if (word === 'from' && place === 'select') place = told[i - 1]?.text.toLowerCase() === 'distinct' ? place : 'tables';
        else if (word === 'join' && place === 'tables') place = 'joined';
        else if (AFTER_TABLES.has(word)) place = 'elsewhere';
    }
}
