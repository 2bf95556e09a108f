import type { SqlNode } from '#language/sql/parse-select.ts';
import { isNode } from '#language/sql/sql-nodes.ts';
import { alternativesOf, functionName, nodeOf, nodesOf } from './sql-tree.ts';

/** Says of a column or an aggregate whether it may be NULL. */
type IsNullable = (node: SqlNode) => boolean;

/** Operators that are never true for NULL, and whose other side may be NULL as well. */
const STRICT = new Set(['IN', 'NOT IN', 'LIKE', 'NOT LIKE', 'BETWEEN', 'NOT BETWEEN']);
const ORDERINGS = new Set(['<', '<=', '>', '>=']);
const EQUALITIES = new Set(['=', '<>', '!=']);

/** Whether a value may be NULL. What is divided may be: by 0. */
export function mayBeNull(node: SqlNode, isNullable: IsNullable): boolean {
    const isSome = (nodes: readonly SqlNode[]): boolean => nodes.some(one => mayBeNull(one, isNullable));
    switch (node.type) {
        case 'column_ref':
        case 'aggr_func':
            return isNullable(node);
        case 'null':
            return true;
        case 'binary_expr':
            return node.operator === '/' || node.operator === '%' || isSome([nodeOf(node.left), nodeOf(node.right)]);
        case 'unary_expr':
            return isSome([nodeOf(node.expr)]);
        case 'function': {
            const args = isNode(node.args) ? nodesOf(node.args.value) : [];
            const name = functionName(node);
            if (name === 'coalesce') return args.every(one => mayBeNull(one, isNullable));
            return name !== 'concat' && isSome(args);
        }
        default:
            return false;
    }
}

/** The columns that are NULL in no row for which a condition holds. */
export function columnsKnownBy(condition: SqlNode, isNullable: IsNullable): SqlNode[] {
    const { type, operator, left, right } = condition;
    if (type === 'column_ref') return [condition];
    if (type !== 'binary_expr' || typeof operator !== 'string' || !isNode(left) || !isNode(right)) return [];
    if (STRICT.has(operator) || (operator === 'IS NOT' && right.type === 'null')) return columnsOf(left);
    if (ORDERINGS.has(operator) || (EQUALITIES.has(operator) && !isBetweenNulls(condition, isNullable)))
        return [left, right].flatMap(columnsOf);
    return [];
}

/**
 * Whether a condition compares two values that may both be NULL for being equal or not: SQL finds no such row, whereas an unknown value is
 * the same as itself, and another than others.
 */
export function isBetweenNulls({ type, operator, left, right }: SqlNode, isNullable: IsNullable): boolean {
    if (type !== 'binary_expr' || !EQUALITIES.has(String(operator)) || !isNode(left) || !isNode(right)) return false;
    return mayBeNull(left, isNullable) && mayBeNull(right, isNullable);
}

/** Columns without which a value is NULL. */
function columnsOf(node: SqlNode): SqlNode[] {
    if (node.type === 'column_ref') return [node];
    if (node.type === 'unary_expr') return columnsOf(nodeOf(node.expr));
    return node.type === 'binary_expr' ? [nodeOf(node.left), nodeOf(node.right)].flatMap(columnsOf) : [];
}

/** The parts of a condition that must all hold. */
export function conjuncts(condition: SqlNode): SqlNode[] {
    const [items = [], ...more] = alternativesOf(condition);
    return more.length > 0 || items.length === 1 ? [condition] : items.flatMap(conjuncts);
}
