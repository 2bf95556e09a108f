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
 * Writes a query for the parser: parameters in its own form, names without doubled quotes, and `,` behind a join as CROSS
 * JOIN, for it would take the tables that follow for columns of the condition. `marks` replace pieces by their indexes.
 */
export function readableSql(sql: string, pieces: readonly SqlPiece[], marks: ReadonlyMap<number, string>): ReadableSql {
    const commas = new Set(commasBehindJoins(pieces));
    const starts: number[] = [];
    let text = '';
    let from = 0;
    for (const [i, piece] of pieces.entries()) {
        text += sql.slice(from, piece.start);
        starts.push(text.length);
        text += marks.get(i) ?? (commas.has(piece) ? ' cross join ' : readablePiece(piece));
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
