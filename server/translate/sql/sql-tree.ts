import { say } from '#language/program/say.ts';
import type { SqlNode } from '#language/sql/parse-select.ts';
import { writtenName } from '#language/sql/readable-sql.ts';
import { isNode } from '#language/sql/sql-nodes.ts';
import { refuse } from '#server/notices/refusal.ts';

/** Refuses a query that no rules are written for here, by naming the part that is beyond them. */
export function beyond(what: string): never {
    refuse(what, 'query');
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

/** Returns the name of a function, in lower case, with dots between several words. */
export function functionName({ name }: SqlNode): string {
    return isNode(name) ? nodesOf(name.name).map(nameOf).join('.').toLowerCase() : '';
}

/** The node has no parts but these; the parser leaves out others as null, or without members. */
export function onlyParts(node: SqlNode, ...known: readonly string[]): void {
    for (const name of Object.keys(node)) if (!known.includes(name) && !isEmpty(node[name])) beyond(name);
}

function isEmpty(value: unknown): boolean {
    if (value === null || value === undefined || value === '') return true;
    return typeof value === 'object' && Object.values(value).every(isEmpty);
}

/**
 * The alternatives of a condition, and what each of them needs: the items between its ORs and ANDs, in the order of the text; those in
 * parentheses are items. The parser takes AND and OR for equally strong, so that this does not follow its tree.
 */
export function alternativesOf(condition: SqlNode): SqlNode[][] {
    const alternatives: SqlNode[][] = [[]];
    const add = (node: SqlNode, isOuter: boolean): void => {
        const { type, operator, parentheses } = node;
        if (type !== 'binary_expr' || (operator !== 'AND' && operator !== 'OR') || (parentheses === true && !isOuter)) {
            alternatives.at(-1)?.push(node);
            return;
        }
        add(nodeOf(node.left), false);
        if (operator === 'OR') alternatives.push([]);
        add(nodeOf(node.right), false);
    };
    add(condition, true);
    return alternatives;
}
