import { MIXED, type Type } from '#language/program/types.ts';
import { type CallShape, functionEntry } from '../function-entry.ts';
import {
    BOOLEAN,
    DATE,
    DOUBLE,
    elementType,
    FLOAT,
    INT,
    JSON_TEXT,
    LONG,
    listOf,
    STRING,
    STRUCT,
    setOf,
    TIMESTAMP,
    typeOfArgument,
} from '../result-types.ts';
import { structSchema, typeNamed } from '../type-names.ts';

function textArgument(call: CallShape, index: number): string | undefined {
    const argument = call.arguments[index];
    return argument?.kind === 'string' ? argument.value : undefined;
}

function elements(call: CallShape): Type {
    if (call.arguments.length < 2) return elementType(typeOfArgument(call, 0));
    const text = textArgument(call, 1);
    if (text === undefined) return MIXED;
    return text.includes(':') ? (structSchema(text) ?? STRUCT) : (typeNamed(text) ?? MIXED);
}

function typeWord(call: CallShape, index: number): Type {
    return typeNamed(textArgument(call, index) ?? '') ?? MIXED;
}

/** Casts (6.7). An impossible conversion gives null. */
export const CAST_FUNCTIONS = [
    functionEntry('as_string', 'value: any', STRING, 'The text form of a value.'),
    functionEntry('as_int', 'value: any', INT, 'The value as a whole number of 32 bits.'),
    functionEntry('as_long', 'value: any', LONG, 'The value as a whole number of 64 bits.'),
    functionEntry('as_double', 'value: any', DOUBLE, 'The value as a number.'),
    functionEntry('as_float', 'value: any', FLOAT, 'The value as a number of single precision.'),
    functionEntry('as_boolean', 'value: any', BOOLEAN, 'The value as true or false.'),
    functionEntry('as_date', 'value: any', DATE, 'The value as a calendar day.'),
    functionEntry('as_timestamp', 'value: any', TIMESTAMP, 'The value as an instant.'),
    functionEntry('as_json', 'value: any', JSON_TEXT, 'The value as compact JSON text.', { strict: false }),
    functionEntry(
        'as_list',
        'value: any, elements: string?',
        call => listOf(elements(call)),
        'A list from a JSON array or from a collection.',
        { aliases: ['asList'] },
    ),
    functionEntry(
        'as_set',
        'value: any, elements: string?',
        call => setOf(elements(call)),
        'A set from a JSON array or from a collection.',
        { aliases: ['asSet'] },
    ),
    functionEntry(
        'as_struct',
        'json: string, schema: string',
        call => structSchema(textArgument(call, 1) ?? '') ?? STRUCT,
        'A struct from a JSON object and a schema.',
    ),
    functionEntry(
        'as_map',
        'value: any, key: string, value: string',
        call => ({ kind: 'map', key: typeWord(call, 1), value: typeWord(call, 2) }),
        'A map from a JSON object, a map or a struct.',
    ),
];
