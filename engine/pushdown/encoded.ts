import type { ColumnKind, Dialect } from '../contracts/compute.ts';
import { dateText, timestampText } from '../values/calendar.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';

/** An expression of SQL and the kind of its values. It is never NULL. */
export interface SqlValue {
    readonly sql: string;
    readonly kind: ColumnKind;
}

/**
 * A value of the language in SQL: as a value of the engine, as its number in the dictionary of the run, or as both. Numbers are there for
 * values of any type, unknown ones too, and equal values have the same one; what is computed at the engine has a value alone.
 */
export interface Encoded {
    readonly value?: SqlValue | undefined;
    readonly id?: string | undefined;
}

/** A number as a double; exact for those of kind `int`. */
export function asDouble({ sql, kind }: SqlValue, { types }: Dialect): string {
    return kind === 'double' ? sql : `CAST(${sql} AS ${types.double})`;
}

/** An integer as one of 64 bits. */
export function asLong({ sql, kind }: SqlValue, { types }: Dialect): string {
    return kind === 'long' ? sql : `CAST(${sql} AS ${types.long})`;
}

/** A value of the dictionary; its numbers need no type, since they are compared with numbers alone. */
export function encoded(dictionary: Dictionary, id: ValueId, dialect: Dialect): Encoded {
    const value = literal(dictionary, id, dialect);
    return { id: String(id), ...(value && { value }) };
}

/** Literals have a type, which engines would else choose by the text. Some engines have no texts with U+0000. */
function literal(dictionary: Dictionary, id: ValueId, { text, types }: Dialect): SqlValue | undefined {
    const cast = (written: string, kind: ColumnKind): SqlValue => ({ sql: `CAST(${text(written)} AS ${types[kind]})`, kind });
    switch (dictionary.kind(id)) {
        case 'string': {
            const written = dictionary.stringOf(id);
            return written.includes('\0') ? undefined : { sql: text(written), kind: 'string' };
        }
        case 'number': {
            const kind = (['int', 'long', 'double'] as const).find(one => isOfKind(one, dictionary, id));
            if (kind === undefined) return undefined;
            return cast(kind === 'double' ? String(dictionary.numberOf(id)) : String(dictionary.bigintOf(id)), kind);
        }
        case 'boolean':
            return { sql: id === 1 ? 'TRUE' : 'FALSE', kind: 'boolean' };
        case 'date':
            return cast(dateText(dictionary.daysOf(id)), 'date');
        case 'timestamp':
            return cast(timestampText(dictionary.microsOf(id)), 'timestamp');
        default:
            return undefined;
    }
}

/** Whether a value is one of a column's kind; types say it, but not of unknown values. */
export function isOfKind(kind: ColumnKind, dictionary: Dictionary, id: ValueId): boolean {
    if (id < 0) return kind === 'int' || kind === 'long' || kind === 'double';
    switch (kind) {
        case 'int':
            return isWhole(dictionary, id) && isWithin(dictionary.numberOf(id), 2 ** 31);
        case 'long':
            return isWhole(dictionary, id) && isWithin(dictionary.bigintOf(id), 2n ** 63n);
        case 'double':
            return dictionary.isNumber(id) && dictionary.isExactDouble(id);
        case 'timestamp':
            // A day is the moment at which it begins.
            return dictionary.kind(id) === 'timestamp' || dictionary.kind(id) === 'date';
        default:
            return dictionary.kind(id) === kind;
    }
}

function isWhole(dictionary: Dictionary, id: ValueId): boolean {
    return dictionary.isNumber(id) && dictionary.isInteger(id);
}

function isWithin<N extends number | bigint>(value: N, end: N): boolean {
    return value >= -end && value < end;
}
