import { isQueryFunction } from './query-functions.ts';
import { isClauseWord, isSqlKeyword } from './sql-keywords.ts';
import { type SqlPiece, sqlPieces } from './sql-pieces.ts';

/** The role of a piece of a SQL text, with its offsets in the text. Signs have no role. */
export interface SqlPart {
    readonly kind: 'keyword' | 'function' | 'type' | 'string' | 'number' | 'comment' | 'parameter' | 'table' | 'alias' | 'column';
    /** Without the quotes around it. */
    readonly name: string;
    readonly start: number;
    readonly end: number;
    /** The source behind a table or an alias. */
    readonly source?: SqlSource;
    /** The name before the dot of a column. */
    readonly qualifier?: string;
    /** It is here that an alias, or what a WITH defines, gets its name. */
    readonly isDefinition?: true;
    /** The SELECT that a column is used in. */
    readonly scope?: SqlScope;
}

/** A source in a FROM list, under the name that it exposes. */
export interface SqlSource {
    readonly exposed: string;
    /** The predicate or the table that it is, as the text writes it, behind its schema; absent for subqueries and for what a WITH defines. */
    readonly table?: string;
    readonly query?: SqlScope;
    /** The place that gives it that name. */
    readonly start: number;
    readonly end: number;
}

/** A SELECT. */
export interface SqlScope {
    readonly sources: readonly SqlSource[];
    /** Names of its columns, as far as they have some; `*` stands for those of its sources. */
    readonly outputs: readonly (string | undefined)[];
    /** Selected expressions without a name of their own, with their numbers among the columns, until the first `*`. */
    readonly unnamed: readonly { readonly column: number; readonly start: number; readonly end: number }[];
    readonly outer: SqlScope | undefined;
}

/** Reads a SQL text, which may be wrong or incomplete, for those who write it: nothing is ever refused. */
export function sqlOutline(sql: string): SqlOutline {
    return new OutlineReader(sql).read();
}

export interface SqlOutline {
    /** In the order of the text. */
    readonly parts: readonly SqlPart[];
    /** The SELECT that tells what the result is made of. */
    readonly result: SqlScope | undefined;
    /** The SELECT that holds the offset, and whether a table is expected there. */
    at(offset: number): { readonly scope: SqlScope | undefined; readonly wantsTable: boolean; readonly defined: readonly string[] };
}

/** The source that stands before the dots of columns by a name. */
export function sourceNamed(scope: SqlScope | undefined, name: string): SqlSource | undefined {
    const key = name.toLowerCase();
    for (let at = scope; at !== undefined; at = at.outer) {
        const found = at.sources.find(({ exposed }) => exposed.toLowerCase() === key);
        if (found !== undefined) return found;
    }
    return undefined;
}

/** All sources that columns of a SELECT may be of, the nearest first. */
export function sourcesOf(scope: SqlScope | undefined): readonly SqlSource[] {
    const sources: SqlSource[] = [];
    for (let at = scope; at !== undefined; at = at.outer) sources.push(...at.sources);
    return sources;
}

interface OpenScope extends SqlScope {
    readonly sources: OpenSource[];
    readonly outputs: (string | undefined)[];
    readonly unnamed: { column: number; start: number; end: number }[];
}

type OpenSource = { -readonly [K in keyof SqlSource]: SqlSource[K] };

/** State of reading inside an open parenthesis, or in the whole text. */
interface Frame {
    clause: 'none' | 'with' | 'select' | 'from' | 'on' | 'names' | 'other';
    /** The SELECT that is being read. */
    scope: OpenScope | undefined;
    /** The first SELECT of a UNION and the like tells the columns. */
    first: OpenScope | undefined;
    readonly outer: OpenScope | undefined;
    /** Sources that WITH defines, by name. */
    readonly defined: Map<string, SqlSource>;
    wantsTable: boolean;
    /** The source that may get an alias next. */
    source: OpenSource | undefined;
    /** The source that a WITH is about to define. */
    cte: OpenSource | undefined;
    /** Index of the first piece of an item of a select list. */
    item: number;
    alias: string | undefined;
    readonly holds: 'source' | 'tables' | 'cte' | 'expression';
}

