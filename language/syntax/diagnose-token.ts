import { clauseProblem } from './clause-problem.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import type { Token } from './token.ts';
import type { TokenCursor } from './token-cursor.ts';

/** What is wrong with the current token wherever it stands; nothing when it may stand somewhere. */
export function diagnoseStray(cursor: TokenCursor): ClauseProblem | undefined {
    const { token } = cursor;
    if (token === undefined) return undefined;
    switch (token.kind) {
        case 'malformed-number':
            return malformedNumber(token);
        case 'unterminated-string':
            return clauseProblem('RL0020', firstLine(token));
        case 'unterminated-query':
            return clauseProblem('RL7002', { start: token.end - 1, end: token.end });
        case 'foreign-comment':
            return foreignComment(token);
        case 'stray':
            return token.text === '#' ? clauseProblem('RL0030', token, '#') : undefined;
        case 'mark':
            return token.text === ';' ? clauseProblem('RL0032', token) : undefined;
        default:
            return undefined;
    }
}

function malformedNumber(token: Token): ClauseProblem {
    if (token.text.startsWith('.')) return { ...clauseProblem('RL0011', token), remedy: `write '0${token.text}'` };
    const problem = clauseProblem('RL0012', token, token.text);
    const joined = token.text.replaceAll('_', '');
    return /^\d+$/.test(joined) ? { ...problem, remedy: `write '${joined}'` } : problem;
}

/** RL0030 for `#`, RL0031 for the comments of other languages: the marks alone. */
function foreignComment(token: Token): ClauseProblem {
    if (!token.text.startsWith('#')) return clauseProblem('RL0031', { start: token.start, end: token.start + 2 });
    const mark = /^#\w*/.exec(token.text)?.[0] ?? '#';
    return clauseProblem('RL0030', { start: token.start, end: token.start + mark.length }, mark);
}

function firstLine(token: Token): Token {
    const line = /^[^\r\n]*/.exec(token.text)?.[0] ?? token.text;
    return { ...token, end: token.start + line.trimEnd().length };
}

const OPENING: ReadonlySet<string> = new Set(['(', '[', '{']);
const CLOSING: ReadonlySet<string> = new Set([')', ']', '}']);

/** Operators of other languages, and what is written here instead. */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
    ['===', "write '=='"],
    ['!==', "write '!='"],
    ['=<', "write '<='"],
    ['=>', "write '>='"],
    ['**', "use 'math:pow'"],
    ['^', "use 'math:pow'"],
    [':=', "write '='"],
    ['->', "write '<-' between head and body"],
    ['and', "write '&&'"],
    ['or', "write '||'"],
    ['mod', "use 'math:mod'"],
    ['\\', "use 'math:mod'"],
    ['rem', "use 'math:mod'"],
    ['xor', "use 'xor(…)'"],
    ['div', "write '/'"],
    ['is', "write '=' or '=='"],
    ['like', "use 'matches'"],
    ['=:=', "write '=='"],
    ['=\\=', "write '!='"],
    ['\\==', "write '!='"],
    ['\\=', "write '!='"],
    ['~=', "write '!='"],
    ['/=', "write '!='"],
    ['\\+', "write 'not'"],
    ['AND', "write '&&'"],
    ['OR', "write '||'"],
    ['NOT', "write 'not' before an atom, '!' before a condition"],
    ['IN', "write 'in'"],
    ['IS', "write '=' or '=='"],
    ['LIKE', "use 'contains', 'starts_with' or 'rlike'"],
    ['BETWEEN', 'write two comparisons'],
]);

/** A single word or sign that stands for one of the language. */
export function isForeignOperator(text: string): boolean {
    return REPLACEMENTS.has(text);
}

/** RL0048 when an operator of another language stands where one may stand. */
export function unknownOperator(cursor: TokenCursor): ClauseProblem | undefined {
    const { token, following } = cursor;
    if (token === undefined) return undefined;
    const shouted = token.kind === 'variable' && REPLACEMENTS.has(token.text);
    const word = shouted || (token.kind === 'name' && (REPLACEMENTS.has(token.text) ? !isCallOf(token, following) : isOperand(following)));
    if (token.kind !== 'unknown-operator' && !word) return undefined;
    const remedy = isBetweenItems(cursor) ? "write ','" : REPLACEMENTS.get(token.text);
    const problem = clauseProblem('RL0048', token, token.text);
    return remedy === undefined ? problem : { ...problem, remedy };
}

/** "And" outside all brackets, which a comma is there. */
function isBetweenItems({ tokens, token }: TokenCursor): boolean {
    if (token === undefined || token.text.toLowerCase() !== 'and') return false;
    let depth = 0;
    for (const { text } of tokens.slice(0, tokens.indexOf(token))) depth += OPENING.has(text) ? 1 : CLOSING.has(text) ? -1 : 0;
    return depth === 0;
}

function isOperand(token: Token | undefined): boolean {
    return token?.kind === 'variable' || token?.kind === 'number' || token?.kind === 'string';
}

/** `or(X, Y)` is a call, `or (X > 1)` an operator. */
function isCallOf(name: Token, following: Token | undefined): boolean {
    return following?.text === '(' && following.start === name.end;
}
