import { join, MIXED, type Type, UNKNOWN } from '#language/program/types.ts';
import { type CallShape, functionEntry } from '../function-entry.ts';
import { INT, LONG, STRING, STRUCT, typeOfArgument } from '../result-types.ts';

function structOf(call: CallShape): Type {
    const fields: { name: string; type: Type }[] = [];
    for (let i = 0; i + 1 < call.arguments.length; i += 2) {
        const key = call.arguments[i];
        if (key?.kind !== 'string') return STRUCT;
        fields.push({ name: key.value, type: typeOfArgument(call, i + 1) });
    }
    return { kind: 'struct', fields };
}

function fieldOf(call: CallShape): Type {
    const key = call.arguments[0];
    const struct = typeOfArgument(call, 1);
    if (struct.kind === 'unknown') return UNKNOWN;
    if (key?.kind !== 'string' || struct.kind !== 'struct') return MIXED;
    return struct.fields?.find(field => field.name === key.value)?.type ?? MIXED;
}

function mapOf(call: CallShape): Type {
    const keys = call.types.filter((_, i) => i % 2 === 0);
    const values = call.types.filter((_, i) => i % 2 === 1);
    return { kind: 'map', key: keys.reduce(join, UNKNOWN), value: values.reduce(join, UNKNOWN) };
}

/** Structs, maps, identity and utilities (6.8). */
export const STRUCT_FUNCTIONS = [
    functionEntry('struct', 'entries: any…', structOf, 'A struct from alternating field names and values.', { strict: false }),
    functionEntry('struct:get', 'field: string, struct: struct', fieldOf, 'The value of a field of a struct.'),
    functionEntry('collections:map', 'entries: any…', mapOf, 'A map from alternating keys and values.', { strict: false }),
    functionEntry('uuid', 'values: any…?', STRING, 'A universally unique identifier, random or computed from the arguments.', {
        strict: false,
    }),
    functionEntry('monotonically_increasing_id', '', LONG, 'A number that grows with every evaluation, from 0.', { variesBy: 'match' }),
    functionEntry('utils:phone_number', 'number: string, region: string?', STRING, 'A telephone number in international form.'),
    functionEntry('hash:hash', 'values: any…', INT, 'A hash value of 32 bits over all arguments.', { strict: false }),
    functionEntry('hash:md5', 'value: any', STRING, 'The MD5 digest of the text form, in hexadecimal.', { strict: false }),
    functionEntry('hash:sha1', 'value: any', STRING, 'The SHA-1 digest of the text form, in hexadecimal.', { strict: false }),
    functionEntry('hash:sha2', 'values: any…, bits: integer', STRING, 'The SHA-2 digest of the text forms, in hexadecimal.', {
        strict: false,
    }),
    functionEntry(
        'mask',
        's: string, upper: any?, lower: any?, digit: any?, other: any?',
        STRING,
        'The text with letters and digits replaced by fixed characters.',
        { strict: false },
    ),
];