class OutlineReader {
    readonly #pieces: readonly SqlPiece[];
    readonly #parts: SqlPart[] = [];
    readonly #places: {
        readonly end: number;
        readonly frame: Frame;
        readonly scope: OpenScope | undefined;
        readonly wantsTable: boolean;
    }[] = [];
    readonly #frames: Frame[];

    constructor(sql: string) {
        const pieces = sqlPieces(sql);
        this.#pieces = pieces.filter(({ kind }) => kind !== 'comment');
        for (const piece of pieces) if (piece.kind === 'comment') this.#add('comment', piece);
        this.#frames = [frameIn(undefined, 'expression', 'none')];
    }

    read(): SqlOutline {
        for (const [i, piece] of this.#pieces.entries()) {
            this.#piece(piece, i);
            const frame = this.#frame();
            this.#places.push({
                end: piece.start + piece.text.length,
                frame,
                scope: frame.scope ?? frame.outer,
                wantsTable: frame.wantsTable,
            });
        }
        const [root] = this.#frames;
        for (const frame of this.#frames.reverse()) this.#endItem(frame, this.#pieces.length);
        const parts = this.#parts.sort((a, b) => a.start - b.start).map(part => (part.kind === 'alias' ? withSource(part) : part));
        return {
            parts,
            result: root?.first,
            at: offset => {
                const place = this.#places.findLast(({ end }) => end <= offset);
                return {
                    scope: place?.scope,
                    wantsTable: place?.wantsTable ?? false,
                    defined: Array.from(place?.frame.defined.values() ?? [], ({ exposed }) => exposed),
                };
            },
        };
    }

    #frame(): Frame {
        return this.#frames.at(-1) ?? frameIn(undefined, 'expression', 'none');
    }

    #add(kind: SqlPart['kind'], piece: SqlPiece, more: Partial<SqlPart> = {}): void {
        this.#parts.push({ kind, name: piece.name, ...spanOf(piece), ...more });
    }

    #piece(piece: SqlPiece, i: number): void {
        switch (piece.kind) {
            case 'string':
            case 'parameter':
                this.#add(piece.kind, piece);
                return;
            case 'word':
            case 'quoted':
                this.#name(piece, i);
                return;
            case 'sign':
                this.#sign(piece, i);
                return;
            case 'comment':
                return;
        }
    }

    #sign(piece: SqlPiece, i: number): void {
        const frame = this.#frame();
        if (/^\d/u.test(piece.text)) this.#add('number', piece);
        else if (piece.text === '(') this.#open(frame, i);
        else if (piece.text === ')') this.#close(i);
        else if (piece.text === ',') this.#comma(frame, i);
    }

    #open(frame: Frame, i: number): void {
        const before = this.#pieces[i - 1];
        const next = this.#pieces[i + 1]?.name.toLowerCase();
        const isQuery = next === 'select' || next === 'with' || next === '(';
        if (frame.clause === 'with') {
            const isBody = before?.kind === 'word' && /^(?:as|materialized)$/iu.test(before.name);
            this.#frames.push(frameIn(frame, isBody ? 'cte' : 'expression', isBody ? 'none' : 'names'));
        } else if (frame.clause === 'from' && frame.wantsTable) {
            this.#frames.push(
                isQuery ? frameIn(frame, 'source', 'none') : { ...frameIn(frame, 'tables', 'from'), scope: frame.scope, wantsTable: true },
            );
            frame.wantsTable = false;
        } else {
            const isNames = frame.clause === 'from' && frame.source !== undefined && before?.name === frame.source.exposed;
            this.#frames.push(frameIn(frame, 'expression', isNames ? 'names' : 'other'));
        }
    }

    #close(i: number): void {
        if (this.#frames.length < 2) return;
        const inner = this.#frames.pop();
        const frame = this.#frame();
        if (inner === undefined) return;
        this.#endItem(inner, i);
        const place = { start: this.#pieces[i]?.start ?? 0, end: this.#pieces[i]?.start ?? 0 };
        if (inner.holds === 'source') this.#addSource(frame, { exposed: '', ...(inner.first && { query: inner.first }), ...place });
        if (inner.holds === 'cte' && frame.cte !== undefined) {
            if (inner.first !== undefined) frame.cte.query = inner.first;
            frame.defined.set(frame.cte.exposed.toLowerCase(), frame.cte);
            frame.cte = undefined;
        }
    }

    #comma(frame: Frame, i: number): void {
        if (frame.clause === 'select') {
            this.#endItem(frame, i);
            frame.item = i + 1;
        } else if (frame.clause === 'from' || (frame.clause === 'on' && frame.scope !== undefined)) {
            frame.clause = 'from';
            frame.wantsTable = true;
            frame.source = undefined;
        }
    }

    #addSource(frame: Frame, source: OpenSource): void {
        frame.scope?.sources.push(source);
        frame.source = source;
        frame.wantsTable = false;
    }

    /** Notes the column that an item of a select list makes. */
    #endItem(frame: Frame, end: number): void {
        if (frame.clause !== 'select' || end <= frame.item) return;
        const pieces = this.#pieces.slice(frame.item, end).filter(({ name }) => !/^distinct$/iu.test(name));
        const last = pieces.at(-1);
        const isColumn = pieces.length === 1 || (pieces.length === 3 && pieces[1]?.text === '.');
        const name = frame.alias ?? (isColumn ? last?.name : undefined);
        const { scope } = frame;
        scope?.outputs.push(name);
        const [first] = pieces;
        if (name === undefined && first !== undefined && last !== undefined && scope?.outputs.includes('*') === false)
            scope.unnamed.push({ column: scope.outputs.length, start: first.start, end: spanOf(last).end });
        frame.alias = undefined;
        frame.item = end;
    }

    #name(piece: SqlPiece, i: number): void {
        const frame = this.#frame();
        const before = this.#pieces[i - 1];
        const next = this.#pieces[i + 1];
        const word = piece.kind === 'word' ? piece.name.toLowerCase() : '';
        const isCall = next?.text === '(';
        const isBehindAs = before?.kind === 'word' && /^as$/iu.test(before.name);
        const isKeyword = isSqlKeyword(word, before?.name, next?.name) && !(isCall && isQueryFunction(word));
        const scope = frame.scope ?? frame.outer;
        if (before?.text === '.') this.#behindDot(piece, i, frame);
        else if (isKeyword) this.#keyword(piece, word, i, frame);
        else if (frame.clause === 'names') this.#add('alias', piece, { isDefinition: true });
        else if (frame.clause === 'with' && frame.cte === undefined) {
            frame.cte = { exposed: piece.name, ...spanOf(piece) };
            this.#add('alias', piece, { isDefinition: true, source: frame.cte });
        } else if (frame.clause === 'from' && frame.wantsTable) {
            if (!isCall) this.#table(piece, frame);
            else {
                this.#addSource(frame, { exposed: piece.name, ...spanOf(piece) });
                this.#add('function', piece);
            }
        } else if (frame.clause === 'from' && frame.source !== undefined) {
            const { source } = frame;
            Object.assign(source, { exposed: piece.name, ...spanOf(piece) });
            this.#add('alias', piece, { isDefinition: true, source });
        } else if (frame.clause === 'select' && (isBehindAs || (!isCall && endsOperand(before)))) {
            frame.alias = piece.name;
            this.#add('alias', piece, { isDefinition: true });
        } else if (isBehindAs || before?.text === ':') this.#add('type', piece);
        else if (isCall) this.#add('function', piece);
        else this.#add(next?.text === '.' ? 'alias' : 'column', piece, scope && { scope });
    }

    /** A column behind its table, or a table behind its schema. */
    #behindDot(piece: SqlPiece, i: number, frame: Frame): void {
        const qualifier = this.#pieces[i - 2];
        const isOfSchema = frame.clause === 'from' && frame.source !== undefined && qualifier?.start === frame.source.start;
        const scope = frame.scope ?? frame.outer;
        if (isOfSchema && frame.source?.table !== undefined)
            Object.assign(frame.source, { exposed: piece.name, table: `${frame.source.table}.${piece.name}` });
        this.#add('column', piece, isOfSchema ? {} : { ...(scope && { scope }), ...(qualifier && { qualifier: qualifier.name }) });
    }

    #table(piece: SqlPiece, frame: Frame): void {
        const defined = frame.defined.get(piece.name.toLowerCase());
        const source: OpenSource = defined === undefined ? { exposed: piece.name, table: piece.name, ...spanOf(piece) } : { ...defined };
        this.#addSource(frame, source);
        this.#add(source.table === undefined ? 'alias' : 'table', piece, { source });
    }

    #keyword(piece: SqlPiece, word: string, i: number, frame: Frame): void {
        this.#add('keyword', piece);
        switch (word) {
            case 'select':
                frame.scope = { sources: [], outputs: [], unnamed: [], outer: frame.outer };
                frame.first ??= frame.scope;
                frame.clause = 'select';
                frame.item = i + 1;
                return;
            case 'with':
                frame.clause = 'with';
                return;
            case 'from':
                if (frame.clause !== 'select' || this.#pieces[i - 1]?.name.toLowerCase() === 'distinct') return;
                this.#endItem(frame, i);
                frame.clause = 'from';
                frame.wantsTable = true;
                frame.source = undefined;
                return;
            case 'join':
                frame.clause = 'from';
                frame.wantsTable = true;
                frame.source = undefined;
                return;
            case 'on':
            case 'using':
                if (frame.clause === 'from') frame.clause = 'on';
                frame.source = undefined;
                return;
            default:
                if (!isClauseWord(word)) return;
                this.#endItem(frame, i);
                frame.source = undefined;
                frame.wantsTable = false;
                if (frame.clause !== 'with' && /^(?:left|right|inner|full|outer|cross|natural|lateral)$/u.test(word)) {
                    if (word === 'lateral') frame.wantsTable = true;
                } else if (frame.clause !== 'with') frame.clause = 'other';
        }
    }
}

