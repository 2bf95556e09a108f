import { withForm } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import { isClosing } from './brackets.ts';
import { clauseProblem } from './clause-problem.ts';
import { diagnoseStray, isCallOf, unknownOperator } from './diagnose-token.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import type { Token } from './token.ts';
import type { TokenCursor } from './token-cursor.ts';

/** The surroundings of an expression: in a head and in an annotation, `<-` is not an operator. */
export type Surroundings = 'head' | 'body' | 'annotation';

const OPERATORS: ReadonlySet<string> = new Set([...'*/+-&|=<>', '==', '!=', '<>', '<=', '>=', '&&', '||', 'in', '!in']);
const PREFIXES: ReadonlySet<string> = new Set(['-', '!', '~', 'not']);

/** Walks over one expression; the first mistake in it, or nothing. */
export function diagnoseExpression(cursor: TokenCursor, place: Surroundings, expected: string): ClauseProblem | undefined {
    while (true) {
        while (isOperatorToken(cursor.token) && PREFIXES.has(cursor.token.text)) cursor.next();
        const failure = diagnosePrimary(cursor, place, expected);
        if (failure) return failure;
        const { token } = cursor;
        if (token === undefined) return undefined;
        const unknown = unknownOperator(cursor);
        if (unknown) return unknown;
        const arrow = token.text === '<-' && token.kind === 'arrow' && place === 'body';
        if (!arrow && !(isOperatorToken(token) && OPERATORS.has(token.text))) return undefined;
        cursor.next();
        expected = say`a value`;
    }
}

function isOperatorToken(token: Token | undefined): token is Token {
    return token?.kind === 'operator' || token?.kind === 'word-operator';
}

function diagnosePrimary(cursor: TokenCursor, place: Surroundings, expected: string): ClauseProblem | undefined {
    const { token, following } = cursor;
    if (token === undefined) return cursor.unexpected(expected);
    const stray = diagnoseStray(cursor);
    if (stray) return stray;
    switch (token.kind) {
        case 'variable':
            if (token.text === 'NOT' && following !== undefined && !OPERATORS.has(following.text) && following.kind !== 'mark') {
                return unknownOperator(cursor);
            }
            if (isCallOf(token, following)) return clauseProblem('RL0045', token);
            cursor.next();
            return undefined;
        case 'string':
        case 'number':
        case 'time':
        case 'null':
        case 'parameter':
            if (token.kind === 'null' && isCallOf(token, following)) return clauseProblem('RL0047', token, token.text);
            cursor.next();
            return undefined;
        case 'name':
            cursor.next();
            if (token.text === 'dom') return diagnoseDomain(cursor, token, place);
            return cursor.is('(') ? diagnoseBracket(cursor, ')', place) : undefined;
        case 'hash':
            cursor.next();
            if (token.text === '#T' || token.text === '#F') return undefined;
            return cursor.is('(') ? diagnoseBracket(cursor, ')', place) : clauseProblem('RL0030', token, token.text);
        case 'mark':
            if (token.text === '(') return diagnoseParenthesis(cursor, place);
            if (token.text === '[') return diagnoseBracket(cursor, ']', place);
            if (token.text === '{') return diagnoseBracket(cursor, '}', place);
            return cursor.unexpected(expected);
        case 'operator':
            if (token.text === '<' || token.text === '<>') return diagnoseContributors(cursor, expected);
            if (token.text === '/' && (following?.text === ',' || following?.text === ')')) return clauseProblem('RL0016', token);
            return cursor.unexpected(expected);
        case 'unknown-operator':
            return token.text === '\\+' ? unknownOperator(cursor) : cursor.unexpected(expected);
        case 'stray':
            return dollarParameter(cursor) ?? cursor.unexpected(expected);
        default:
            return cursor.unexpected(expected);
    }
}

/** `$name`, as other languages write a parameter. */
function dollarParameter({ token, following }: TokenCursor): ClauseProblem | undefined {
    const word = following?.kind === 'name' || following?.kind === 'variable' ? following : undefined;
    if (token?.text !== '$' || word?.start !== token.end) return undefined;
    const problem = clauseProblem('RL0005', { start: token.start, end: word.end }, say`a value`, `$${word.text}`);
    return withForm(problem, `?${word.text}`);
}

function diagnoseDomain(cursor: TokenCursor, name: Token, place: Surroundings): ClauseProblem | undefined {
    if (!cursor.is('(') || cursor.following?.text !== '*') return cursor.is('(') ? diagnoseBracket(cursor, ')', place) : undefined;
    cursor.next();
    cursor.next();
    if (cursor.take(')')) return undefined;
    return clauseProblem('RL0044', { start: name.start, end: cursor.previous?.end ?? name.end });
}

/** `<X, Y>` */
function diagnoseContributors(cursor: TokenCursor, expected: string): ClauseProblem | undefined {
    const empty = cursor.is('<>');
    if (!empty && cursor.following?.kind !== 'variable') return cursor.unexpected(expected);
    cursor.next();
    while (!empty) {
        if (!cursor.isKind('variable')) return cursor.unexpected(say`a variable`);
        cursor.next();
        if (cursor.take('>')) return undefined;
        if (!cursor.take(',')) return cursor.unexpected([',', '>']);
    }
    return undefined;
}

function diagnoseParenthesis(cursor: TokenCursor, place: Surroundings): ClauseProblem | undefined {
    const open = cursor.token;
    cursor.next();
    const failure = cursor.ended ? undefined : diagnoseExpression(cursor, place, say`a value`);
    if (failure) return failure;
    if (cursor.take(')')) return undefined;
    return cursor.ended && open !== undefined ? unclosed(open, ')') : (diagnoseStray(cursor) ?? cursor.unexpected([')']));
}

/** A bracket with a list of expressions in it; the cursor is at the opening one. */
export function diagnoseBracket(cursor: TokenCursor, close: ')' | ']' | '}', place: Surroundings): ClauseProblem | undefined {
    const open = cursor.token;
    cursor.next();
    if (open === undefined || cursor.take(close)) return undefined;
    while (true) {
        if (cursor.ended) return unclosed(open, close);
        const comma = cursor.previous;
        if (comma?.text === ',' && cursor.is(close)) return clauseProblem('RL0008', comma);
        const failure = diagnoseExpression(cursor, place, place === 'annotation' ? say`an argument` : say`a term`);
        if (failure) return failure;
        if (cursor.take(close)) return undefined;
        if (cursor.ended) return unclosed(open, close);
        if (cursor.isKind('arrow') || (cursor.token !== undefined && isClosing(cursor.token))) return cursor.unexpected([close]);
        if (!cursor.take(',')) return diagnoseStray(cursor) ?? cursor.unexpected([',', close]);
    }
}

function unclosed(open: Token, close: string): ClauseProblem {
    return { ...clauseProblem('RL0006', open, open.text), remedy: say`insert '${close}'` };
}
