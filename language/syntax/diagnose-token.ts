import { suggesting, withWritten } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import { isClosing, isOpening } from './brackets.ts';
import { clauseProblem } from './clause-problem.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import { lastCharacter, type Token } from './token.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Diagnoses the current token wherever it stands; undefined if it is allowed somewhere. */
export function diagnoseStray(cursor: TokenCursor): ClauseProblem | undefined {
    const { token } = cursor;
    if (token === undefined) return undefined;
    switch (token.kind) {
        case 'malformed-number':
            return malformedNumber(token);
        case 'unterminated-string':
            return clauseProblem('RL0020', firstLine(token));
        case 'unterminated-query':
            return clauseProblem('RL7002', lastCharacter(token));
        case 'foreign-comment':
            return foreignComment(token);
        case 'stray':
            return token.text === '#' ? clauseProblem('RL0030', token, '#') : undefined;
        case 'mark':
            return token.text === ';' ? semicolon(cursor, token) : undefined;
        default:
            return undefined;
    }
}

/** Between the items of a body it means "or" elsewhere, which is two rules here. */
function semicolon({ tokens, following }: TokenCursor, token: Token): ClauseProblem {
    const problem = clauseProblem('RL0032', token);
    const arrow = tokens.findIndex(({ kind }) => kind === 'arrow');
    if (following === undefined) return withWritten(problem, '.');
    if (arrow < 0 || following.kind === 'dot') return problem;
    const body = tokens.slice(arrow + 1).filter(({ kind }) => kind !== 'dot');
    const alternatives = alternativesOf(body);
    const head = written(tokens.slice(0, arrow));
    const rules = alternatives?.map(items => `'${head} <- ${written(items)}.'`);
    return {
        ...problem,
        remedy:
            rules === undefined ? say`for "or" write a rule for each of the two` : say`for "or" write two rules: ${rules.join(' and ')}`,
    };
}

/** Splits a body at the only semicolon outside brackets. */
function alternativesOf(body: readonly Token[]): readonly (readonly Token[])[] | undefined {
    let depth = 0;
    const places: number[] = [];
    for (const [index, token] of body.entries()) {
        if (isOpening(token)) depth++;
        if (isClosing(token)) depth--;
        if (token.text === ';') places.push(depth === 0 ? index : -1);
    }
    const [place = -1] = places;
    return places.length === 1 && place >= 0 ? [body.slice(0, place), body.slice(place + 1)] : undefined;
}

/** Tokens as a text, with a blank wherever there is one between them. */
function written(tokens: readonly Token[]): string {
    return tokens.map(({ text, start }, index) => `${index > 0 && tokens[index - 1]?.end !== start ? ' ' : ''}${text}`).join('');
}

function malformedNumber(token: Token): ClauseProblem {
    if (token.text.startsWith('.')) return withWritten(clauseProblem('RL0011', token), `0${token.text}`);
    const problem = clauseProblem('RL0012', token, token.text);
    const joined = token.text.replaceAll('_', '');
    return /^\d+$/.test(joined) ? withWritten(problem, joined) : problem;
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

/** A replacement for an operator: a text with words behind it, a function of both sides, or words alone. */
type Meant = { readonly written: string; readonly where?: () => string } | { readonly call: string } | { readonly words: () => string };

/** Operators of other languages, and what is written here instead. */
const REPLACEMENTS: ReadonlyMap<string, Meant> = new Map<string, Meant>([
    ['===', { written: '==' }],
    ['!==', { written: '!=' }],
    ['=<', { written: '<=' }],
    ['=>', { written: '>=' }],
    ['**', { call: 'math:pow' }],
    ['^', { call: 'math:pow' }],
    [':=', { written: '=' }],
    ['->', { written: '<-', where: () => say` between head and body` }],
    ['and', { written: '&&' }],
    ['or', { written: '||' }],
    ['mod', { call: 'math:mod' }],
    ['\\', { call: 'math:mod' }],
    ['rem', { call: 'math:mod' }],
    ['xor', { words: () => say`use 'xor(…)'` }],
    ['div', { written: '/' }],
    ['is', { written: '==' }],
    ['like', { words: () => say`use 'matches'` }],
    ['=:=', { written: '==' }],
    ['=\\=', { written: '!=' }],
    ['\\==', { written: '!=' }],
    ['\\=', { written: '!=' }],
    ['~=', { written: '!=' }],
    ['/=', { written: '!=' }],
    ['\\+', { written: 'not' }],
    ['AND', { written: '&&' }],
    ['OR', { written: '||' }],
    ['NOT', { written: 'not', where: () => say` before an atom, '!' before a condition` }],
    ['IN', { written: 'in' }],
    ['IS', { written: '==' }],
    ['LIKE', { words: () => say`use 'contains', 'starts_with' or 'rlike'` }],
    ['BETWEEN', { words: () => say`write two comparisons` }],
]);

/** RL0048 when an operator of another language stands where one may stand. */
export function unknownOperator(cursor: TokenCursor): ClauseProblem | undefined {
    const { token, following } = cursor;
    if (token === undefined) return undefined;
    const shouted = token.kind === 'variable' && REPLACEMENTS.has(token.text);
    const word = shouted || (token.kind === 'name' && (REPLACEMENTS.has(token.text) ? !isCallOf(token, following) : isOperand(following)));
    if (token.kind !== 'unknown-operator' && !word) return undefined;
    const problem = clauseProblem('RL0048', token, token.text);
    if (isBetweenItems(cursor)) return withWritten(problem, ',');
    if (token.text.toLowerCase() === 'is') return withWritten(problem, isCompared(cursor) ? '==' : '=');
    const meant = REPLACEMENTS.get(token.text);
    if (meant === undefined) return problem;
    if ('words' in meant) return { ...problem, remedy: meant.words() };
    if ('call' in meant) return suggesting(problem, { kind: 'meant', name: meant.call }, say`use '${meant.call}'`);
    return withWritten(problem, meant.written, meant.where?.());
}

/** Prolog's `is` compares where its left side has a value, and assigns else. */
function isCompared({ tokens, previous }: TokenCursor): boolean {
    if (previous?.kind !== 'variable') return true;
    const arrow = tokens.find(({ kind }) => kind === 'arrow');
    return tokens.some(({ kind, text, start }) => {
        return kind === 'variable' && text === previous.text && start > (arrow?.end ?? 0) && start < previous.start;
    });
}

/** "And" outside all brackets, which a comma is there. */
function isBetweenItems({ tokens, token }: TokenCursor): boolean {
    if (token === undefined || token.text.toLowerCase() !== 'and') return false;
    let depth = 0;
    for (const before of tokens.slice(0, tokens.indexOf(token))) depth += isOpening(before) ? 1 : isClosing(before) ? -1 : 0;
    return depth === 0;
}

function isOperand(token: Token | undefined): boolean {
    return token?.kind === 'variable' || token?.kind === 'number' || token?.kind === 'string';
}

/** `or(X, Y)` is a call, `or (X > 1)` an operator; a variable directly before `(` is meant as a predicate. */
export function isCallOf(name: Token, following: Token | undefined): boolean {
    return following?.text === '(' && following.start === name.end;
}
