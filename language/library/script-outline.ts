/** Facts about the function `main` of a Python script that its text shows without running a line (12.2). */
export interface ScriptOutline {
    /** Whether a run can call it with nothing or with the parameters; undefined where something else may define it. */
    readonly isCallable: boolean | undefined;
    /** The keys of the rows that it returns as they stand there, one list for each row. */
    readonly rows: readonly (readonly string[])[];
    /** A returned expression that is not a list of dictionaries, as the script writes it. */
    readonly misfit: string | undefined;
    /** The parameters that it reads. */
    readonly parameters: readonly string[];
}

type Kind = 'name' | 'string' | 'number' | 'sign' | 'line';

interface Piece {
    readonly kind: Kind;
    /** Of a string, what stands in its quotes; of the beginning of a line, its indentation. */
    readonly text: string;
    /** A string that stands for exactly its text. */
    readonly isPlain?: boolean;
}

const PIECE =
    /(?<line>\n[ \t\f]*(?=[^\s#]))|(?<comment>#[^\r\n]*)|(?<prefix>[A-Za-z]{0,2})(?<quote>"""|'''|"|')(?<string>(?:\\[\s\S]|(?!\k<quote>)[^\\])*)\k<quote>|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<number>\d[\w.]*)|(?<sign>\*\*|[^\s])/gu;

/** Takes a script apart. Returns undefined if it exceeds `LONGEST`, or if brackets do not close. */
function piecesOf(text: string): Piece[] | undefined {
    if (text.length > LONGEST) return undefined;
    const pieces: Piece[] = [];
    let depth = 0;
    for (const { groups = {} } of `\n${text}`.matchAll(PIECE)) {
        const { line, quote, string = '', prefix = '', name, number, sign } = groups;
        if (line !== undefined) {
            if (depth === 0) pieces.push({ kind: 'line', text: line.slice(1) });
        } else if (quote !== undefined) {
            pieces.push({ kind: 'string', text: string, isPlain: !/[bf]/iu.test(prefix) && !string.includes('\\') });
        } else if (name !== undefined) pieces.push({ kind: 'name', text: name });
        else if (number !== undefined) pieces.push({ kind: 'number', text: number });
        else if (sign !== undefined) {
            if ('([{'.includes(sign)) depth++;
            if (')]}'.includes(sign)) depth--;
            pieces.push({ kind: 'sign', text: sign });
        }
    }
    return depth === 0 ? pieces : undefined;
}

const LONGEST = 1 << 18;

/** Reads a script as far as it goes; undefined where it cannot be told apart. */
export function scriptOutline(text: string): ScriptOutline | undefined {
    const pieces = piecesOf(text);
    if (pieces === undefined) return undefined;
    const starts = pieces.flatMap((piece, at) =>
        piece.text === 'def' && isTop(pieces, at) && pieces[at + 1]?.text === 'main' ? [at] : [],
    );
    const [start] = starts;
    const isElsewhere = pieces.some(
        (piece, at) => isMeantElsewhere(pieces, at, start) || (piece.text === 'import' && pieces[at + 1]?.text === '*'),
    );
    if (start === undefined || isElsewhere || isDecorated(pieces, start))
        return { isCallable: start === undefined && !isElsewhere ? false : undefined, rows: [], misfit: undefined, parameters: [] };
    const close = closing(pieces, start + 2);
    const given = parts(pieces.slice(start + 3, close));
    const end = pieces.findIndex(({ kind, text: indent }, at) => at > close && kind === 'line' && indent === '');
    const body = pieces.slice(close + 1, end < 0 ? undefined : end);
    const isNested = body.some(({ text: word, kind }) => kind === 'name' && NESTING.has(word));
    const returned = isNested
        ? []
        : body.flatMap((piece, at) => (piece.text === 'return' && piece.kind === 'name' ? [statement(body, at + 1)] : []));
    const [parameter] = given[0] ?? [];
    return {
        isCallable: takesAtMostOne(given),
        rows: returned.flatMap(rowsIn),
        misfit: returned.map(misfitOf).find(found => found !== undefined),
        parameters: parameter?.kind === 'name' ? parametersIn(body, parameter.text) : [],
    };
}

function isTop(pieces: readonly Piece[], at: number): boolean {
    return pieces[at - 1]?.kind === 'line' && pieces[at - 1]?.text === '';
}

/** Whether the name `main` stands there for something else than a call of the function that begins at `start`. */
function isMeantElsewhere(pieces: readonly Piece[], at: number, start: number | undefined): boolean {
    const [before, { kind, text } = { kind: 'line', text: '' }, after] = [pieces[at - 1], pieces[at], pieces[at + 1]];
    if (kind !== 'name' || text !== 'main' || at - 1 === start) return false;
    return after?.text !== '(' || before?.text === 'def' || before?.text === 'class';
}

/** A line that begins with `@` stands before the function. */
function isDecorated(pieces: readonly Piece[], start: number): boolean {
    const line = pieces.findLastIndex(({ kind }, at) => kind === 'line' && at < start - 1);
    return start > 0 && pieces[line + 1]?.text === '@';
}

/** Whether a function with these parameters is called with one value or none: as the runner of scripts looks at it. */
function takesAtMostOne(given: readonly (readonly Piece[])[]): boolean {
    const star = given.findIndex(([first]) => first?.text === '*');
    const positional = (star < 0 ? given : given.slice(0, star)).filter(([first]) => first?.text !== '/' && first?.text !== '**');
    const named = star < 0 ? [] : given.slice(star + 1).filter(([first]) => first?.text !== '**');
    return positional.length <= 1 && named.every(part => part.some(({ kind, text }) => kind === 'sign' && text === '='));
}

/** If one of these words stands in `main`, a `return` may belong to another function. */
const NESTING: ReadonlySet<string> = new Set(['def', 'class', 'yield']);

/** The place of the bracket that closes the one at `open`. */
function closing(pieces: readonly Piece[], open: number): number {
    let depth = 0;
    for (let at = open; at < pieces.length; at++) {
        const { kind, text } = pieces[at] ?? { kind: 'line', text: '' };
        if (kind !== 'sign') continue;
        if ('([{'.includes(text)) depth++;
        if (')]}'.includes(text) && --depth === 0) return at;
    }
    return pieces.length;
}

/** Splits at the commas outside brackets. */
function parts(pieces: readonly Piece[]): Piece[][] {
    const found: Piece[][] = [[]];
    let depth = 0;
    for (const piece of pieces) {
        if (piece.kind === 'sign' && '([{'.includes(piece.text)) depth++;
        if (piece.kind === 'sign' && ')]}'.includes(piece.text)) depth--;
        if (piece.text === ',' && piece.kind === 'sign' && depth === 0) found.push([]);
        else found.at(-1)?.push(piece);
    }
    return found.filter(part => part.length > 0);
}

/** The pieces up to the end of a statement. */
function statement(pieces: readonly Piece[], from: number): readonly Piece[] {
    const end = pieces.findIndex(({ kind, text }, at) => at >= from && (kind === 'line' || (kind === 'sign' && text === ';')));
    return pieces.slice(from, end < 0 ? undefined : end);
}

/** Whether the pieces are one display in brackets, and nothing more. */
function isDisplay(pieces: readonly Piece[], bracket: string): boolean {
    return pieces[0]?.kind === 'sign' && pieces[0].text === bracket && closing(pieces, 0) === pieces.length - 1;
}

function itemsOf(pieces: readonly Piece[]): Piece[][] | undefined {
    if (!isDisplay(pieces, '[') || pieces.some(({ kind, text }) => kind === 'name' && text === 'for')) return undefined;
    return parts(pieces.slice(1, -1));
}

/** The keys of the dictionaries of a list, of those in which all are plain texts. */
function rowsIn(returned: readonly Piece[]): string[][] {
    return (itemsOf(returned) ?? []).flatMap(item => {
        if (!isDisplay(item, '{')) return [];
        const keys = parts(item.slice(1, -1)).map(([key, colon]) => (key?.isPlain === true && colon?.text === ':' ? key.text : undefined));
        return keys.includes(undefined) ? [] : [keys.filter(key => key !== undefined)];
    });
}

/** A value that is certainly no list of dictionaries, as text. */
function misfitOf(returned: readonly Piece[]): string | undefined {
    const [only, second] = returned;
    if (only === undefined) return 'None';
    if (second === undefined && (only.kind === 'number' || only.kind === 'string' || CONSTANTS.has(only.text)))
        return only.kind === 'string' ? `'${only.text}'` : only.text;
    if (isDisplay(returned, '{')) return '{…}';
    const wrong = itemsOf(returned)?.find(
        item => item.length === 1 && (item[0]?.kind === 'number' || item[0]?.kind === 'string' || CONSTANTS.has(item[0]?.text ?? '')),
    );
    return wrong === undefined ? undefined : `[${wrong[0]?.kind === 'string' ? `'${wrong[0].text}'` : wrong[0]?.text}, …]`;
}

const CONSTANTS: ReadonlySet<string> = new Set(['None', 'True', 'False']);

/** The names in `params["x"]` and `params.get("x")`. */
function parametersIn(body: readonly Piece[], parameter: string): string[] {
    const texts = (at: number): string[] => body.slice(at, at + 4).map(({ text }) => text);
    return body.flatMap(({ kind, text }, at) => {
        if (kind !== 'name' || text !== parameter || body[at - 1]?.text === '.') return [];
        const [first, second, third] = texts(at + 1);
        const key =
            first === '[' && third === ']' ? body[at + 2] : first === '.' && second === 'get' && third === '(' ? body[at + 4] : undefined;
        const isKey = key?.isPlain === true && (first === '[' || [')', ','].includes(body[at + 5]?.text ?? ''));
        return isKey ? [key.text] : [];
    });
}
