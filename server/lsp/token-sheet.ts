import type { SemanticTokensEdit } from 'vscode-languageserver/node';
import { commonEnds } from '#language/analysis/common-ends.ts';
import type { TextRange } from '#language/document/open-document.ts';
import { DocumentTokens } from '#language/editing/document-tokens.ts';
import { type ClauseTokens, TOKEN_MODIFIERS, TOKEN_TYPES, tokensInRange } from '#language/editing/semantic-tokens.ts';
import type { Clause } from '#language/program/program.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { type Encoding, unitsOf } from '#server/workspace/text-positions.ts';

/** The tokens of one clause in numbers of the protocol. What they say stays true wherever the clause moves. */
interface ClauseCode {
    /** Five numbers for each token: line and character after those of the token before, length, type, modifiers. */
    readonly numbers: readonly number[];
    /** The start of the last token, counted from the start of the clause. */
    readonly line: number;
    readonly character: number;
}

/** The tokens of some clauses, and how far the first token of each is from the token before it. */
interface CodedClauses {
    readonly codes: readonly ClauseCode[];
    readonly lines: readonly number[];
    readonly characters: readonly number[];
    /** How many numbers stand before each clause, and before the end. */
    readonly starts: readonly number[];
}

/** The tokens of a document as its client has them, and what a change makes of them. Work is kept clause by clause. */
export class TokenSheet {
    readonly #encoding: Encoding;
    readonly #document = new DocumentTokens();
    #tokens: readonly ClauseTokens[] = [];
    #sent: CodedClauses = { codes: [], lines: [], characters: [], starts: [0] };

    constructor(encoding: Encoding) {
        this.#encoding = encoding;
    }

    /** All tokens. */
    full(document: EditorDocument): number[] {
        this.#update(document);
        return numbersOf(this.#sent, 0, this.#sent.codes.length);
    }

    /** Returns the edits to the tokens that the client has, in numbers of those. */
    edits(document: EditorDocument): SemanticTokensEdit[] {
        const before = this.#sent;
        this.#update(document);
        return editsBetween(before, this.#sent);
    }

    #update(document: EditorDocument): void {
        const { clauses } = document.program.program;
        const before = this.#tokens;
        const tokens = this.#document.update(document.program);
        const { start, tail } = commonEnds(before, tokens);
        const { codes } = this.#sent;
        const known = new Map(before.slice(start, before.length - tail).map((one, i) => [one, codes[start + i]] as const));
        const between = tokens
            .slice(start, tokens.length - tail)
            .map((one, i) => known.get(one) ?? clauseCode(document, clauses[start + i], one, this.#encoding));
        this.#tokens = tokens;
        this.#sent = placed(document, clauses, codes.slice(0, start).concat(between, codes.slice(before.length - tail)));
    }
}

/** The tokens of the clauses that a range touches. */
export function tokenNumbers(document: EditorDocument, range: TextRange, encoding: Encoding): number[] {
    const found = tokensInRange(document.program, range);
    const codes = found.map(({ clause, tokens }) => clauseCode(document, clause, tokens, encoding));
    const clauses = found.map(({ clause }) => clause);
    return numbersOf(placed(document, clauses, codes), 0, codes.length);
}

const TYPES = new Map(TOKEN_TYPES.map((name, index) => [name, index]));
const MODIFIERS = new Map(TOKEN_MODIFIERS.map((name, index) => [name, 1 << index]));

function clauseCode(document: EditorDocument, clause: Clause | undefined, tokens: ClauseTokens, encoding: Encoding): ClauseCode {
    const text = clause === undefined ? '' : clauseText(document.program, clause);
    const units = (start: number, end: number): number => {
        const piece = end - start;
        return encoding === 'utf-16' ? piece : unitsOf(text.slice(start, end), piece, encoding);
    };
    const numbers: number[] = [];
    let line = 0;
    let lineStart = 0;
    let lineEnd = afterLine(text, 0);
    let previous = { line: 0, character: 0 };
    for (const { start, length, type, modifiers } of tokens) {
        for (; lineEnd <= start; lineEnd = afterLine(text, lineStart)) {
            lineStart = lineEnd;
            line++;
        }
        const character = units(lineStart, start);
        numbers.push(
            line - previous.line,
            line === previous.line ? character - previous.character : character,
            units(start, start + length),
            TYPES.get(type) ?? 0,
            modifiers.reduce((bits, modifier) => bits | (MODIFIERS.get(modifier) ?? 0), 0),
        );
        previous = { line, character };
    }
    return { numbers, ...previous };
}

/** Offset behind the line feed or carriage return that ends the line; infinite in the last line. */
function afterLine(text: string, offset: number): number {
    for (let at = offset; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) return at + 1;
    }
    return Number.POSITIVE_INFINITY;
}

function placed(document: EditorDocument, clauses: readonly Clause[], codes: readonly ClauseCode[]): CodedClauses {
    const lines: number[] = [];
    const characters: number[] = [];
    const starts = [0];
    let count = 0;
    let line = 0;
    let character = 0;
    for (const [i, { place }] of clauses.entries()) {
        const code = codes[i] ?? NOTHING;
        count += code.numbers.length;
        starts.push(count);
        if (code.numbers.length === 0) {
            lines.push(0);
            characters.push(0);
            continue;
        }
        const column = place.column === 0 ? 0 : document.positionAt(place.offset).character;
        const [below = 0, behind = 0] = code.numbers;
        const first = below === 0 ? column + behind : behind;
        lines.push(place.line + below - line);
        characters.push(place.line + below === line ? first - character : first);
        line = place.line + code.line;
        character = code.line === 0 ? column + code.character : code.character;
    }
    return { codes, lines, characters, starts };
}

function numbersOf({ codes, lines, characters }: CodedClauses, from: number, to: number): number[] {
    const all: number[] = [];
    for (let i = from; i < to; i++) {
        const { numbers } = codes[i] ?? NOTHING;
        const base = all.length;
        for (const number of numbers) all.push(number);
        if (numbers.length === 0) continue;
        all[base] = lines[i] ?? 0;
        all[base + 1] = characters[i] ?? 0;
    }
    return all;
}

const NOTHING: ClauseCode = { numbers: [], line: 0, character: 0 };

/** One edit for each run of clauses that differ; where clauses came or went, one from the first to the last that differs. */
function editsBetween(before: CodedClauses, now: CodedClauses): SemanticTokensEdit[] {
    const [old, fresh] = [before.codes.length, now.codes.length];
    const shorter = Math.min(old, fresh);
    const same = (i: number, j: number): boolean =>
        before.codes[i] === now.codes[j] && before.lines[i] === now.lines[j] && before.characters[i] === now.characters[j];
    let start = 0;
    while (start < shorter && same(start, start)) start++;
    let tail = 0;
    while (tail < shorter - start && same(old - 1 - tail, fresh - 1 - tail)) tail++;
    if (start + tail === Math.max(old, fresh)) return [];
    if (old !== fresh) return [editOf(before, now, start, old - tail, fresh - tail)];
    const edits: SemanticTokensEdit[] = [];
    for (let at = start; at < old - tail; at++) {
        const from = at;
        while (at < old - tail && !same(at, at)) at++;
        if (at > from) edits.push(editOf(before, now, from, at, at));
    }
    return edits;
}

/** Puts clauses of now in the place of clauses from before. */
function editOf(before: CodedClauses, now: CodedClauses, from: number, to: number, untilNow: number): SemanticTokensEdit {
    const start = before.starts[from] ?? 0;
    return { start, deleteCount: (before.starts[to] ?? 0) - start, data: numbersOf(now, from, untilNow) };
}
