import type { NumericKind, Type } from '#language/program/types.ts';
import { isNumeric, join, MIXED, UNKNOWN } from '#language/program/types.ts';
import type { CallShape } from './function-entry.ts';

export const STRING: Type = { kind: 'string' };
export const INT: Type = { kind: 'int' };
export const LONG: Type = { kind: 'long' };
export const DOUBLE: Type = { kind: 'double' };
export const FLOAT: Type = { kind: 'float' };
export const BOOLEAN: Type = { kind: 'boolean' };
export const DATE: Type = { kind: 'date' };
export const TIMESTAMP: Type = { kind: 'timestamp' };
export const JSON_TEXT: Type = { kind: 'json' };
export const STRUCT: Type = { kind: 'struct' };

export function listOf(element: Type): Type {
    return { kind: 'list', element };
}

export function setOf(element: Type): Type {
    return { kind: 'set', element };
}

export function typeOfArgument(call: CallShape, index: number): Type {
    return call.types[index] ?? UNKNOWN;
}

/** The type of the elements of a list or set; `mixed` when the type says nothing about them. */
export function elementType(type: Type): Type {
    if (type.kind === 'list' || type.kind === 'set') return type.element;
    return type.kind === 'unknown' ? UNKNOWN : MIXED;
}

/** The numeric type of `+ - *` and of functions that promote (3.2). */
export function promoted(left: Type, right: Type): Type {
    if (left.kind === 'unknown' || right.kind === 'unknown') return isNumeric(left) ? left : isNumeric(right) ? right : join(left, right);
    if (!isNumeric(left) || !isNumeric(right)) return MIXED;
    const kinds: readonly NumericKind[] = [left.kind as NumericKind, right.kind as NumericKind];
    if (kinds.every(kind => kind === 'float')) return FLOAT;
    if (kinds.includes('double') || kinds.includes('float')) return DOUBLE;
    return kinds.includes('long') ? LONG : INT;
}

/** The type of a whole number made from a number: an int from an int, else a long. */
export function rounded(type: Type): Type {
    return type.kind === 'int' || type.kind === 'unknown' ? INT : LONG;
}
