import { join, type Type, UNKNOWN } from '#language/program/types.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { numberOfJson } from '../values/from-json.ts';
import type { Json } from '../values/json.ts';
import { readNumber } from '../values/read-number.ts';
import type { ValueId } from '../values/value-id.ts';
import type { JsonMaker } from './json-text.ts';

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** Values: objects are structs and arrays are lists. `unfit` says what stands for a whole number that neither a long nor a double holds. */
export function valueMaker(dictionary: Dictionary, file: string, unfit: (text: string) => ValueId): JsonMaker<ValueId> {
    return {
        null: () => dictionary.freshNull(file),
        boolean: value => dictionary.boolean(value),
        integer: value => dictionary.number(value),
        number: text => numberOfJson(dictionary, text) ?? unfit(text),
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
    number: text => (typeof readNumber(text) === 'number' ? DOUBLE : LONG),
    string: () => STRING,
    utf8: () => STRING,
    array: items => ({ kind: 'list', element: items.reduce(join, UNKNOWN) }),
    object: members => ({ kind: 'struct', fields: Array.from(members, ([name, type]) => ({ name, type })) }),
};

/** The types of values as a model may say them so that none is lost: numbers that are unfit are texts. */
export const MODEL_TYPE_MAKER: JsonMaker<Type> = {
    ...TYPE_MAKER,
    number: text => (readNumber(text) === undefined ? STRING : TYPE_MAKER.number(text)),
};

/** JSON as it is written. */
export const JSON_MAKER: JsonMaker<Json> = {
    null: () => ({ kind: 'null' }),
    boolean: value => ({ kind: 'boolean', value }),
    integer: value => ({ kind: 'number', text: String(value) }),
    number: text => ({ kind: 'number', text }),
    string: text => ({ kind: 'string', text }),
    utf8: (bytes, from, to) => ({ kind: 'string', text: decoder.decode(bytes.subarray(from, to)) }),
    array: items => ({ kind: 'array', items }),
    object: members => ({ kind: 'object', members }),
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
