import { isAggregateName } from '#language/program/aggregates.ts';
import { COMPARISON_LEVEL, LEVELS } from '#language/program/precedence.ts';
import type { BinaryOperator, Expression, Variable } from '#language/program/program.ts';
import { type Span, spanning } from '#language/program/span.ts';
import { trimmed } from '#language/program/trimmed.ts';
import { numberConstant, stringConstant } from './literals.ts';
import type { Token } from './token.ts';
import type { TokenCursor } from './token-cursor.ts';

/** The arguments of a call or an atom, up to its closing parenthesis. */
export interface PlainArguments {
    readonly values: readonly Expression[];
    /** The variables between `<` and `>`, where they are written. */
    readonly contributors: readonly Variable[] | undefined;
    /** From the name to the parenthesis. */
    readonly span: Span;
}

/**
 * Reads the expression at the cursor without the grammar, as far as it is plain: operators, calls, lists, variables and
 * literals without peculiarities. Anything else, also anything wrong, is undefined and left to the grammar, which reads the
 * same expression. `=` may stand only where a body item begins.
 */
export function readPlainExpression(cursor: TokenCursor, isItem = false): Expression | undefined {
    const first = readPrimary(cursor);
    return first && continued(cursor, first, 0, isItem);
}

/** The expression that goes on with operators after its first operand; operators below the level are left. */
export function continued(cursor: TokenCursor, first: Expression, level: number, isItem: boolean): Expression | undefined {
    let left = first;
    let compared = -1;
    for (let operator = operatorAt(cursor); operator !== undefined; operator = operatorAt(cursor)) {
        const own = LEVELS[operator];
        if (own < level) break;
        const comparison = own === COMPARISON_LEVEL || own === LEVELS['='];
        if ((operator === '=' && !isItem) || (comparison && compared === own)) return undefined;
        compared = own;
        const operatorSpan = spanOf(cursor.token);
        cursor.next();
        const operand = readPrimary(cursor);
        const right = operand && continued(cursor, operand, own + 1, isItem);
        if (right === undefined) return undefined;
        left = { kind: 'binary', operator, left, right, operatorSpan, span: spanning(left.span, right.span) };
    }
    return left;
}

const OPERATORS: ReadonlyMap<string, BinaryOperator> = new Map([
    ...(Object.keys(LEVELS) as BinaryOperator[]).map(operator => [operator, operator] as const),
    ['<>', '!='] as const,
]);

function operatorAt({ token }: TokenCursor): BinaryOperator | undefined {
    const isOperator = token?.kind === 'operator' || token?.kind === 'word-operator';
    return isOperator ? OPERATORS.get(token.text) : undefined;
}

function readPrimary(cursor: TokenCursor): Expression | undefined {
    const { token } = cursor;
    if (token === undefined) return undefined;
    switch (token.kind) {
        case 'variable':
            cursor.next();
            return { kind: token.text.startsWith('_') ? 'anonymous' : 'variable', name: token.text, span: spanOf(token) };
        case 'number':
            cursor.next();
            return withoutProblem(report => numberConstant(token.text, false, spanOf(token), report));
        case 'string':
            cursor.next();
            return withoutProblem(report => stringConstant(token.text, spanOf(token), report));
        case 'parameter':
            cursor.next();
            return { kind: 'parameter', name: token.text.replace(/[?${}]/g, ''), span: spanOf(token) };
        case 'hash':
            cursor.next();
            if (token.text !== '#T' && token.text !== '#F') return undefined;
            return { kind: 'boolean', value: token.text === '#T', span: spanOf(token) };
        case 'name':
            return readCall(cursor, token);
        case 'operator':
            return token.text === '-' ? readNegated(cursor, token) : undefined;
        case 'mark':
            return token.text === '(' ? readParenthesised(cursor, token) : readCollection(cursor, token);
        default:
            return undefined;
    }
}

