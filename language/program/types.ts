import type { NumberForm } from './number-form.ts';

/** A type (3.1). `unknown` holds labelled nulls only, `mixed` values of several classes. */
export type Type =
    | { readonly kind: Exclude<ScalarKind, 'string' | 'mixed'> }
    | StringType
    | MixedType
    | { readonly kind: 'list' | 'set'; readonly element: Type }
    | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
    | { readonly kind: 'struct'; readonly fields?: readonly { readonly name: string; readonly type: Type }[] };

/** Texts, and what is known of the columns of sources without types that they come from. */
export interface StringType {
    readonly kind: 'string';
    /** The reading that all of them share, if its order differs from that of texts. */
    readonly reading?: TextReading;
    /** The first column that they come from in which all read as numbers. */
    readonly numbers?: SourceColumn;
    /** The first column that they come from in which two such have another order as texts. */
    readonly misordered?: SourceColumn;
    /** The first column that they come from with cells that are empty texts. */
    readonly empty?: SourceColumn;
}

/** Values of several classes, and what is known of the columns that they come from. */
export interface MixedType {
    readonly kind: 'mixed';
    /** The first column that they come from with texts that read as numbers. */
    readonly numbers?: SourceColumn;
    /** Some are numbers. */
    readonly hasNumbers?: true;
}

/**
 * Numbers, or days or times in patterns of `date:to_timestamp` with `|` between them: in two where nothing shows which of two numbers is the
 * month. `days` have several forms. Amounts are numbers with one sign, such as `$9`.
 */
export type TextReading = 'number' | DayReading | 'days' | AmountReading;
export type DayReading = `day ${string}`;
export type AmountReading = `amount ${string}`;

/** A column of a source whose texts have no other type, as they show it. */
export interface SourceColumn {
    readonly predicate: string;
    /** Zero-based. */
    readonly position: number;
    /** By its header, or as the column of that number. */
    readonly name: string;
    /** Evidence for the reader: two values that are another matter than they seem, or how many cells are empty and how many were looked at. */
    readonly evidence: readonly [string, string];
    /** How its numbers may be written where that is not `1234.5`, and the bind does not say it. */
    readonly forms?: readonly NumberForm[];
    /** The model that gives all columns the types that their texts read as, and whether empty cells have to be declared unknown for it. */
    readonly model: { readonly text: string; readonly needsNulls: boolean };
}

export type ScalarKind = 'string' | 'int' | 'long' | 'double' | 'float' | 'boolean' | 'date' | 'timestamp' | 'json' | 'unknown' | 'mixed';

export type NumericKind = 'int' | 'long' | 'double' | 'float';

/** The names of types in answers (decision D-13). */
export type ApiType =
    | 'STRING'
    | 'INT'
    | 'LONG'
    | 'DOUBLE'
    | 'FLOAT'
    | 'BOOLEAN'
    | 'DATE'
    | 'TIMESTAMP'
    | 'LIST'
    | 'SET'
    | 'MAP'
    | 'STRUCT'
    | 'UNKNOWN';

const API_TYPES: Record<Type['kind'], ApiType> = {
    string: 'STRING',
    json: 'STRING',
    int: 'INT',
    long: 'LONG',
    double: 'DOUBLE',
    float: 'FLOAT',
    boolean: 'BOOLEAN',
    date: 'DATE',
    timestamp: 'TIMESTAMP',
    list: 'LIST',
    set: 'SET',
    map: 'MAP',
    struct: 'STRUCT',
    unknown: 'UNKNOWN',
    mixed: 'UNKNOWN',
};

export function apiType(type: Type): ApiType {
    return API_TYPES[type.kind];
}

export const UNKNOWN: Type = { kind: 'unknown' };
export const MIXED: MixedType = { kind: 'mixed' };
const STRING: StringType = { kind: 'string' };

export function isNumeric(type: Type): boolean {
    return type.kind === 'int' || type.kind === 'long' || type.kind === 'double' || type.kind === 'float';
}

/** The least upper bound of two types (3.5); `mixed` when they have no common type. */
export function join(left: Type, right: Type): Type {
    if (left.kind === 'unknown') return right;
    if (right.kind === 'unknown') return left;
    if ((left.kind === 'list' || left.kind === 'set') && left.kind === right.kind) {
        return { kind: left.kind, element: join(left.element, right.element) };
    }
    if (left.kind === 'map' && right.kind === 'map') {
        return { kind: 'map', key: join(left.key, right.key), value: join(left.value, right.value) };
    }
    if (left.kind === 'string' && right.kind === 'string') return joinTexts(left, right);
    if (left.kind === 'mixed' || right.kind === 'mixed') return joinMixed(left, right);
    if (left.kind === right.kind) return left.kind === 'struct' ? { kind: 'struct' } : left;
    if (isNumeric(left) && isNumeric(right)) {
        const kinds = [left.kind, right.kind];
        if (kinds.includes('double') || kinds.includes('float')) return { kind: 'double' };
        return { kind: 'long' };
    }
    if (isTime(left) && isTime(right)) return { kind: 'timestamp' };
    if (isText(left) && isText(right)) return left.kind === 'string' ? joinTexts(left, STRING) : joinTexts(STRING, right as StringType);
    return joinMixed(left, right);
}

function joinMixed(left: Type, right: Type): MixedType {
    const numbers = first(numbersIn(left), numbersIn(right));
    const hasNumbers = [left, right].some(type => isNumeric(type) || (type.kind === 'mixed' && type.hasNumbers === true));
    if (numbers === undefined && !hasNumbers) return MIXED;
    return { kind: 'mixed', ...(numbers && { numbers }), ...(hasNumbers && { hasNumbers }) };
}

