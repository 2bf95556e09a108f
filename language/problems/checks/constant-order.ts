import type { BinaryOperator, Expression } from '#language/program/program.ts';

/** A constant that has a place among others of its class: a number, string, boolean, date or timestamp. */
export interface OrderedConstant {
    readonly class: string;
    readonly value: number | bigint | string;
}

/** How two constants of one class compare: negative, zero or positive; undefined for everything else. */
export function compareConstants(left: Expression, right: Expression): number | undefined {
    const [a, b] = [orderedConstant(left), orderedConstant(right)];
    return a === undefined || b === undefined || a.class !== b.class ? undefined : compareOrdered(a, b);
}

/** How two constants of the same class compare. */
export function compareOrdered(a: OrderedConstant, b: OrderedConstant): number {
    return a.value < b.value ? -1 : Number(a.value > b.value);
}

export function orderedConstant(expression: Expression): OrderedConstant | undefined {
    switch (expression.kind) {
        case 'integer':
        case 'double':
            return { class: 'number', value: expression.value };
        case 'string':
            return expression.value.includes('${') || !isBasic(expression.value) ? undefined : { class: 'string', value: expression.value };
        case 'boolean':
            return { class: 'boolean', value: Number(expression.value) };
        case 'date':
            return { class: 'time', value: BigInt(expression.days) * DAY };
        case 'timestamp':
            return { class: 'time', value: expression.micros };
        case 'unary': {
            const operand = expression.operator === '-' ? orderedConstant(expression.operand) : undefined;
            return operand?.class === 'number' && typeof operand.value !== 'string'
                ? { class: 'number', value: -operand.value }
                : undefined;
        }
        default:
            return undefined;
    }
}

const DAY = 86_400_000_000n;

/** UTF-16 units and code points have the same order among these. */
function isBasic(text: string): boolean {
    return !/[\ud800-\udfff]/.test(text);
}

/** A comparison that orders its operands or tells them apart; `=` at the top of an item is `==`. */
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

export const COMPARISONS: ReadonlyMap<BinaryOperator, Comparison> = new Map([
    ['=', '=='],
    ['==', '=='],
    ['!=', '!='],
    ['<', '<'],
    ['<=', '<='],
    ['>', '>'],
    ['>=', '>='],
]);

/** Whether a value in this order to another fulfils the comparison with it. */
export function satisfies(order: number, comparison: Comparison): boolean {
    switch (comparison) {
        case '==':
            return order === 0;
        case '!=':
            return order !== 0;
        case '<':
            return order < 0;
        case '<=':
            return order <= 0;
        case '>':
            return order > 0;
        case '>=':
            return order >= 0;
    }
}

/** A `between` whose constant bounds leave nothing between them (6.5). */
export function isEmptyInterval(expression: Expression): boolean {
    if (expression.kind !== 'call' || !/^_?between_?$/u.test(expression.name)) return false;
    const [, low, high] = expression.arguments;
    return low !== undefined && high !== undefined && (compareConstants(low, high) ?? 0) > 0;
}
