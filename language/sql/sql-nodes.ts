import type { SqlNode } from './parse-select.ts';

export function isNode(value: unknown): value is SqlNode {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The nodes of a list; nothing where the parser has no list. */
export function nodesIn(value: unknown): SqlNode[] {
    return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Visits a node and all nodes in it. */
export function visitNodes(root: SqlNode, visit: (node: SqlNode) => void): void {
    const work: unknown[] = [root];
    for (let value = work.pop(); value !== undefined; value = work.pop()) {
        if (Array.isArray(value)) for (const part of value) work.push(part);
        if (!isNode(value)) continue;
        visit(value);
        for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) work.push(part);
    }
}

/** Names stand as texts, or as nodes that hold one. */
export function textOf(value: unknown): string | undefined {
    if (typeof value === 'string') return value;
    if (!isNode(value)) return undefined;
    return textOf(value.value) ?? textOf(value.expr);
}
