import { isQueryAggregate } from './query-functions.ts';
import type { SqlPiece } from './sql-pieces.ts';

/** A query as the parser can read it. */
export interface ReadableSql {
    readonly text: string;
    /** The place of each piece in the original text. */
    readonly starts: readonly number[];
    /** Whether operators of `DISTINCT_OPERATORS` stand for others. Without it they are the writer's own. */
    readonly hasStandIns: boolean;
}

/** A doubled quote, which the parser has no words for, becomes two of these. */
const DOUBLED = '\ue000\ue000';
/** Words after which the tables of a FROM list are over. */
const AFTER_TABLES = new Set([
    'where',
    'group',
    'having',
    'order',
    'limit',
    'window',
    'union',
    'except',
    'intersect',
    'offset',
    'fetch',
    'qualify',
]);
const JOIN_WORDS = new Set(['natural', 'left', 'right', 'full', 'inner', 'cross', 'join', 'on', 'using']);
/** The only column of a USING that stands for NATURAL. */
export const NATURAL_MARK = 'natural__';

/**
 * Writes a query for the parser: parameters in its own form, names without doubled quotes, `,` behind a join as INNER
 * JOIN, for it would take the tables that follow for columns of the condition, joins without NATURAL and CROSS (`rewrittenJoins`), and what it
 * does not know otherwise (`rewrittenPieces`). `marks` replace pieces by their indexes.
 */
