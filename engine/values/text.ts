import { MIXED, type Type, UNKNOWN } from '#language/program/types.ts';
import { dateText, timestampText } from './calendar.ts';
import type { Dictionary } from './dictionary.ts';
import type { ValueId } from './value-id.ts';

/** The display label of a labelled null: `z1`. */
export type NullLabel = (id: ValueId) => string;

/** The text form of a value (3.7, second column) in a place of the given type, which decides how a number prints. */
export function textOf(dictionary: Dictionary, id: ValueId, type: Type, label: NullLabel): string {
    switch (dictionary.kind(id)) {
        case 'string':
            return dictionary.stringOf(id);
        case 'number':
            return numberText(dictionary, id, type);
        case 'boolean':
            return id === 1 ? 'true' : 'false';
        case 'date':
        case 'timestamp':
            return timeText(dictionary, id, type);
        case 'list':
        case 'set':
        case 'struct':
        case 'map':
            return jsonText(dictionary, id, type);
        case 'null':
            return label(id);
    }
}

/** The value as a term of fact text (3.7, third column). */
export function termText(dictionary: Dictionary, id: ValueId, type: Type, label: NullLabel): string {
    const term = (member: ValueId, of: Type): string => termText(dictionary, member, of, label);
    switch (dictionary.kind(id)) {
        case 'string':
            return quoted(dictionary.stringOf(id));
        case 'boolean':
            return id === 1 ? '#T' : '#F';
        case 'list':
            return `[${dictionary.membersOf(id).map(member => term(member, elementType(type)))}]`;
        case 'set':
            return `{${dictionary.membersOf(id).map(member => term(member, elementType(type)))}}`;
        case 'struct':
            return `struct(${pairs(dictionary, id).map(([name, value]) => `${dictionary.stringOf(name)}=${term(value, fieldType(dictionary, type, name))}`)})`;
        case 'map':
            return `map(${pairs(dictionary, id).map(([key, value]) => `${term(key, keyType(type))}=${term(value, valueType(type))}`)})`;
        default:
            return textOf(dictionary, id, type, label);
    }
}

/** Compact JSON text: sets are arrays, structs and maps objects, dates strings, nulls `null`. */
export function jsonText(dictionary: Dictionary, id: ValueId, type: Type): string {
    const json = (member: ValueId, of: Type): string => jsonText(dictionary, member, of);
    switch (dictionary.kind(id)) {
        case 'null':
            return 'null';
        case 'number':
        case 'boolean':
            return textOf(dictionary, id, type, String);
        case 'string':
        case 'date':
        case 'timestamp':
            return JSON.stringify(textOf(dictionary, id, type, String));
        case 'list':
        case 'set':
            return `[${dictionary.membersOf(id).map(member => json(member, elementType(type)))}]`;
        case 'struct':
            return `{${pairs(dictionary, id).map(([name, value]) => `${JSON.stringify(dictionary.stringOf(name))}:${json(value, fieldType(dictionary, type, name))}`)}}`;
        case 'map':
            return `{${pairs(dictionary, id).map(([key, value]) => `${JSON.stringify(textOf(dictionary, key, keyType(type), () => 'null'))}:${json(value, valueType(type))}`)}}`;
    }
}

/** The texts in one, with `separator` between them, where that is not too long. */
export function joined(dictionary: Dictionary, texts: readonly string[], separator: string): string {
    dictionary.admit(texts.reduce((length, text) => length + separator.length + text.length, 0));
    return texts.join(separator);
}

/** A double shows a decimal point and an integer never does (D-19); a column of mixed numbers shows integers as such. */
export function numberText(dictionary: Dictionary, id: ValueId, type: Type): string {
    if (type.kind === 'float' && dictionary.isExactDouble(id)) return floatText(dictionary.numberOf(id));
    return printsAsInteger(dictionary, id, type) ? dictionary.bigintOf(id).toString() : doubleText(dictionary.numberOf(id));
}

/**
 * An integral number beyond 64 bits is a double whatever its column says, because its digits would not read back, and an integer that no
 * double holds exactly is one: else two rows would look equal.
 */
export function printsAsInteger(dictionary: Dictionary, id: ValueId, type: Type): boolean {
    if (!dictionary.isExactDouble(id)) return true;
    if (type.kind === 'double' || type.kind === 'float' || !dictionary.isInteger(id)) return false;
    const value = dictionary.numberOf(id);
    return value >= -(2 ** 63) && value < 2 ** 63;
}

/** The shortest digits that read back to the same double, in the form of 3.7. */
export function doubleText(value: number): string {
    return pointed(String(value));
}

/** The shortest digits that read back to the same binary32 value. */
function floatText(value: number): string {
    for (let digits = 1; digits < 9; digits++) {
        const text = value.toPrecision(digits);
        if (Math.fround(Number(text)) === value) return pointed(String(Number(text)));
    }
    return doubleText(value);
}

function pointed(text: string): string {
    const [digits = '', exponent] = text.split('e');
    const withPoint = digits.includes('.') ? digits : `${digits}.0`;
    return exponent === undefined ? withPoint : `${withPoint}E${exponent.replace('+', '')}`;
}

/** A time prints as its column says; where the column does not say, a midnight prints as a date. */
function timeText(dictionary: Dictionary, id: ValueId, type: Type): string {
    const asDate = type.kind === 'date' || (type.kind !== 'timestamp' && dictionary.kind(id) === 'date');
    return asDate ? dateText(dictionary.daysOf(id)) : timestampText(dictionary.microsOf(id));
}

function quoted(text: string): string {
    return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '""').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}"`;
}

function pairs(dictionary: Dictionary, id: ValueId): [ValueId, ValueId][] {
    const members = dictionary.membersOf(id);
    return Array.from({ length: members.length / 2 }, (_, i) => [members[2 * i]!, members[2 * i + 1]!]);
}

export function elementType(type: Type): Type {
    return type.kind === 'list' || type.kind === 'set' ? type.element : MIXED;
}

export function keyType(type: Type): Type {
    return type.kind === 'map' ? type.key : MIXED;
}

function valueType(type: Type): Type {
    return type.kind === 'map' ? type.value : MIXED;
}

function fieldType(dictionary: Dictionary, type: Type, name: ValueId): Type {
    if (type.kind !== 'struct') return MIXED;
    const text = dictionary.stringOf(name);
    return type.fields?.find(field => field.name === text)?.type ?? UNKNOWN;
}
