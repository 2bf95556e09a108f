import { join, type Type, UNKNOWN } from '#language/program/types.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { JsonMaker } from './json-text.ts';

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

const INTEGER = /^-?\d+$/;

/** The 64-bit integer that a number is, where it is one. */
function longOf(text: string): bigint | undefined {
    if (!INTEGER.test(text)) return undefined;
    const value = BigInt(text);
    return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Values: objects are structs and arrays are lists; whole numbers within 64 bits are exact, other numbers doubles. */
export function valueMaker(dictionary: Dictionary, file: string): JsonMaker<ValueId> {
    return {
        null: () => dictionary.freshNull(file),
        boolean: value => dictionary.boolean(value),
        integer: value => dictionary.number(value),
        number: text => {
            const long = longOf(text);
            return long === undefined ? dictionary.number(Number(text)) : dictionary.bigint(long);
        },
        string: text => dictionary.string(text),
        utf8: (bytes, from, to) => dictionary.utf8(bytes, from, to),
        array: items => dictionary.list(items),
        object: members => dictionary.struct([...members].flatMap(([name, value]) => [dictionary.string(name), value])),
    };
}

const [INT, LONG, DOUBLE, STRING, BOOLEAN] = (['int', 'long', 'double', 'string', 'boolean'] as const).map(kind => ({ kind })) as [
    Type,
    Type,
    Type,
    Type,
    Type,
];

/** The types of values (9.4: a source of JSON supplies types). */
export const TYPE_MAKER: JsonMaker<Type> = {
    null: () => UNKNOWN,
    boolean: () => BOOLEAN,
    integer: value => (value >= -(2 ** 31) && value < 2 ** 31 ? INT : LONG),
    number: text => (longOf(text) === undefined ? DOUBLE : LONG),
    string: () => STRING,
    utf8: () => STRING,
    array: items => ({ kind: 'list', element: items.reduce(join, UNKNOWN) }),
    object: members => ({ kind: 'struct', fields: Array.from(members, ([name, type]) => ({ name, type })) }),
};

/** Compact JSON text in which numbers keep their digits. */
export const SOURCE_MAKER: JsonMaker<string> = {
    null: () => 'null',
    boolean: String,
    integer: String,
    number: text => text,
    string: text => JSON.stringify(text),
    utf8: (bytes, from, to) => JSON.stringify(decoder.decode(bytes.subarray(from, to))),
    array: items => `[${items.join()}]`,
    object: members => `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`,
};
