import { lastClauseStartingAt, type OpenDocument, type TextRange } from '#language/document/open-document.ts';
import { sqlPieces } from '#language/sql/sql-pieces.ts';
import { stringContent } from '#language/symbols/string-content.ts';
import { isClosing, isOpening } from '#language/syntax/brackets.ts';
import { afterWord } from '#language/syntax/characters.ts';
import { queryBodyAt } from '#language/syntax/query-body.ts';
import type { Token } from '#language/syntax/token.ts';
import { tokenizeWithComments } from '#language/syntax/tokenize.ts';
import { type OpenBracket, openBrackets } from './open-brackets.ts';

/** The kind of place to complete in a clause, as far as the text before the offset shows it. */
export type CompletionPlace =
    /** The start of a clause, or of another atom of a head. */
    | { readonly kind: 'head' }
    | {
          readonly kind: 'item';
          readonly afterArrow: boolean;
          readonly negated: boolean;
          /** `not`, `~` or `!` before it. */
          readonly sign?: string;
      }
    /** A value: an argument of a function, or beside an operator. */
    | { readonly kind: 'operand'; readonly assigned: boolean; readonly call: OpenCall | undefined }
    /** A term of an atom. */
    | { readonly kind: 'term'; readonly section: 'head' | 'body'; readonly call: OpenCall }
    /** Behind a whole operand: only a word operator may follow. */
    | { readonly kind: 'after-operand' }
    | { readonly kind: 'annotation-name' }
    | { readonly kind: 'argument'; readonly annotation: string; readonly index: number; readonly given: readonly (string | undefined)[] }
    /** Inside a string of an annotation; `before` is its content up to the offset. */
    | {
          readonly kind: 'text';
          readonly annotation: string;
          readonly index: number;
          readonly given: readonly (string | undefined)[];
          readonly before: string;
      }
    /** Inside a string that is a term of an atom. */
    | { readonly kind: 'value-text'; readonly call: OpenCall }
    /** Inside a string that a variable is compared with. */
    | { readonly kind: 'compared-text'; readonly variable: string }
    /** In a query, whose text goes on behind the offset; a name stands there where one is being written. */
    | { readonly kind: 'query'; readonly sql: string; readonly at: number }
    /** The same in a query that a bind asks its source; `given` are the arguments before it. */
    | { readonly kind: 'source-query'; readonly sql: string; readonly at: number; readonly given: readonly (string | undefined)[] }
    /** The relation that a relation function reads. */
    | { readonly kind: 'relation-input' }
    | { readonly kind: 'parameter' }
    | { readonly kind: 'hash'; readonly wholeBody: boolean };

/** The open call around the offset: `name(`, and how many arguments stand before the offset. */
export interface OpenCall {
    readonly name: string;
    readonly index: number;
}

export interface CompletionContext {
    readonly place: CompletionPlace;
    /** The word at the offset, with the mark in front of it that belongs to it. */
    readonly range: TextRange;
    /** The part of the word before the offset. */
    readonly prefix: string;
    /** Offset of the first character of the clause. */
    readonly start: number;
}

/** Returns the context of the offset; undefined inside comments and in plain strings. */
export function completionContext(document: OpenDocument, offset: number): CompletionContext | undefined {
    const start = clauseStart(document, offset);
    const text = document.text.slice(start, offset);
    const all = tokenizeWithComments(text);
    const query = openQuery(all, text.length);
    if (query !== undefined) return inQuery(document, offset, start, start + query.start);
    if (endsClause(all.at(-1), text.length)) return undefined;
    const tokens = lastClause(all);
    const last = tokens.at(-1);
    if (last !== undefined && last.end === text.length) {
        if (last.kind === 'comment' || last.kind === 'foreign-comment') return undefined;
        if (last.kind === 'unterminated-string') return inText(document, offset, start, tokens);
        if (last.kind === 'string' || last.kind === 'number' || last.kind === 'malformed-number' || last.kind === 'time') return undefined;
    }
    if (opensSingleQuote(tokens, text)) return undefined;
    const prefix = WORD.exec(text)?.[0] ?? '';
    const before = tokens.filter(token => token.kind !== 'comment' && token.end <= text.length - prefix.length);
    const end = prefix === '' ? offset : afterWord(document.text, offset);
    const place = placeOf(prefix, before);
    return place && { place, range: { start: offset - prefix.length, end }, prefix, start };
}

