import type { Dictionary } from '#engine/values/dictionary.ts';
import { type NullLabel, textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Type } from '#language/program/types.ts';
import { CELL_LIMIT, type Cell } from '#server/protocol/runs.ts';

/** Bytes after which a string of `CELL_LIMIT` characters has ended. */
const LIMIT_BYTES = CELL_LIMIT * 4;
/** Bytes of a cell beside its text. */
const OVERHEAD = 8;

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** A value as the cells of a page show it: whole where it is short, and never decoded further than needed. */
export function cellOf(dictionary: Dictionary, id: ValueId, type: Type, label: NullLabel): Cell {
    if (dictionary.isNull(id)) return dictionary.isInvented(id) ? { null: label(id) } : { null: label(id), missing: true };
    if (dictionary.kind(id) === 'string') {
        const bytes = dictionary.utf8Of(id);
        if (bytes.length > LIMIT_BYTES) return { text: cut(decoder.decode(bytes.subarray(0, LIMIT_BYTES))), length: utf16Length(bytes) };
    }
    const text = textOf(dictionary, id, type, label);
    return text.length <= CELL_LIMIT ? text : { text: cut(text), length: text.length };
}

export function cellSize(cell: Cell): number {
    return OVERHEAD + (typeof cell === 'string' ? cell.length : 'null' in cell ? cell.null.length : cell.text.length);
}

/** The first characters, without half of a pair. */
function cut(text: string): string {
    const last = text.charCodeAt(CELL_LIMIT - 1);
    return text.slice(0, last >= 0xd800 && last < 0xdc00 ? CELL_LIMIT - 1 : CELL_LIMIT);
}

function utf16Length(bytes: Uint8Array): number {
    let length = 0;
    for (const byte of bytes) length += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
    return length;
}
