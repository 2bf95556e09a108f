import { meantByCall } from '#language/library/foreign-functions.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import type { Span } from '#language/program/span.ts';
import {
    APOSTROPHE,
    AT,
    afterBlanks,
    afterWord,
    COLON,
    DOLLAR,
    DOT,
    EXCLAMATION,
    HASH,
    isDigit,
    isFirstOnLine,
    isLetter,
    isLower,
    lineEnd,
    MINUS,
    OPENING,
    PERCENT,
    QUESTION,
    QUOTE,
    SLASH,
    UNDERSCORE,
} from './characters.ts';
import { directiveEnd } from './directive.ts';
import { lookalikeAt } from './lookalikes.ts';
import { queryBodyAt } from './query-body.ts';
import { singleQuotedEnd, stringExtent } from './string-literal.ts';

/**
 * `word-operator` is `not`, `in`, `!in`; `mark` a single character of punctuation; `foreign-comment` a line that another
 * language would take for a comment; `directive` a line such as `.decl p(x: number)` of another dialect; `member` the `.age`
 * of `P.age`; `range` the `..` of `1..5`; `lookalike` a sign of other keyboards that stands for one of the language; `stray` a
 * character without a meaning.
 */
export type TokenKind =
    | 'name'
    | 'variable'
    | 'null'
    | 'number'
    | 'malformed-number'
    | 'time'
    | 'string'
    | 'unterminated-string'
    | 'hash'
    | 'annotation'
    | 'parameter'
    | 'arrow'
    | 'dot'
    | 'mark'
    | 'operator'
    | 'word-operator'
    | 'unknown-operator'
    | 'query'
    | 'unterminated-query'
    | 'comment'
    | 'foreign-comment'
    | 'directive'
    | 'member'
    | 'range'
    | 'lookalike'
    | 'stray';

export interface Token {
    readonly kind: TokenKind;
    readonly text: string;
    readonly start: number;
    readonly end: number;
}

/**
 * The token at `offset`, where no blank stands. `previous` is the token before it in its clause, comments left out;
 * `afterArrow` says that this is the first token after the first arrow of its clause.
 */
export function tokenAt(text: string, offset: number, previous: Token | undefined, afterArrow: boolean): Token {
    const unit = text.charCodeAt(offset);
    if (unit === PERCENT) return tokenOf(text, offset, 'comment', lineEnd(text, offset));
    if (afterArrow) {
        const query = queryBodyAt(text, offset);
        if (query) return tokenOf(text, offset, query.terminated ? 'query' : 'unterminated-query', query.end);
    }
    if (unit === QUOTE) {
        const { end, terminated } = stringExtent(text, offset);
        return tokenOf(text, offset, terminated ? 'string' : 'unterminated-string', end);
    }
    if (unit === APOSTROPHE) {
        const end = singleQuotedEnd(text, offset);
        return end === undefined ? tokenOf(text, offset, 'stray', offset + 1) : tokenOf(text, offset, 'string', end);
    }
    if (isLower(unit)) return nameAt(text, offset);
    if (isLetter(unit) || unit === UNDERSCORE) return variableAt(text, offset);
    if (isDigit(unit)) return numberAt(text, offset);
    if (unit === DOT) return dotAt(text, offset, previous);
    if (unit === HASH) return hashAt(text, offset);
    if (unit === AT && isLetter(text.charCodeAt(offset + 1))) return tokenOf(text, offset, 'annotation', afterWord(text, offset + 1));
    if (unit === QUESTION && isLetter(text.charCodeAt(offset + 1))) return tokenOf(text, offset, 'parameter', afterWord(text, offset + 1));
    const foreign = foreignCommentEnd(text, offset);
    if (foreign !== undefined) return tokenOf(text, offset, 'foreign-comment', foreign);
    if ('()[]{},;'.includes(text.charAt(offset))) return tokenOf(text, offset, 'mark', offset + 1);
    const lookalike = lookalikeAt(text, offset);
    if (lookalike !== undefined) return tokenOf(text, offset, 'lookalike', offset + lookalike.length);
    return symbolAt(text, offset);
}