/** Whether the text ends with the dot of a clause: editors ask there too, and what they offer is taken by the Enter that follows. */
function endsClause(last: Token | undefined, end: number): boolean {
    return last?.kind === 'dot' && last.end === end;
}

/** The query body in which the text ends; a dot behind a name is the beginning of its column. */
function openQuery(tokens: readonly Token[], end: number): Token | undefined {
    const last = tokens.at(-1);
    const token = last?.kind === 'dot' && last.end === end ? tokens.at(-2) : last;
    if (token?.kind !== 'query' && token?.kind !== 'unterminated-query') return undefined;
    return token === last || (token.end === last?.start && /[\w`"]$/u.test(token.text)) ? token : undefined;
}

function inQuery(document: OpenDocument, offset: number, start: number, from: number): CompletionContext | undefined {
    const { text } = document;
    const before = text.slice(from, offset);
    const rest = text.slice(offset);
    const written = before.endsWith('.') ? `${before}x${rest}` : `${before}${rest}`;
    const end = queryBodyAt(written, 0)?.end ?? before.length;
    return queryContext(document, offset, start, before, written.slice(0, Math.max(end, before.length)));
}

function queryContext(document: OpenDocument, offset: number, start: number, before: string, sql: string): CompletionContext | undefined {
    if (isInTextOrComment(before)) return undefined;
    const prefix = /(?:\?\w*|\$\{\w*|(?<!\w)[A-Za-z_]\w*)$/u.exec(before)?.[0] ?? '';
    const end = prefix === '' ? offset : afterWord(document.text, offset);
    const isParameter = prefix.startsWith('?') || prefix.startsWith('$');
    const place: CompletionPlace = isParameter ? { kind: 'parameter' } : { kind: 'query', sql, at: before.length - prefix.length };
    return { place, range: { start: offset - prefix.length, end }, prefix, start };
}

/** Whether a query ends inside a string or a comment. */
function isInTextOrComment(before: string): boolean {
    const last = sqlPieces(before).at(-1);
    if (last === undefined) return false;
    const isOpen = sqlPieces(before).some(({ kind, text }) => kind === 'sign' && text === "'");
    return isOpen || (last.kind === 'comment' && last.start + last.text.length === before.length && last.text.startsWith('--'));
}

const WORD = /(?:\?\w*|\$\{\w*|@\w*|#\w*|(?<!\w)[A-Za-z_]\w*(?::\w*)?)$/;

/** Offset of the clause that the text before the offset may belong to. */
export function clauseStart({ analysed, text }: OpenDocument, offset: number): number {
    const { clauses } = analysed.program;
    let index = lastClauseStartingAt(clauses, offset);
    if (index > 0 && clauses[index]?.place.offset === offset && !/\s/.test(text.charAt(offset - 1))) index--;
    return clauses[index]?.place.offset ?? 0;
}

/** The tokens after the last dot. */
export function lastClause(tokens: readonly Token[]): readonly Token[] {
    return tokens.slice(tokens.findLastIndex(token => token.kind === 'dot') + 1);
}

function opensSingleQuote(tokens: readonly Token[], text: string): boolean {
    return tokens.some(token => token.kind === 'stray' && token.text === "'" && !/[\r\n]/.test(text.slice(token.end)));
}

function placeOf(prefix: string, tokens: readonly Token[]): CompletionPlace | undefined {
    const parameter = prefix.startsWith('?') || prefix.startsWith('$');
    if (parameter) return { kind: 'parameter' };
    const { open, arrow } = openBrackets(tokens);
    const previous = tokens.at(-1);
    const annotation = open.find(({ name }) => name?.kind === 'annotation');
    if (annotation?.name !== undefined && arrow === undefined) {
        const inside = annotation === open.at(-1);
        return inside ? { kind: 'argument', ...argumentOf(annotation, tokens) } : undefined;
    }
    if (prefix.startsWith('@')) return { kind: 'annotation-name' };
    if (prefix.startsWith('#')) return { kind: 'hash', wholeBody: previous?.kind === 'arrow' };
    const innermost = open.at(-1);
    const section = arrow === undefined ? 'head' : 'body';
    if (innermost !== undefined) return insideBrackets(innermost, open, tokens, section);
    if (section === 'head') return previous === undefined || startsHead(previous, tokens) ? { kind: 'head' } : undefined;
    if (previous === undefined) return undefined;
    const negated = isNegation(previous);
    if (negated || previous.kind === 'arrow' || previous.text === ',')
        return { kind: 'item', afterArrow: previous.kind === 'arrow', negated, ...(negated && { sign: previous.text }) };
    if (previous.kind === 'operator' || previous.kind === 'word-operator') {
        return { kind: 'operand', assigned: previous.text === '=', call: undefined };
    }
    return prefix === '' ? undefined : { kind: 'after-operand' };
}

/** The start, a comma between heads, or the end of an annotation. */
function startsHead(previous: Token, tokens: readonly Token[]): boolean {
    if (previous.text === ',' || previous.kind === 'annotation') return true;
    return previous.text === ')' && tokens[0]?.kind === 'annotation' && onlyAnnotations(tokens);
}

function onlyAnnotations(tokens: readonly Token[]): boolean {
    let depth = 0;
    for (const [index, token] of tokens.entries()) {
        const opens = token.kind === 'mark' && token.text === '(';
        if (depth === 0 && token.kind !== 'annotation' && !(opens && tokens[index - 1]?.kind === 'annotation')) return false;
        if (isOpening(token)) depth++;
        if (isClosing(token)) depth--;
    }
    return true;
}

function insideBrackets(
    innermost: OpenBracket,
    open: readonly OpenBracket[],
    tokens: readonly Token[],
    section: 'head' | 'body',
): CompletionPlace | undefined {
    const previous = tokens.at(-1);
    const starts = previous?.text === ',' || innermost.index === tokens.length - 1;
    const beside = previous?.kind === 'operator' || previous?.kind === 'word-operator';
    if (innermost.name?.kind === 'hash' && starts && /^#[A-Z]/.test(innermost.name.text)) {
        return innermost.commas === 0 ? { kind: 'relation-input' } : undefined;
    }
    const call = innermost.name === undefined ? undefined : { name: innermost.name.text, index: innermost.commas };
    if (!starts && !beside) return section === 'body' ? { kind: 'after-operand' } : undefined;
    if (starts && call !== undefined && open.length === 1 && isItem(innermost, tokens, section)) return { kind: 'term', section, call };
    if (starts && call === undefined && section === 'body' && tokens[innermost.index]?.text === '(' && open.length === 1) {
        const sign = tokens[innermost.index - 1];
        return {
            kind: 'item',
            afterArrow: false,
            negated: isNegation(sign),
            ...(sign !== undefined && isNegation(sign) && { sign: sign.text }),
        };
    }
    return { kind: 'operand', assigned: false, call };
}

/** The name before the bracket stands where an atom may stand. */
function isItem({ index }: OpenBracket, tokens: readonly Token[], section: 'head' | 'body'): boolean {
    if (section === 'head') return true;
    const before = tokens[index - 2];
    return before === undefined || isNegation(before) || before.kind === 'arrow' || before.text === ',';
}

function isNegation(token: Token | undefined): boolean {
    return token !== undefined && (token.text === 'not' || token.text === '~' || token.text === '!');
}

/** The arguments of an open annotation before the last token, as far as they are texts or names. */
export function argumentOf(
    { index, name, commas }: OpenBracket,
    tokens: readonly Token[],
): { readonly annotation: string; readonly index: number; readonly given: readonly (string | undefined)[] } {
    const given: (string | undefined)[] = [];
    let at = 0;
    let depth = 0;
    for (const token of tokens.slice(index + 1)) {
        if (isOpening(token)) depth++;
        if (isClosing(token)) depth--;
        if (depth > 0) continue;
        if (token.kind === 'mark' && token.text === ',') at++;
        else given[at] = token.kind === 'string' ? stringContent(token).value : token.kind === 'name' ? token.text : undefined;
    }
    return { annotation: name?.text.slice(1) ?? '', index: commas, given: given.slice(0, commas) };
}

/** The kind of a string that begins behind the tokens of a body: a term of an atom, or the other side of a comparison. */
function valuePlace(before: readonly Token[], open: readonly OpenBracket[]): CompletionPlace | undefined {
    const [variable, sign] = before.slice(-2);
    if (variable?.kind === 'variable' && sign !== undefined && EQUALITIES.has(sign.text))
        return { kind: 'compared-text', variable: variable.text };
    const innermost = open.at(-1);
    const place = innermost && insideBrackets(innermost, open, before, 'body');
    return place?.kind === 'term' ? { kind: 'value-text', call: place.call } : undefined;
}

const EQUALITIES: ReadonlySet<string> = new Set(['=', '==', '!=', '<>']);

/** The query that stands in a string, on both sides of the offset; a name stands there where one is being written. */
function withRest({ text }: OpenDocument, offset: number, content: string): string {
    const rest = /^(?:[^"\\]|\\[\s\S]|"")*/u.exec(text.slice(offset))?.[0] ?? '';
    return content.endsWith('.') ? `${content}x${rest}` : `${content}${rest}`;
}

/** Inside a string: those of annotations mean something by themselves, and terms of body atoms are values of a column. */
function inText(document: OpenDocument, offset: number, start: number, tokens: readonly Token[]): CompletionContext | undefined {
    const before = tokens.slice(0, -1).filter(token => token.kind !== 'comment');
    const token = tokens.at(-1);
    const { open, arrow } = openBrackets(before);
    const annotation = open.at(-1);
    if (token === undefined) return undefined;
    const content = stringContent(token).value;
    if (annotation?.name?.kind === 'hash' && /^#[A-Z]/u.test(annotation.name.text) && annotation.commas === 0) {
        return queryContext(document, offset, start, content, withRest(document, offset, content));
    }
    if (arrow !== undefined) {
        const place = valuePlace(before, open);
        const end = offset + (/^[^"\r\n]*/.exec(document.text.slice(offset, offset + 300))?.[0].length ?? 0);
        const range = { start: offset - content.length, end: document.text.charAt(end) === '"' ? end : offset };
        return place === undefined || content.includes('\\') ? undefined : { place, range, prefix: content, start };
    }
    if (annotation?.name?.kind !== 'annotation') return undefined;
    if (annotation.name.text === '@qbind' && annotation.commas === 3) {
        const { given } = argumentOf(annotation, before);
        const context = queryContext(document, offset, start, content, withRest(document, offset, content));
        return context?.place.kind === 'query' ? { ...context, place: { ...context.place, kind: 'source-query', given } } : context;
    }
    const parameter = /\$\{\w*$/.exec(content)?.[0];
    const prefix = parameter ?? /(?<!\w)\w*$/.exec(content)?.[0] ?? '';
    const end = prefix === '' ? offset : afterWord(document.text, offset);
    const place: CompletionPlace =
        parameter === undefined ? { kind: 'text', ...argumentOf(annotation, before), before: content } : { kind: 'parameter' };
    return { place, range: { start: offset - prefix.length, end }, prefix, start };
}