function numbersIn(type: Type): SourceColumn | undefined {
    return type.kind === 'mixed' || type.kind === 'string' ? type.numbers : undefined;
}

/** Both stay as they are where nothing is known of either, which is nearly always so. */
function joinTexts(left: StringType, right: StringType): StringType {
    if (left === right || (isPlainText(left) && isPlainText(right))) return left;
    return {
        kind: 'string',
        ...known('reading', left.reading === right.reading ? left.reading : undefined),
        ...known('numbers', first(left.numbers, right.numbers)),
        ...known('misordered', first(left.misordered, right.misordered)),
        ...known('empty', first(left.empty, right.empty)),
    };
}

function meetTexts(left: StringType, right: StringType): StringType {
    if (left === right || (isPlainText(left) && isPlainText(right))) return left;
    return {
        kind: 'string',
        ...known('reading', left.reading ?? right.reading),
        ...known('numbers', first(left.numbers, right.numbers)),
        ...known('misordered', first(left.misordered, right.misordered)),
        ...known('empty', left.empty && right.empty && first(left.empty, right.empty)),
    };
}

function known<K extends keyof StringType>(name: K, value: StringType[K] | undefined): Partial<StringType> {
    return value === undefined ? {} : { [name]: value };
}

function isPlainText({ reading, numbers, misordered, empty }: StringType): boolean {
    return reading === undefined && numbers === undefined && misordered === undefined && empty === undefined;
}

/** One of them, whichever is given first. */
function first(left: SourceColumn | undefined, right: SourceColumn | undefined): SourceColumn | undefined {
    if (left === undefined || right === undefined) return left ?? right;
    if (left.predicate !== right.predicate) return left.predicate < right.predicate ? left : right;
    return left.position <= right.position ? left : right;
}

function sameColumn(left: SourceColumn | undefined, right: SourceColumn | undefined): boolean {
    if (left === undefined || right === undefined || left === right) return left === right;
    return (
        left.predicate === right.predicate &&
        left.position === right.position &&
        left.name === right.name &&
        left.evidence.every((one, i) => one === right.evidence[i]) &&
        left.model.text === right.model.text &&
        left.model.needsNulls === right.model.needsNulls
    );
}

/**
 * The type of a value that belongs to columns of both types, as a join makes it: the greatest type below both. Nothing
 * but a labelled null belongs to two columns without a common value. Like `join` it is monotone, so that the inferred
 * types do not depend on the order of clauses.
 */
export function meet(left: Type, right: Type): Type {
    if (left.kind === 'mixed' && right.kind === 'mixed') return joinMixed(left, right);
    if (left.kind === 'mixed') return right;
    if (right.kind === 'mixed') return left;
    if (isNumeric(left) && isNumeric(right))
        return NUMERIC_WIDTH[left.kind as NumericKind] <= NUMERIC_WIDTH[right.kind as NumericKind] ? left : right;
    if ((left.kind === 'list' || left.kind === 'set') && left.kind === right.kind) {
        return { kind: left.kind, element: meet(left.element, right.element) };
    }
    if (left.kind === 'map' && right.kind === 'map')
        return { kind: 'map', key: meet(left.key, right.key), value: meet(left.value, right.value) };
    if (left.kind === 'string' && right.kind === 'string') return meetTexts(left, right);
    if (left.kind === right.kind) return left.kind === 'struct' && !sameType(left, right) ? { kind: 'struct' } : left;
    if (isTime(left) && isTime(right)) return { kind: 'date' };
    if (isText(left) && isText(right)) return { kind: 'json' };
    return UNKNOWN;
}

const NUMERIC_WIDTH: Record<NumericKind, number> = { int: 0, long: 1, float: 2, double: 3 };

export function sameType(left: Type, right: Type): boolean {
    if (left === right) return true;
    switch (left.kind) {
        case 'list':
        case 'set':
            return right.kind === left.kind && sameType(left.element, right.element);
        case 'map':
            return right.kind === 'map' && sameType(left.key, right.key) && sameType(left.value, right.value);
        case 'struct':
            return right.kind === 'struct' && sameFields(left.fields, right.fields);
        case 'string':
            return (
                right.kind === 'string' &&
                left.reading === right.reading &&
                sameColumn(left.numbers, right.numbers) &&
                sameColumn(left.misordered, right.misordered) &&
                sameColumn(left.empty, right.empty)
            );
        case 'mixed':
            return right.kind === 'mixed' && left.hasNumbers === right.hasNumbers && sameColumn(left.numbers, right.numbers);
        default:
            return left.kind === right.kind;
    }
}

type Fields = Extract<Type, { kind: 'struct' }>['fields'];

function sameFields(left: Fields, right: Fields): boolean {
    if (left === undefined || right === undefined) return left === right;
    return (
        left.length === right.length &&
        left.every((field, i) => {
            const other = right[i];
            return other !== undefined && field.name === other.name && sameType(field.type, other.type);
        })
    );
}

function isTime(type: Type): boolean {
    return type.kind === 'date' || type.kind === 'timestamp';
}

function isText(type: Type): boolean {
    return type.kind === 'string' || type.kind === 'json';
}

/** The type as a user writes and reads it: `int`, `list<string>`. */
export function printType(type: Type): string {
    switch (type.kind) {
        case 'list':
        case 'set':
            return type.element.kind === 'unknown' ? type.kind : `${type.kind}<${printType(type.element)}>`;
        case 'map':
            return type.key.kind === 'unknown' && type.value.kind === 'unknown'
                ? 'map'
                : `map<${printType(type.key)},${printType(type.value)}>`;
        default:
            return type.kind;
    }
}

/** Values of more than one kind may have the type. */
export function isOpen(type: Type): boolean {
    return type.kind === 'mixed' || type.kind === 'unknown';
}
