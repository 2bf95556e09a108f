import { compileLinearPattern } from '#engine/evaluate/builtins/pattern.ts';
import { HOLDS } from '#engine/results/cell-tests.ts';
import { parseDate, parseTimestamp } from '#engine/values/calendar.ts';
import type { RowFilter } from '#server/protocol/runs.ts';
import { KIND, type NullName, nullNumber, OrderedWriter, orderedValueJson } from './ordered-value.ts';

/** A comparison of a filter with the values of its column. */
export type ValueFilter = RowFilter;

/** Asks the bytes of a value. */
export type ValueTest = (bytes: Uint8Array) => boolean;

/** Bytes of numbers and times that tell the value and not how it is written. */
const NUMBER_BYTES = 11;
const TIME_BYTES = 9;
const MICROS_PER_DAY = 86_400_000_000n;
const LONGEST = 1n << 63n;

/**
 * The test of a filter. Numbers and times are compared by value with what the text of the filter says, and never with other text; everything
 * else is compared by its text. Labelled nulls and missing values are unknown, and pass no test but those about nulls, `differs` and `lacks`.
 */
export function valueTest({ operator, value }: Omit<ValueFilter, 'column'>): ValueTest {
    switch (operator) {
        case 'unknown':
            return isUnknown;
        case 'known':
            return bytes => !isUnknown(bytes);
        case 'missing':
            return ([kind]) => kind === KIND.missing;
        case 'labelled':
            return bytes => bytes[0] === KIND.null && (value === '' || orderedValueJson(bytes, nullLabel) === JSON.stringify(value));
        case 'equals':
        case 'differs': {
            const order = orderTo(value);
            return bytes => (order(bytes) === 0) === (operator === 'equals');
        }
        case 'less':
        case 'atMost':
        case 'greater':
        case 'atLeast': {
            const order = orderTo(value);
            const holds = HOLDS[operator];
            return bytes => holds(order(bytes));
        }
        case 'contains':
            return containing(value);
        case 'lacks': {
            const contains = containing(value);
            return bytes => !contains(bytes);
        }
        case 'starts': {
            const sought = value.toLowerCase();
            return bytes => textOf(bytes)?.toLowerCase().startsWith(sought) ?? false;
        }
        case 'ends': {
            const sought = value.toLowerCase();
            return bytes => textOf(bytes)?.toLowerCase().endsWith(sought) ?? false;
        }
        case 'matches': {
            const pattern = compileLinearPattern(value);
            if (!pattern.ok) throw new RangeError(pattern.reason);
            return bytes => {
                const text = textOf(bytes);
                return text !== undefined && pattern.matches(text);
            };
        }
    }
}

/** As views show nulls. */
const nullLabel: NullName = number => `z${number}`;

/** Whether the text of a value has another one in it, letter case ignored. */
export function containing(text: string): ValueTest {
    const sought = text.toLowerCase();
    return bytes => textOf(bytes)?.toLowerCase().includes(sought) ?? false;
}

function isUnknown([kind]: Uint8Array): boolean {
    return kind === KIND.null || kind === KIND.missing;
}

/** Returns a text itself, and the JSON of any other value as a parser would write it again. */
function textOf(bytes: Uint8Array): string | undefined {
    if (isUnknown(bytes)) return undefined;
    const json = orderedValueJson(bytes, nullNumber);
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Negative, zero or positive as a value comes before, equals or comes after one written as text; NaN for neither. */
function orderTo(text: string): (bytes: Uint8Array) => number {
    const number = written(writer => writeNumber(writer, text.trim()))?.subarray(0, NUMBER_BYTES);
    const time = written(writer => writeTime(writer, text.trim()))?.subarray(0, TIME_BYTES);
    return bytes => {
        switch (bytes[0]) {
            case KIND.number:
                return number === undefined ? Number.NaN : Buffer.compare(bytes.subarray(0, NUMBER_BYTES), number);
            case KIND.time:
                return time === undefined ? Number.NaN : Buffer.compare(bytes.subarray(0, TIME_BYTES), time);
            default: {
                const own = textOf(bytes);
                return own === undefined ? Number.NaN : Buffer.compare(Buffer.from(own), Buffer.from(text));
            }
        }
    };
}

function written(write: (writer: OrderedWriter) => boolean): Uint8Array | undefined {
    const writer = new OrderedWriter();
    return write(writer) ? writer.taken() : undefined;
}

function writeNumber(writer: OrderedWriter, text: string): boolean {
    const whole = /^[-+]?\d{1,19}$/u.test(text) ? BigInt(text.replace(/^\+/u, '')) : undefined;
    const value = text === '' ? Number.NaN : Number(text);
    if (!Number.isFinite(value)) return false;
    if (whole !== undefined && whole < LONGEST && whole >= -LONGEST) writer.integer(whole);
    else writer.double(value);
    return true;
}

function writeTime(writer: OrderedWriter, text: string): boolean {
    const days = parseDate(text);
    const micros = days === undefined ? parseTimestamp(text) : BigInt(days) * MICROS_PER_DAY;
    if (micros === undefined) return false;
    writer.timestamp(micros);
    return true;
}
