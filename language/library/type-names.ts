import { say } from '#language/program/say.ts';
import { MIXED, type Type } from '#language/program/types.ts';

/** The spellings of simple types in models, mappings and schema texts (3.1). */
const SCALAR_NAMES: ReadonlyMap<string, Type> = new Map<string, Type>([
    ...['string', 'str', 'text'].map(name => [name, { kind: 'string' }] as const),
    ...['int', 'integer'].map(name => [name, { kind: 'int' }] as const),
    ...['long', 'bigint'].map(name => [name, { kind: 'long' }] as const),
    ...['double', 'number', 'decimal'].map(name => [name, { kind: 'double' }] as const),
    ['float', { kind: 'float' }],
    ...['boolean', 'bool'].map(name => [name, { kind: 'boolean' }] as const),
    ['date', { kind: 'date' }],
    ...['timestamp', 'datetime'].map(name => [name, { kind: 'timestamp' }] as const),
    ['json', { kind: 'json' }],
    ['unknown', { kind: 'unknown' }],
    ['struct', { kind: 'struct' }],
    ...['list', 'array'].map(name => [name, { kind: 'list', element: MIXED }] as const),
    ['set', { kind: 'set', element: MIXED }],
    ['map', { kind: 'map', key: MIXED, value: MIXED }],
]);

/** Every simple spelling, for completion and for nearest names. */
export const TYPE_NAMES: readonly string[] = [...SCALAR_NAMES.keys()];

/** Returns the type that a text names, `list<int>` and `[int]` included. `named` answers for words that name none of our types. */
export function typeNamed(text: string, named: (word: string) => Type | undefined = () => undefined): Type | undefined {
    const trimmed = text.trim();
    const simple = SCALAR_NAMES.get(trimmed.toLowerCase());
    if (simple !== undefined) return simple;
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) return collection('list', trimmed.slice(1, -1), named);
    const generic = /^(list|array|set|map)\s*<(.*)>$/su.exec(trimmed);
    if (generic === null) return named(trimmed);
    const [, word, inside = ''] = generic;
    if (word !== 'map') return collection(word === 'set' ? 'set' : 'list', inside, named);
    const comma = topLevelComma(inside);
    const key = typeNamed(inside.slice(0, comma), named);
    const value = comma < 0 ? undefined : typeNamed(inside.slice(comma + 1), named);
    return key && value && { kind: 'map', key, value };
}

function collection(kind: 'list' | 'set', inside: string, named: (word: string) => Type | undefined): Type | undefined {
    const element = typeNamed(inside, named);
    return element && { kind, element };
}

function topLevelComma(text: string): number {
    let depth = 0;
    for (let i = 0; i < text.length; i++) {
        const c = text[i];
        if (c === '<' || c === '[') depth++;
        else if (c === '>' || c === ']') depth--;
        else if (c === ',' && depth === 0) return i;
    }
    return -1;
}

/** A schema text as a struct type, or what is wrong with it. */
export type SchemaText = { readonly ok: true; readonly type: Type } | { readonly ok: false; readonly reason: string };

/** Reads a schema text, `"name:type, name:type"` (6.7). */
export function readSchema(text: string): SchemaText {
    const fields = new Map<string, Type>();
    for (const part of text.split(',')) {
        const colon = part.indexOf(':');
        if (colon < 0) return { ok: false, reason: say`'${part.trim()}' has no type` };
        const name = part.slice(0, colon).trim();
        const word = part.slice(colon + 1).trim();
        const type = typeNamed(word);
        if (name === '') return { ok: false, reason: say`a field of type '${word}' has no name` };
        if (type === undefined) return { ok: false, reason: say`'${word}' is no type` };
        if (fields.has(name)) return { ok: false, reason: say`'${name}' is there twice` };
        fields.set(name, type);
    }
    return { ok: true, type: { kind: 'struct', fields: Array.from(fields, ([name, type]) => ({ name, type })) } };
}

/** The struct type of a schema text; absent when the text is malformed. */
export function structSchema(text: string): Type | undefined {
    const schema = readSchema(text);
    return schema.ok ? schema.type : undefined;
}
