import type { SqlNode } from './parse-select.ts';

export function isNode(value: unknown): value is SqlNode {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The nodes of a list; nothing where the parser has no list. */
export function nodesIn(value: unknown): SqlNode[] {
    return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Names stand as texts, or as nodes that hold one. */
export function textOf(value: unknown): string | undefined {
    if (typeof value === 'string') return value;
    if (!isNode(value)) return undefined;
    return textOf(value.value) ?? textOf(value.expr);
}
