import type { Occurrence, RuleFacts } from '#language/analysis/program-facts.ts';
import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';

/** Text that was meant by a part of a rule. */
interface MeantPart {
    readonly span: Span;
    readonly text: string;
}

/** The constants that other languages write like variables, in lower case. */
export const FOREIGN_CONSTANTS: ReadonlyMap<string, string> = new Map([
    ['true', '#T'],
    ['false', '#F'],
    ['none', 'null'],
    ['nil', 'null'],
    ['nan', 'null'],
    ['na', 'null'],
    ['undefined', 'null'],
    ['current_date', 'date:current_date()'],
    ['current_timestamp', 'date:current_timestamp()'],
]);

/** Guesses the meaning of a variable that nothing binds: a constant of another language, or each number of a range. */
export function meantByUnbound({ items }: RuleFacts, name: string, { item, variable }: Occurrence): MeantPart | undefined {
    const found = items[item];
    const expression = found !== undefined && 'expression' in found ? found.expression : undefined;
    const constant = FOREIGN_CONSTANTS.get(name.toLowerCase());
    if (constant !== undefined) {
        const other = expression?.kind === 'binary' && EQUALITIES.has(expression.operator) ? otherSide(expression, variable) : undefined;
        if (constant !== 'null' || other === undefined || expression === undefined) return { span: variable.span, text: constant };
        const test = expression.kind === 'binary' && expression.operator === '!=' ? 'is_not_null' : 'is_null';
        return { span: expression.span, text: `${test}(${printExpression(other)})` };
    }
    if (expression?.kind === 'call' && expression.name === 'between' && expression.arguments[2] === variable) {
        const [low, high] = expression.arguments;
        const values = numbersBetween(low, high, 0);
        return values && { span: expression.span, text: `${name} = collections:explode([${values.join(', ')}])` };
    }
    if (expression?.kind !== 'binary' || expression.operator !== 'in' || expression.left !== variable) return undefined;
    const { right, span } = expression;
    if (right.kind !== 'list' && right.kind !== 'set' && right.kind !== 'variable') return undefined;
    return { span, text: `${name} = collections:explode(${printExpression(right)})` };
}

/** `X = range(1, 5)` and `X in range(1, 5)`, by their calls: each number from the first to the one before the last. */
export function meantByRanges({ items, resolved }: RuleFacts): ReadonlyMap<Expression, MeantPart> {
    const found = new Map<Expression, MeantPart>();
    let given: ReadonlySet<string> | undefined;
    for (const item of items) {
        const expression = 'expression' in item ? item.expression : undefined;
        if (expression?.kind !== 'binary' || expression.left.kind !== 'variable') continue;
        const list = listOfRange(expression.right);
        if (list === undefined) continue;
        given ??= new Set(resolved.literals.flatMap(({ atom, negated }) => (negated ? [] : atom.arguments.flatMap(nameOf))));
        const { name } = expression.left;
        const text = given.has(name) ? `${name} in ${list}` : `${name} = collections:explode(${list})`;
        found.set(expression.right, { span: expression.span, text });
    }
    return found;
}

function listOfRange(call: Expression): string | undefined {
    if (call.kind !== 'call' || call.name !== 'range') return undefined;
    const [first, second] = call.arguments;
    const values = second === undefined ? numbersBetween(ZERO, first, 1) : numbersBetween(first, second, 1);
    return values && `[${values.join(', ')}]`;
}

function nameOf(term: Expression): readonly string[] {
    return term.kind === 'variable' ? [term.name] : [];
}

const EQUALITIES: ReadonlySet<string> = new Set(['=', '==', '!=']);
const ZERO: Expression = { kind: 'integer', value: 0n, span: { start: 0, end: 0 } };

/** More numbers are not written one by one. */
const MOST_NUMBERS = 100n;

function otherSide({ left, right }: Extract<Expression, { kind: 'binary' }>, side: Expression): Expression {
    return left === side ? right : left;
}

/** The whole numbers between two constants, without so many of the last. */
function numbersBetween(low: Expression | undefined, high: Expression | undefined, without: number): readonly bigint[] | undefined {
    if (low?.kind !== 'integer' || high?.kind !== 'integer') return undefined;
    const first = BigInt(low.value);
    const count = BigInt(high.value) - first + 1n - BigInt(without);
    if (count <= 0n || count > MOST_NUMBERS) return undefined;
    return Array.from({ length: Number(count) }, (_, index) => first + BigInt(index));
}