function tokenOf(text: string, start: number, kind: TokenKind, end: number): Token {
    return { kind, text: text.slice(start, end), start, end };
}

/** True when an operand, an atom or an item may end with this token. */
export function endsOperand(token: Token): boolean {
    switch (token.kind) {
        case 'name':
        case 'variable':
        case 'null':
        case 'number':
        case 'malformed-number':
        case 'time':
        case 'string':
        case 'unterminated-string':
        case 'hash':
        case 'parameter':
        case 'query':
        case 'unterminated-query':
        case 'member':
            return true;
        case 'mark':
            return token.text === ')' || token.text === ']' || token.text === '}';
        default:
            return false;
    }
}

/** A word, with a colon and another one behind it in a namespace. */
function nameAt(text: string, start: number): Token {
    const word = afterWord(text, start);
    const next = text.charCodeAt(word + 1);
    const end = text.charCodeAt(word) === COLON && (isLetter(next) || next === UNDERSCORE) ? afterWord(text, word + 1) : word;
    const name = text.slice(start, end);
    const kind = name === 'not' || name === 'in' ? 'word-operator' : name === 'null' ? 'null' : 'name';
    return { kind, text: name, start, end };
}

function variableAt(text: string, start: number): Token {
    const end = afterWord(text, start);
    const name = text.slice(start, end);
    const interval = (name === '_between' || name === '_between_') && text.charCodeAt(end) === OPENING;
    const kind = interval ? 'name' : name.toLowerCase() === 'null' ? 'null' : 'variable';
    return { kind, text: name, start, end };
}

const TIME =
    /\d{4}-\d{2}-\d{2}(?![0-9A-Za-z])(?:[ T]\d{2}:\d{2}:\d{2}(?!\d)(?:\.\d+)?)?|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?!\d)(?:\.\d+)?/y;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const MALFORMED_REST = /(?:[A-Za-z_]|\.\d)\w*(?:\.\d\w*)*/y;

function numberAt(text: string, start: number): Token {
    const time = text.charCodeAt(start + 4) === MINUS ? match(TIME, text, start) : undefined;
    if (time !== undefined) return { kind: 'time', text: time, start, end: start + time.length };
    const number = match(NUMBER, text, start) ?? text.charAt(start);
    const rest = match(MALFORMED_REST, text, start + number.length) ?? '';
    const whole = number + rest;
    return { kind: rest === '' ? 'number' : 'malformed-number', text: whole, start, end: start + whole.length };
}

/**
 * `.5` where an operand is missing is a number without its first digit. A dot ends its clause, unless what follows it directly
 * can begin no other: the `.decl` of another dialect, the `..` of a range, the `.age` of `P.age`.
 */
function dotAt(text: string, start: number, previous: Token | undefined): Token {
    if (previous === undefined && isLetter(text.charCodeAt(start + 1)) && isFirstOnLine(text, start))
        return tokenOf(text, start, 'directive', directiveEnd(text, start));
    const operand = previous?.end === start && (previous.kind === 'variable' || previous.kind === 'name' || previous.kind === 'annotation');
    if ((operand || previous?.kind === 'number') && RANGE_REST.test(text.slice(start, start + 3)))
        return tokenOf(text, start, 'range', start + 2);
    const pattern = previous?.kind === 'name' && previous.end === start ? ANY_MEMBER : MEMBER;
    const member = operand || (previous?.kind === 'member' && previous.end === start) ? match(pattern, text, start) : undefined;
    if (member !== undefined) return tokenOf(text, start, 'member', start + member.length);
    const method = operand ? match(METHOD, text, start)?.slice(1, -1) : undefined;
    if (method !== undefined && (previous?.kind === 'name' || (previous?.kind === 'variable' && isMethod(method))))
        return tokenOf(text, start, 'member', start + method.length + 1);
    const decimal = previous !== undefined && !endsOperand(previous) && previous.kind !== 'dot' && isDigit(text.charCodeAt(start + 1));
    const end = decimal ? afterWord(text, start + 1) : start + 1;
    return { kind: decimal ? 'malformed-number' : 'dot', text: text.slice(start, end), start, end };
}