function frameIn(outer: Frame | undefined, holds: Frame['holds'], clause: Frame['clause']): Frame {
    return {
        clause,
        scope: undefined,
        first: undefined,
        outer: outer?.scope ?? outer?.outer,
        defined: new Map(outer?.defined),
        wantsTable: false,
        source: undefined,
        cte: undefined,
        item: 0,
        alias: undefined,
        holds,
    };
}

function spanOf({ start, text }: SqlPiece): { readonly start: number; readonly end: number } {
    return { start, end: start + text.length };
}

/** A name behind it without a comma is an alias. */
function endsOperand(piece: SqlPiece | undefined): boolean {
    if (piece === undefined) return false;
    if (piece.kind === 'word')
        return !isSqlKeyword(piece.name.toLowerCase(), undefined, undefined) || /^(?:end|null|true|false)$/iu.test(piece.name);
    return piece.kind !== 'sign' || piece.text === ')' || /^\d/u.test(piece.text);
}

/** Resolves the name before a dot: a table by its own name, or an alias. */
function withSource(part: SqlPart): SqlPart {
    if (part.isDefinition || part.source !== undefined) return part;
    const source = sourceNamed(part.scope, part.name);
    const { scope: _, ...plain } = part;
    if (source === undefined) return plain;
    const isTable = source.table !== undefined && source.table.toLowerCase() === part.name.toLowerCase();
    return { ...plain, kind: isTable ? 'table' : 'alias', source };
}
