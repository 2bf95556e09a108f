import { say } from '#language/program/say.ts';
import type { SqlNode } from '#language/sql/parse-select.ts';
import { writtenName } from '#language/sql/readable-sql.ts';
import { isNode } from '#language/sql/sql-nodes.ts';

/** The query is none of those that rules are written for here. */
export class BeyondRules extends Error {}

export function beyond(what: string): never {
    throw new BeyondRules(what);
}

export function nodeOf(value: unknown): SqlNode {
    return isNode(value) ? value : beyond(say`an unknown part`);
}

export function nodesOf(value: unknown): SqlNode[] {
    return Array.isArray(value) ? value.map(nodeOf) : [];
}

/** Names stand as texts, or as nodes that hold one. */
export function nameOf(value: unknown): string | undefined {
    if (typeof value === 'string') return writtenName(value);
    return isNode(value) ? (nameOf(value.value) ?? nameOf(value.expr)) : undefined;
}

/** The node has no parts but these; the parser leaves out others as null, or without members. */
export function onlyParts(node: SqlNode, ...known: readonly string[]): void {
    const [more] = Object.entries(node).filter(([name, value]) => !known.includes(name) && !isEmpty(value));
    if (more !== undefined) beyond(more[0]);
}

function isEmpty(value: unknown): boolean {
    if (value === null || value === undefined || value === '') return true;
    return typeof value === 'object' && Object.values(value).every(isEmpty);
}

/** A condition as the items between its ANDs and ORs, in the order of the text; those in parentheses are items. */
type Chain = { readonly items: SqlNode[]; readonly operators: ('AND' | 'OR')[] };

function chainOf(node: SqlNode, isOuter: boolean): Chain {
    const { type, operator, parentheses } = node;
    if (type !== 'binary_expr' || (operator !== 'AND' && operator !== 'OR') || (parentheses === true && !isOuter))
        return { items: [node], operators: [] };
    const [left, right] = [chainOf(nodeOf(node.left), false), chainOf(nodeOf(node.right), false)];
    return { items: [...left.items, ...right.items], operators: [...left.operators, operator, ...right.operators] };
}

/** The alternatives of a condition, and what each of them needs. The parser takes AND and OR for equally strong, so that this does not follow its tree. */
export function alternativesOf(condition: SqlNode): SqlNode[][] {
    const { items, operators } = chainOf(condition, true);
    const alternatives: SqlNode[][] = [[]];
    for (const [i, item] of items.entries()) {
        if (operators[i - 1] === 'OR') alternatives.push([]);
        alternatives.at(-1)?.push(item);
    }
    return alternatives;
}
