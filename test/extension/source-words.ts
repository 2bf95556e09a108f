import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

export const EXTENSION = fileURLToPath(new URL('../../extension', import.meta.url));

/** Two words, or one with a capital. */
export const LOOKS_LIKE_WORDS = /\p{L}{2,} \p{L}{2,}|^\p{Lu}\p{Ll}+/u;

/** A node of a syntax tree. */
export interface Node {
    readonly type: string;
    readonly [field: string]: unknown;
}

/** The sources of the extension, by their paths in its folder. */
export function extensionFiles(): string[] {
    return readdirSync(EXTENSION, { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.ts'))
        .sort();
}

/** Whether a file knows VS Code. */
export function isHostFile(file: string): boolean {
    return readFileSync(join(EXTENSION, file), 'utf8').includes("from 'vscode';");
}

export function programOf(file: string): unknown {
    return parseSync(file, readFileSync(join(EXTENSION, file), 'utf8')).program;
}

export function partsOf(node: unknown): unknown[] {
    return typeof node === 'object' && node !== null ? Object.values(node) : [];
}

export function nodesOf(node: unknown, found: Node[] = []): Node[] {
    if (isNode(node)) found.push(node);
    for (const part of partsOf(node)) nodesOf(part, found);
    return found;
}

export function isNode(node: unknown): node is Node {
    return typeof node === 'object' && node !== null && 'type' in node;
}

/** A call of a method of an object with this name; any method where none is given. */
export function isCallOf({ type, callee }: Node, object: string, method?: string): boolean {
    if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return false;
    const [owner, called] = [callee['object'], callee['property']] as readonly Node[];
    return owner?.['name'] === object && (method === undefined || called?.['name'] === method);
}

export function isTranslation(node: Node): boolean {
    return isCallOf(node, 'l10n', 't');
}

/** Types and imports. */
export function isNotSaid({ type }: Node): boolean {
    return (type.startsWith('TS') && /Literal|Alias|Interface/u.test(type)) || type === 'ImportDeclaration';
}

export function textOf({ type, value }: Node): string | undefined {
    if (type === 'TemplateElement') return (value as { readonly cooked: string }).cooked;
    return type === 'Literal' && typeof value === 'string' ? value : undefined;
}
