import type { Type } from '#language/program/types.ts';
import { compileLinearPattern } from '../evaluate/builtins/pattern.ts';
import { parseDate, parseTimestamp } from '../values/calendar.ts';
import { type Dictionary, smallIntegerOf } from '../values/dictionary.ts';
import { exactNumber } from '../values/order.ts';
import { type NullLabel, numberText, textOf } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { type TextSearch, textSearch } from './text-search.ts';

/** A comparison of a filter with the cells of its column. `contains`, `lacks`, `starts` and `ends` ignore letter case. */
export interface CellFilter {
    readonly column: number;
    readonly operator:
        | 'equals'
        | 'differs'
        | 'contains'
        | 'lacks'
        | 'starts'
        | 'ends'
        | 'matches'
        | 'less'
        | 'atMost'
        | 'greater'
        | 'atLeast'
        | 'unknown'
        | 'known'
        | 'missing'
        | 'labelled';
    /** The text form of a value, for `matches` a pattern that `compileLinearPattern` takes; unused for those about nulls but `labelled`, which takes a label. */
    readonly value: string;
}

/** Whether a cell that comes before, at or after a value passes. */
export const HOLDS = {
    less: (order: number): boolean => order < 0,
    atMost: (order: number): boolean => order <= 0,
    greater: (order: number): boolean => order > 0,
    atLeast: (order: number): boolean => order >= 0,
};

export type CellTest = (id: ValueId) => boolean;

/**
 * The test of a filter for cells of a type. Numbers and times are compared by value with what their filter's text says,
 * and never with other text; everything else is compared by its text, a null by its label.
 */
export function filterTest(filter: Omit<CellFilter, 'column'>, dictionary: Dictionary, type: Type, label: NullLabel): CellTest {
    const { operator, value } = filter;
    switch (operator) {
        case 'unknown':
            return id => dictionary.isNull(id);
        case 'known':
            return id => !dictionary.isNull(id);
        case 'missing':
            return id => dictionary.isNull(id) && !dictionary.isInvented(id);
        case 'labelled':
            return id => (value === '' ? dictionary.isInvented(id) : dictionary.isNull(id) && label(id) === value);
        case 'equals':
        case 'differs': {
            const order = orderTo(value, dictionary, type, label);
            const isEqual = operator === 'equals';
            return remembered(dictionary, id => (order(id) === 0) === isEqual);
        }
        case 'less':
        case 'atMost':
        case 'greater':
        case 'atLeast': {
            const order = orderTo(value, dictionary, type, label);
            const holds = HOLDS[operator];
            return remembered(dictionary, id => !dictionary.isNull(id) && holds(order(id)));
        }
        case 'contains':
            return searchTest(textSearch(value, 'anywhere'), dictionary, type, label);
        case 'lacks': {
            const contains = searchTest(textSearch(value, 'anywhere'), dictionary, type, label);
            return id => !contains(id);
        }
        case 'starts':
            return searchTest(textSearch(value, 'start'), dictionary, type, label);
        case 'ends':
            return searchTest(textSearch(value, 'end'), dictionary, type, label);
        case 'matches': {
            const pattern = compileLinearPattern(value);
            if (!pattern.ok) throw new RangeError(pattern.reason);
            return remembered(dictionary, id => pattern.matches(textOf(dictionary, id, type, label)));
        }
    }
}

/** The test of a search for cells of a type. */
export function searchTest(search: TextSearch, dictionary: Dictionary, type: Type, label: NullLabel): CellTest {
    const hasPoint = type.kind === 'double' || type.kind === 'float';
    return remembered(dictionary, id => {
        if (id < 0 && !hasPoint) return search.mayBeNumber && search.in(String(smallIntegerOf(id)));
        switch (dictionary.kind(id)) {
            case 'string':
                return search.inUtf8(dictionary.utf8Of(id));
            case 'number':
                return search.mayBeNumber && search.in(numberText(dictionary, id, type));
            default:
                return search.in(textOf(dictionary, id, type, label));
        }
    });
}

/** Negative, zero or positive as a cell comes before, equals or comes after a value written as text; NaN for neither. */
function orderTo(text: string, dictionary: Dictionary, type: Type, label: NullLabel): (id: ValueId) => number {
    const number = numberIn(text);
    const micros = microsIn(text);
    const bytes = new TextEncoder().encode(text);
    return id => {
        switch (dictionary.kind(id)) {
            case 'number':
                return number === undefined ? Number.NaN : compare(exactNumber(dictionary, id), number);
            case 'date':
            case 'timestamp':
                return micros === undefined ? Number.NaN : compare(dictionary.microsOf(id), micros);
            case 'string':
                return compareBytes(dictionary.utf8Of(id), bytes);
            default:
                return compare(textOf(dictionary, id, type, label), text);
        }
    };
}

function compare<T extends number | bigint | string>(left: T, right: T): number {
    return left < right ? -1 : left > right ? 1 : 0;
}

function numberIn(text: string): number | bigint | undefined {
    const trimmed = text.trim();
    if (/^[-+]?\d{1,40}$/.test(trimmed)) return BigInt(trimmed.replace(/^\+/, ''));
    const value = trimmed === '' ? Number.NaN : Number(trimmed);
    return Number.isFinite(value) ? value : undefined;
}

function microsIn(text: string): bigint | undefined {
    const days = parseDate(text.trim());
    return days === undefined ? parseTimestamp(text.trim()) : BigInt(days) * 86_400_000_000n;
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
    const shorter = Math.min(left.length, right.length);
    for (let i = 0; i < shorter; i++) {
        const difference = left[i]! - right[i]!;
        if (difference !== 0) return difference;
    }
    return left.length - right.length;
}

const YES = 1;
const NO = 2;
const SLOTS = 1 << 16;

/** The same test, asked once per value: always for entries of the dictionary, mostly for small integers. */
function remembered(dictionary: Dictionary, test: CellTest): CellTest {
    const entries = new Uint8Array(dictionary.size);
    const tags = new Int32Array(SLOTS);
    const answers = new Uint8Array(SLOTS);
    return id => {
        if (id >= 0) {
            if (entries[id] === 0) entries[id] = test(id) ? YES : NO;
            return entries[id] === YES;
        }
        const slot = id & (SLOTS - 1);
        if (tags[slot] !== id) {
            tags[slot] = id;
            answers[slot] = test(id) ? YES : NO;
        }
        return answers[slot] === YES;
    };
}
