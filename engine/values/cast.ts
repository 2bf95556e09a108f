import type { Type } from '#language/program/types.ts';
import { parseDate, parseTimestamp } from './calendar.ts';
import { castCollection } from './cast-collection.ts';
import type { Dictionary } from './dictionary.ts';
import { textOf } from './text.ts';
import type { ValueId } from './value-id.ts';

const INT_MIN = -(2n ** 31n);
const INT_MAX = 2n ** 31n - 1n;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const TRUE_WORDS = new Set(['true', 't', 'yes', 'y', '1']);
const FALSE_WORDS = new Set(['false', 'f', 'no', 'n', '0']);

/**
 * The value converted to a type: unchanged where it has the type, else as by the `as_…` function of that name (6.7,
 * 8.4); undefined where there is no such value. A labelled null belongs to every type. `from` is the static type of
 * the value, which decides how a number reads as text.
 */
export function castValue(dictionary: Dictionary, id: ValueId, to: Type, from: Type): ValueId | undefined {
    const kind = dictionary.kind(id);
    if (kind === 'null') return id;
    switch (to.kind) {
        case 'unknown':
        case 'mixed':
            return id;
        case 'string':
        case 'json':
            return kind === 'string' ? id : dictionary.string(textOf(dictionary, id, from, String));
        case 'int':
        case 'long':
            return castInteger(dictionary, id, to.kind);
        case 'double':
        case 'float':
            return castDouble(dictionary, id, to.kind);
        case 'boolean':
            return castBoolean(dictionary, id);
        case 'date':
            if (kind === 'date') return id;
            if (kind === 'timestamp') return dictionary.date(dictionary.daysOf(id));
            return kind === 'string' ? castText(dictionary, dictionary.stringOf(id), to) : undefined;
        case 'timestamp':
            if (kind === 'date' || kind === 'timestamp') return id;
            return kind === 'string' ? castText(dictionary, dictionary.stringOf(id), to) : undefined;
        case 'list':
        case 'set':
        case 'map':
        case 'struct':
            return castCollection(dictionary, id, to, from);
    }
}

/** As `castValue` for a string that is not in the dictionary yet. White space around it counts only for strings. */
export function castText(dictionary: Dictionary, text: string, to: Type): ValueId | undefined {
    switch (to.kind) {
        case 'string':
        case 'json':
        case 'unknown':
        case 'mixed':
            return dictionary.string(text);
        case 'int':
        case 'long':
            return integerOfText(dictionary, text.trim(), to.kind);
        case 'double':
        case 'float':
            return doubleOfText(dictionary, text.trim(), to.kind);
        case 'boolean': {
            const word = text.trim().toLowerCase();
            return TRUE_WORDS.has(word) || FALSE_WORDS.has(word) ? dictionary.boolean(TRUE_WORDS.has(word)) : undefined;
        }
        case 'date': {
            const days = parseDate(text.trim());
            return days === undefined ? undefined : dictionary.date(days);
        }
        case 'timestamp': {
            const micros = parseTimestamp(text.trim());
            return micros === undefined ? undefined : dictionary.timestamp(micros);
        }
        case 'list':
        case 'set':
        case 'map':
        case 'struct':
            return undefined;
    }
}

function castInteger(dictionary: Dictionary, id: ValueId, to: 'int' | 'long'): ValueId | undefined {
    switch (dictionary.kind(id)) {
        case 'number':
            if (id < 0) return id;
            return fitting(dictionary, dictionary.isInteger(id) ? dictionary.bigintOf(id) : truncated(dictionary.numberOf(id)), to);
        case 'string':
            return integerOfText(dictionary, dictionary.stringOf(id).trim(), to);
        case 'boolean':
            return dictionary.number(id);
        default:
            return undefined;
    }
}

function castDouble(dictionary: Dictionary, id: ValueId, to: 'double' | 'float'): ValueId | undefined {
    switch (dictionary.kind(id)) {
        case 'number':
            return id < 0 && to === 'double' ? id : rounded(dictionary, dictionary.numberOf(id), to);
        case 'string':
            return doubleOfText(dictionary, dictionary.stringOf(id).trim(), to);
        case 'boolean':
            return dictionary.number(id);
        default:
            return undefined;
    }
}

function castBoolean(dictionary: Dictionary, id: ValueId): ValueId | undefined {
    switch (dictionary.kind(id)) {
        case 'boolean':
            return id;
        case 'number':
            return dictionary.boolean(dictionary.numberOf(id) !== 0);
        case 'string':
            return castText(dictionary, dictionary.stringOf(id), { kind: 'boolean' });
        default:
            return undefined;
    }
}

function integerOfText(dictionary: Dictionary, text: string, to: 'int' | 'long'): ValueId | undefined {
    if (INTEGER.test(text)) return fitting(dictionary, BigInt(text.startsWith('+') ? text.slice(1) : text), to);
    return DECIMAL.test(text) ? fitting(dictionary, wholePart(text), to) : undefined;
}

/** Returns the part before the point of a decimal number, exactly; undefined if it is beyond all integers. */
function wholePart(text: string): bigint | undefined {
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL_PARTS.exec(text) ?? [];
    const digits = whole + fraction;
    const significant = digits.replace(/^0+/u, '');
    // How many of the significant digits stand before the point.
    const count = whole.length + Number(exponent) - (digits.length - significant.length);
    if (significant === '' || count <= 0) return 0n;
    return count > MOST_DIGITS ? undefined : BigInt(`${sign === '-' ? '-' : ''}${significant.slice(0, count).padEnd(count, '0')}`);
}

const DECIMAL_PARTS = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/iu;
/** Digits of the greatest integers. */
const MOST_DIGITS = 19;

function doubleOfText(dictionary: Dictionary, text: string, to: 'double' | 'float'): ValueId | undefined {
    return DECIMAL.test(text) ? rounded(dictionary, Number(text), to) : undefined;
}

function truncated(value: number): bigint | undefined {
    return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
}

function fitting(dictionary: Dictionary, value: bigint | undefined, to: 'int' | 'long'): ValueId | undefined {
    if (value === undefined) return undefined;
    const fits = to === 'int' ? value >= INT_MIN && value <= INT_MAX : value >= LONG_MIN && value <= LONG_MAX;
    return fits ? dictionary.bigint(value) : undefined;
}

function rounded(dictionary: Dictionary, value: number, to: 'double' | 'float'): ValueId | undefined {
    const stored = to === 'float' ? Math.fround(value) : value;
    return Number.isFinite(stored) ? dictionary.number(stored) : undefined;
}
