/** Quoted texts, comments, names in quotes, words and single signs of a SQL text. */
const PIECE = /'(?:[^']|'')*'|--[^\r\n]*|\/\*[\s\S]*?\*\/|"((?:[^"]|"")*)"|([A-Za-z_][\w$]*)|\S/gu;
/** Words after which the tables of a FROM list are over. */
const AFTER_TABLES = new Set(['where', 'group', 'having', 'order', 'limit', 'window', 'union', 'except', 'intersect', 'offset']);
/** Functions that have a FROM of their own. */
const FROM_CALLS = new Set(['extract', 'trim', 'substring', 'overlay']);
const NO_TABLES = new Set(['select', 'lateral', 'unnest', 'values', 'only']);

interface Piece {
    readonly text: string;
    /** In lower case, for words without quotes. */
    readonly word?: string;
    readonly name?: string;
    readonly start: number;
}

export interface QueryTable {
    readonly name: string;
    /** Offset in the query. */
    readonly start: number;
}

/** The tables that a query reads, each time it names one; those that its `WITH` defines are left out. */
export function queryTables(query: string): QueryTable[] {
    const pieces = piecesOf(query);
    const own = new Set<string>();
    const tables: QueryTable[] = [];
    // For each open parenthesis, what surrounds it.
    const lists: { readonly inList: boolean; readonly isCall: boolean }[] = [];
    let expects = false;
    let inList = false;
    pieces.forEach((piece, at) => {
        const { text, word, name } = piece;
        if (text === '(') {
            lists.push({ inList, isCall: FROM_CALLS.has(pieces[at - 1]?.word ?? '') });
            inList = expects;
        } else if (text === ')') {
            inList = lists.pop()?.inList ?? false;
            expects = false;
        } else if (text === ',') expects = inList;
        else if (word === 'from' || word === 'join') {
            if (lists.at(-1)?.isCall) return;
            inList = true;
            expects = true;
        } else if (word !== undefined && AFTER_TABLES.has(word)) {
            inList = false;
            expects = false;
        } else if (word === 'on' || word === 'using') expects = false;
        else if (name !== undefined) {
            if (definesTable(pieces, at)) own.add(name.toLowerCase());
            if (!expects) return;
            expects = false;
            if (word !== undefined && NO_TABLES.has(word)) inList = word !== 'select';
            else if (pieces[at + 1]?.text !== '(') tables.push(qualified(pieces, at) ?? { name, start: piece.start });
        }
    });
    return tables.filter(({ name }) => !own.has(name.toLowerCase()));
}

/** Why a text cannot be one SELECT statement, with the offset of the place; undefined where it can. */
export function queryFault(query: string): { readonly reason: string; readonly start: number } | undefined {
    const pieces = piecesOf(query);
    const [first] = pieces;
    if (first === undefined) return { reason: 'the query is empty', start: 0 };
    const begins = pieces.find(({ text }) => text !== '(');
    if (begins?.word !== 'select' && begins?.word !== 'with')
        return { reason: `a query begins with SELECT or WITH, not '${first.text}'`, start: first.start };
    const open: Piece[] = [];
    for (const piece of pieces) {
        if (piece.text === '(') open.push(piece);
        else if (piece.text === ')' && open.pop() === undefined) return { reason: "')' closes nothing", start: piece.start };
        else if (piece.text === "'" || piece.text === '"') return { reason: 'the quote is not closed', start: piece.start };
        else if (piece.text === ';' && piece !== pieces.at(-1))
            return { reason: 'only one statement may stand in a query', start: piece.start };
    }
    const unclosed = open.pop();
    if (unclosed !== undefined) return { reason: "'(' is not closed", start: unclosed.start };
    if (!pieces.some(({ word }) => word === 'select')) return { reason: 'SELECT is missing', start: first.start };
    return undefined;
}

function piecesOf(query: string): Piece[] {
    return [...query.matchAll(PIECE)].flatMap((match): Piece[] => {
        const [text, quoted, word] = match;
        if (text.startsWith('--') || text.startsWith('/*')) return [];
        const start = match.index;
        if (quoted !== undefined) return [{ text, name: quoted.replaceAll('""', '"'), start }];
        return [word === undefined ? { text, start } : { text, word: word.toLowerCase(), name: word, start }];
    });
}

/** `name AS (`, or `name (columns) AS (`, in a WITH. */
function definesTable(pieces: readonly Piece[], at: number): boolean {
    const before = pieces[at - 1];
    if (before?.word !== 'with' && before?.word !== 'recursive' && before?.text !== ',') return false;
    let next = at + 1;
    if (pieces[next]?.text === '(') {
        while (next < pieces.length && pieces[next]?.text !== ')') next++;
        next++;
    }
    return pieces[next]?.word === 'as' && ['(', 'materialized', 'not'].includes(pieces[next + 1]?.text.toLowerCase() ?? '');
}

/** The last part of `schema.table`. */
function qualified(pieces: readonly Piece[], at: number): QueryTable | undefined {
    let last = at;
    while (pieces[last + 1]?.text === '.' && pieces[last + 2]?.name !== undefined) last += 2;
    const piece = pieces[last];
    return last === at || piece?.name === undefined ? undefined : { name: piece.name, start: piece.start };
}