function hashAt(text: string, start: number): Token {
    const end = isLetter(text.charCodeAt(start + 1)) ? afterWord(text, start + 1) : start + 1;
    const word = text.slice(start + 1, end);
    const comment = isFirstOnLine(text, start) && word !== 'T' && word !== 'F' && text.charCodeAt(afterBlanks(text, end)) !== OPENING;
    if (comment) return { kind: 'foreign-comment', text: text.slice(start, lineEnd(text, start)), start, end: lineEnd(text, start) };
    return { kind: word === '' ? 'stray' : 'hash', text: text.slice(start, end), start, end };
}

const LONGEST_BLOCK_COMMENT = 5000;

/** The end of `// …`, a block comment or `-- …` at the start of a line; undefined when `offset` starts none of them. */
function foreignCommentEnd(text: string, offset: number): number | undefined {
    const unit = text.charCodeAt(offset);
    if (unit !== SLASH && unit !== MINUS) return undefined;
    const start = text.slice(offset, offset + 2);
    if ((start !== '//' && start !== '/*' && start !== '--') || !isFirstOnLine(text, offset)) return undefined;
    if (start !== '/*') return lineEnd(text, offset);
    const close = text.slice(offset, offset + LONGEST_BLOCK_COMMENT).indexOf('*/', 2);
    return close < 0 ? lineEnd(text, offset) : offset + close + 2;
}

/** A function of the language by the name that it has as a method elsewhere: a fact behind a variable and its dot is called otherwise. */
function isMethod(name: string): boolean {
    return meantByCall(name, ['X']) !== undefined || meantByCall(name, ['X', 'Y']) !== undefined || functionNamed(name) !== undefined;
}

const RANGE_REST = /^\.\.[0-9A-Za-z]/;
const MEMBER = /\.[a-z]\w*(?![ \t]*[\w(])/y;
const ANY_MEMBER = /\.[a-z]\w*(?!\()/y;
const METHOD = /\.([a-z]\w*)\(/y;

const PARAMETER = /\$\{[A-Za-z][A-Za-z0-9_]*\}/y;
const NOT_IN = /!in(?![A-Za-z0-9_:])/y;
const OPERATOR = /=:=|=\\=|~=|\/=|\\==|\\=|\\\+|===|!==|=<|=>|\*\*|->|:=|<-|:-|==|!=|<>|<=|>=|&&|\|\||[+\-*/=<>!|&~]/y;
const UNKNOWN_OPERATORS: ReadonlySet<string> = new Set([
    '=:=',
    '=\\=',
    '~=',
    '/=',
    '\\==',
    '\\=',
    '\\+',
    '===',
    '!==',
    '=<',
    '=>',
    '**',
    '->',
    ':=',
]);

function symbolAt(text: string, start: number): Token {
    const unit = text.charCodeAt(start);
    const parameter = unit === DOLLAR ? match(PARAMETER, text, start) : undefined;
    if (parameter !== undefined) return { kind: 'parameter', text: parameter, start, end: start + parameter.length };
    const notIn = unit === EXCLAMATION ? match(NOT_IN, text, start) : undefined;
    if (notIn !== undefined) return { kind: 'word-operator', text: notIn, start, end: start + notIn.length };
    const operator = match(OPERATOR, text, start);
    if (operator === undefined) {
        const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
        return { kind: operatorLike(character), text: character, start, end: start + character.length };
    }
    const kind = operator === '<-' || operator === ':-' ? 'arrow' : UNKNOWN_OPERATORS.has(operator) ? 'unknown-operator' : 'operator';
    return { kind, text: operator, start, end: start + operator.length };
}

function operatorLike(character: string): TokenKind {
    return character === '^' || character === '\\' ? 'unknown-operator' : 'stray';
}

function match(pattern: RegExp, text: string, offset: number): string | undefined {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0];
}

/** Returns the span of a token's last character, which may have two units. */
export function lastCharacter({ text, end }: Token): Span {
    const character = [...text.slice(-2)].at(-1) ?? '';
    return { start: end - character.length, end };
}