function withoutProblem(make: (report: () => void) => Expression): Expression | undefined {
    let found = false;
    const made = make(() => {
        found = true;
    });
    return found ? undefined : made;
}

function readNegated(cursor: TokenCursor, minus: Token): Expression | undefined {
    cursor.next();
    const { token } = cursor;
    const operand = readPrimary(cursor);
    const end = cursor.previous?.end;
    if (operand === undefined || end === undefined) return undefined;
    const span = { start: minus.start, end };
    if (token?.kind === 'number') return withoutProblem(report => numberConstant(token.text, true, span, report));
    return { kind: 'unary', operator: '-', operand, span };
}

/** An operator expression owns the parentheses around it. */
function readParenthesised(cursor: TokenCursor, opening: Token): Expression | undefined {
    cursor.next();
    const inner = readPlainExpression(cursor);
    const closing = cursor.token;
    if (inner === undefined || closing === undefined || !cursor.take(')')) return undefined;
    const span = spanning(opening, closing);
    return inner.kind === 'binary' || inner.kind === 'unary' ? { ...inner, span } : inner;
}

function readCollection(cursor: TokenCursor, opening: Token): Expression | undefined {
    const isList = cursor.take('[');
    if (!isList && !cursor.take('{')) return undefined;
    const items: Expression[] = [];
    const closing = isList ? ']' : '}';
    for (let open = !cursor.is(closing); open; open = cursor.take(',')) {
        const item = readPlainExpression(cursor);
        if (item === undefined) return undefined;
        items.push(item);
    }
    const last = cursor.token;
    if (last === undefined || !cursor.take(closing)) return undefined;
    return { kind: isList ? 'list' : 'set', items: trimmed(items), span: spanning(opening, last) };
}

function readCall(cursor: TokenCursor, token: Token): Expression | undefined {
    const given = readPlainArguments(cursor);
    return given && callOf(token, given);
}

/** The call of a function or an aggregate. */
export function callOf({ text: name, start, end }: Token, { values, contributors, span }: PlainArguments): Expression | undefined {
    const nameSpan = { start, end };
    if (!isAggregateName(name)) {
        return contributors === undefined ? { kind: 'call', name, arguments: values, nameSpan, span } : undefined;
    }
    const aggregate = { kind: 'aggregate', name, arguments: values, nameSpan, span } as const;
    return contributors === undefined ? aggregate : { ...aggregate, contributors };
}

/** The name at the cursor and the arguments in parentheses behind it. */
export function readPlainArguments(cursor: TokenCursor): PlainArguments | undefined {
    const name = cursor.token;
    cursor.next();
    if (name === undefined || name.text === 'dom' || !cursor.take('(')) return undefined;
    const values: Expression[] = [];
    let contributors: readonly Variable[] | undefined;
    for (let open = !cursor.is(')'); open; open = cursor.take(',')) {
        if (cursor.is('<') || cursor.is('<>')) {
            const listed = contributors === undefined ? readContributors(cursor) : undefined;
            if (listed === undefined) return undefined;
            contributors = listed;
            continue;
        }
        const value = readPlainExpression(cursor);
        if (value === undefined) return undefined;
        values.push(value);
    }
    const closing = cursor.token;
    if (closing === undefined || !cursor.take(')')) return undefined;
    return { values: trimmed(values), contributors, span: spanning(name, closing) };
}

function readContributors(cursor: TokenCursor): Variable[] | undefined {
    const variables: Variable[] = [];
    if (cursor.take('<>')) return variables;
    cursor.next();
    do {
        const { token } = cursor;
        if (token?.kind !== 'variable' || token.text.startsWith('_')) return undefined;
        variables.push({ kind: 'variable', name: token.text, span: spanOf(token) });
        cursor.next();
    } while (cursor.take(','));
    return cursor.take('>') ? variables : undefined;
}

function spanOf(token: Span | undefined): Span {
    return { start: token?.start ?? 0, end: token?.end ?? 0 };
}
