import type { Dictionary } from '#engine/values/dictionary.ts';
import { elementType, numberText, printsAsInteger, textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import type { ValuesBatch } from '#server/protocol/run-process.ts';
import { OrderedWriter } from '#server/store/ordered-value.ts';
import type { KeptRows } from './kept-rows.ts';

/** Bytes after which no further row is begun, and rows at most. */
const ENOUGH = 1 << 20;
const MOST = 10_000;

/** Rows from an offset on as bytes of values, as many as make a good piece. */
export function rowValues({ listing, numberOf }: KeptRows, offset: number): ValuesBatch {
    const { dictionary, columns, count } = listing;
    const writer = new OrderedWriter();
    const write = valueWriter(writer, dictionary, numberOf);
    const ends: number[] = [];
    let row = offset;
    for (; row < count && row - offset < MOST && writer.length < ENOUGH; row++) {
        for (const [column, { type }] of columns.entries()) {
            write(listing.at(row, column), type);
            ends.push(writer.length);
        }
    }
    return { rows: row - offset, bytes: writer.taken(), ends: Int32Array.from(ends) };
}

/** One value as bytes. */
export function valueBytes(id: ValueId, type: Type, dictionary: Dictionary, numberOf: KeptRows['numberOf']): Uint8Array {
    const writer = new OrderedWriter();
    valueWriter(writer, dictionary, numberOf)(id, type);
    return writer.taken();
}

function valueWriter(writer: OrderedWriter, dictionary: Dictionary, numberOf: KeptRows['numberOf']): (id: ValueId, type: Type) => void {
    return write;

    function write(id: ValueId, type: Type): void {
        const kind = dictionary.kind(id);
        switch (kind) {
            case 'boolean':
                writer.boolean(id === 1);
                break;
            case 'number':
                if (printsAsInteger(dictionary, id, type)) writer.integer(dictionary.bigintOf(id));
                else writer.double(doubleOf(id, type));
                break;
            case 'string':
                writer.string(dictionary.utf8Of(id));
                break;
            case 'date':
            case 'timestamp':
                // A midnight is the value of its date: the column decides, else the value itself.
                if (type.kind === 'date' || (type.kind !== 'timestamp' && kind === 'date')) writer.date(dictionary.daysOf(id));
                else writer.timestamp(dictionary.microsOf(id));
                break;
            case 'null':
                if (dictionary.isInvented(id)) writer.null(numberOf(id));
                else writer.missing();
                break;
            case 'list':
            case 'set':
                writer.begin(kind);
                for (const member of dictionary.membersOf(id)) write(member, elementType(type));
                writer.end();
                break;
            case 'struct':
            case 'map':
                writer.begin(kind);
                writePairs(dictionary.membersOf(id), type);
                writer.end();
                break;
        }
    }

    /** A float of 32 bits is the number that its digits say. */
    function doubleOf(id: ValueId, type: Type): number {
        return type.kind === 'float' ? Number(numberText(dictionary, id, type)) : dictionary.numberOf(id);
    }

    function writePairs(members: readonly ValueId[], type: Type): void {
        for (let i = 0; i + 1 < members.length; i += 2) {
            const [key = 0, value = 0] = [members[i], members[i + 1]];
            const name = textOf(dictionary, key, type.kind === 'map' ? type.key : MIXED, id => `_:${numberOf(id)}`);
            writer.string(encoder.encode(name));
            write(value, type.kind === 'map' ? type.value : fieldType(type, name));
        }
    }
}

const encoder = new TextEncoder();

function fieldType(type: Type, name: string): Type {
    return (type.kind === 'struct' ? type.fields?.find(field => field.name === name)?.type : undefined) ?? MIXED;
}