export function readableSql(sql: string, pieces: readonly SqlPiece[], marks: ReadonlyMap<number, string>): ReadableSql {
    const commas = new Set(commasBehindJoins(pieces));
    const rewritten = rewrittenPieces(pieces);
    const joins = rewrittenJoins(pieces);
    const starts: number[] = [];
    let text = '';
    let from = 0;
    for (const [i, piece] of pieces.entries()) {
        text += `${sql.slice(from, piece.start)}${joins.before.get(piece) ?? ''}`;
        starts.push(text.length);
        text += marks.get(i) ?? rewritten.get(i) ?? joins.words.get(piece) ?? (commas.has(piece) ? ' inner join ' : readablePiece(piece));
        from = piece.start + piece.text.length;
    }
    const hasStandIns = [...rewritten.values()].some(one => DISTINCT_OPERATORS.has(one));
    return { text: `${text}${joins.atEnd}${sql.slice(from)}`, starts, hasStandIns };
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

/** A prefix for the names of aggregates with DISTINCT or ORDER BY, which the parser accepts for few aggregates. */
export const AGGREGATE_PREFIX = 'aggregate__';
/** Stands before its arguments for DISTINCT, and behind them, with what they are sorted by, for ORDER BY. */
export const DISTINCT_MARK = 'distinct__';
export const ORDER_MARK = 'ordered__';
const DISTINCT_KNOWN = new Set(['count', 'string_agg', 'array_agg']);
const ORDER_KNOWN = new Set(['string_agg', 'array_agg']);
/** Operators of the parser that stand for those it does not know, which have the same rank. A query that has them itself keeps them. */
export const DISTINCT_OPERATORS: ReadonlyMap<string, string> = new Map([
    ['!~*', 'IS DISTINCT FROM'],
    ['~*', 'IS NOT DISTINCT FROM'],
]);
const DIRECTIONS = new Set(['asc', 'desc', 'nulls']);
const NUMBERED = new Set(['limit', 'offset', 'escape']);

/** Brackets, and what is known of the text within. */
interface Brackets {
    /** The aggregate before them. */
    readonly aggregate?: { readonly at: number; readonly name: string };
    readonly areSets?: boolean;
    hasHaving: boolean;
    isOrdered: boolean;
}

/**
 * Aggregates with DISTINCT or ORDER BY as functions of other names, GROUPING SETS as ROLLUP, no brackets around single values behind LIMIT,
 * OFFSET and ESCAPE, the condition of QUALIFY as one of HAVING, and IS DISTINCT FROM as another operator.
 */
function rewrittenPieces(pieces: readonly SqlPiece[]): ReadonlyMap<number, string> {
    const rewritten = new Map<number, string>();
    const outside: Brackets = { hasHaving: false, isOrdered: false };
    const open = [outside];
    const isTaken = hasOperator(pieces);
    for (const [i, { kind, name, text }] of pieces.entries()) {
        const around = open.at(-1) ?? outside;
        const next = pieces[i + 1]?.text.toLowerCase();
        if (text === '(') {
            if (around.areSets && next === ')') rewritten.set(i, 'null').set(i + 1, ' ');
            open.push({ ...bracketsBehind(pieces, i), hasHaving: false, isOrdered: false });
        } else if (text === ')') {
            if (around.isOrdered) rewritten.set(i, '))');
            if (open.length > 1) open.pop();
        }
        if (kind !== 'word') continue;
        const word = name.toLowerCase();
        if (word === 'select') around.hasHaving = false;
        else if (word === 'having') around.hasHaving = true;
        else if (word === 'qualify') rewritten.set(i, around.hasHaving ? 'and' : 'having');
        else if (word === 'grouping' && next === 'sets') rewritten.set(i, 'rollup').set(i + 1, ' ');
        else if (word === 'is' && !isTaken) for (const [at, sign] of distinctOperator(pieces, i)) rewritten.set(at, sign);
        else if (word === 'order' && next === 'by' && around.aggregate && !ORDER_KNOWN.has(around.aggregate.name)) {
            const { at, name: called } = around.aggregate;
            around.isOrdered = true;
            rewritten.set(at, `${AGGREGATE_PREFIX}${called}`);
            if (pieces[at + 2]?.text.toLowerCase() === 'distinct') rewritten.set(at + 2, `${DISTINCT_MARK}, `);
            rewritten.set(i, `, ${ORDER_MARK}(`).set(i + 1, ' ');
        } else if (around.isOrdered && DIRECTIONS.has(word)) {
            rewritten.set(i, ' ');
            if (word === 'nulls') rewritten.set(i + 1, ' ');
        }
        if (next !== '(') continue;
        const first = pieces[i + 2]?.text.toLowerCase();
        if (first === 'distinct' && isQueryAggregate(word) && !DISTINCT_KNOWN.has(word)) {
            rewritten.set(i, `${AGGREGATE_PREFIX}${word}`).set(i + 2, `${DISTINCT_MARK}, `);
        } else if (first === 'all' && isQueryAggregate(word)) rewritten.set(i + 2, ' ');
        else if (NUMBERED.has(word) && pieces[i + 3]?.text === ')') rewritten.set(i + 1, ' ').set(i + 3, ' ');
    }
    return rewritten;
}

/** Whether a query has an operator that could stand for another one, or a longer one that ends like it. */
function hasOperator(pieces: readonly SqlPiece[]): boolean {
    return pieces.some(({ text, start }, i) => text === '~' && pieces[i + 1]?.text === '*' && pieces[i + 1]?.start === start + 1);
}

/** The pieces of an `IS [NOT] DISTINCT FROM` that begins here, rewritten; none for another condition. */
function distinctOperator(pieces: readonly SqlPiece[], at: number): (readonly [number, string])[] {
    const words = pieces.slice(at, at + 4).map(({ text }) => text.toUpperCase());
    for (const [sign, operator] of DISTINCT_OPERATORS) {
        const own = operator.split(' ');
        if (own.every((word, i) => words[i] === word)) return own.map((_, i) => [at + i, i === 0 ? sign : ' ']);
    }
    return [];
}

function bracketsBehind(pieces: readonly SqlPiece[], at: number): Pick<Brackets, 'aggregate' | 'areSets'> {
    const before = pieces[at - 1];
    if (before?.kind !== 'word') return {};
    const name = before.name.toLowerCase();
    if (isQueryAggregate(name)) return { aggregate: { at: at - 1, name } };
    return { areSets: name === 'sets' && pieces[at - 2]?.text.toLowerCase() === 'grouping' };
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

interface RewrittenJoins {
    /** Words in the place of others. */
    readonly words: ReadonlyMap<SqlPiece, string>;
    /** Texts before pieces. */
    readonly before: ReadonlyMap<SqlPiece, string>;
    readonly atEnd: string;
}

/**
 * Joins with words that the parser takes for aliases, and refuses behind an alias: CROSS as INNER, and `t natural left join u x` as
 * `t left join u x using (natural__)`.
 */
function rewrittenJoins(pieces: readonly SqlPiece[]): RewrittenJoins {
    const words = new Map<SqlPiece, string>();
    const before = new Map<SqlPiece, string>();
    const using = ` using (${NATURAL_MARK}) `;
    /** Whether a NATURAL, or the JOIN behind it, has been read, for each level of brackets. */
    const natural: ('no' | 'word' | 'join')[] = ['no'];
    const told = pieces.filter(({ kind }) => kind !== 'comment');
    for (const [i, piece] of told.entries()) {
        const word = piece.kind === 'word' ? piece.name.toLowerCase() : '';
        const level = natural.length - 1;
        const isEnd = JOIN_WORDS.has(word) || AFTER_TABLES.has(word) || piece.text === ',' || piece.text === ')' || piece.text === ';';
        if (natural[level] === 'join' && isEnd) {
            before.set(piece, using);
            natural[level] = 'no';
        }
        const next = told[i + 1]?.text.toLowerCase() ?? '';
        if (piece.text === '(') natural.push('no');
        else if (piece.text === ')' && level > 0) natural.pop();
        else if (word === 'cross' && next === 'join') words.set(piece, 'inner');
        else if (word === 'join' && natural[level] === 'word') natural[level] = 'join';
        else if (word === 'natural' && NATURAL_JOINS.has(next)) {
            words.set(piece, ' ');
            natural[level] = 'word';
        }
    }
    return { words, before, atEnd: natural[0] === 'join' ? using : '' };
}

const NATURAL_JOINS = new Set(['join', 'left', 'right', 'full', 'inner']);
