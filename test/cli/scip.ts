/** Fields of messages of the published scip.proto, by their numbers. */
type Fields = Readonly<Record<number, readonly [name: string, kind: 'count' | 'counts' | 'text' | 'texts' | Fields | readonly [Fields]]>>;

const RANGE = 'counts';
const OCCURRENCE: Fields = { 1: ['range', RANGE], 2: ['symbol', 'text'], 3: ['symbol_roles', 'count'], 7: ['enclosing_range', RANGE] };
const SIGNATURE: Fields = { 4: ['language', 'text'], 5: ['text', 'text'] };
const SYMBOL: Fields = {
    1: ['symbol', 'text'],
    3: ['documentation', 'texts'],
    5: ['kind', 'count'],
    6: ['display_name', 'text'],
    7: ['signature_documentation', SIGNATURE],
};
const DOCUMENT: Fields = {
    1: ['relative_path', 'text'],
    2: ['occurrences', [OCCURRENCE]],
    3: ['symbols', [SYMBOL]],
    4: ['language', 'text'],
    6: ['position_encoding', 'count'],
};
const TOOL: Fields = { 1: ['name', 'text'], 2: ['version', 'text'] };
const METADATA: Fields = { 2: ['tool_info', TOOL], 3: ['project_root', 'text'], 4: ['text_document_encoding', 'count'] };
const INDEX: Fields = { 1: ['metadata', METADATA], 2: ['documents', [DOCUMENT]] };

// biome-ignore lint/suspicious/noExplicitAny: the shape of a message is in its table.
type Decoded = Record<string, any>;

export interface ScipOccurrence {
    readonly range: readonly number[];
    readonly symbol: string;
    readonly symbol_roles?: number;
    readonly enclosing_range?: readonly number[];
}

export interface ScipDocument {
    readonly relative_path: string;
    readonly language: string;
    readonly position_encoding: number;
    readonly occurrences: readonly ScipOccurrence[];
    readonly symbols: readonly Decoded[];
}

/** An index as scip.proto has it; a field that is not in its tables is an error. */
export function readScip(bytes: Uint8Array): { readonly metadata: Decoded; readonly documents: readonly ScipDocument[] } {
    return decoded(bytes, INDEX) as never;
}

function decoded(bytes: Uint8Array, fields: Fields): Decoded {
    const message: Decoded = {};
    let at = 0;
    const varint = (): number => {
        let [value, factor] = [0, 1];
        for (;;) {
            const byte = bytes[at++] ?? 0;
            value += (byte & 0x7f) * factor;
            if (byte < 0x80) return value;
            factor *= 0x80;
        }
    };
    while (at < bytes.length) {
        const tag = varint();
        const [name, kind] = fields[tag >> 3] ?? [];
        if (name === undefined || kind === undefined) throw new Error(`there is no field ${tag >> 3}`);
        if ((tag & 7) !== (kind === 'count' ? 0 : 2)) throw new Error(`${name} is written otherwise`);
        if (kind === 'count') {
            message[name] = varint();
            continue;
        }
        const length = varint();
        const part = bytes.subarray(at, at + length);
        at += length;
        if (kind === 'text') message[name] = new TextDecoder('utf-8', { fatal: true }).decode(part);
        else if (kind === 'texts') message[name] = [...(message[name] ?? []), new TextDecoder().decode(part)];
        else if (kind === 'counts') message[name] = unpacked(part);
        else if (Array.isArray(kind)) message[name] = [...(message[name] ?? []), decoded(part, kind[0])];
        else message[name] = decoded(part, kind as Fields);
    }
    return message;
}

function unpacked(bytes: Uint8Array): number[] {
    const values: number[] = [];
    let [value, factor] = [0, 1];
    for (const byte of bytes) {
        value += (byte & 0x7f) * factor;
        factor *= 0x80;
        if (byte >= 0x80) continue;
        values.push(value);
        [value, factor] = [0, 1];
    }
    return values;
}
