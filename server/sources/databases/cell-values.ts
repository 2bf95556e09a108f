import { daysOfDate } from '#engine/values/calendar.ts';
import { castText, castValue } from '#engine/values/cast.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { fromJson, numberOfJson } from '#engine/values/from-json.ts';
import { readJson } from '#engine/values/json.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { type ArrayItem, arrayItems } from './array-text.ts';
import { type CellForm, type Field, typeOfForm } from './session.ts';

/** The value of the text of a cell; undefined where it cannot be read as the type of its column. */
export type CellReader = (text: string) => ValueId | undefined;

/** Reads the cells of a field into a column; `absent` gives a null where the text has one inside. */
export function cellReader(field: Field, column: Column, dictionary: Dictionary, absent: () => ValueId): CellReader {
    const { form } = field;
    const read = formReader(form, dictionary, absent);
    const { type, cast } = column;
    if (!cast || type.kind === 'mixed' || type.kind === 'unknown') return read;
    if (type.kind === 'string' || type.kind === 'json') {
        // Numbers keep their digits, and JSON its form.
        if (form.kind === 'integer' || form.kind === 'decimal' || form.kind === 'text' || form.kind === 'json')
            return text => dictionary.string(text);
    }
    if (isNumber(type) && (form.kind === 'integer' || form.kind === 'decimal')) return text => castText(dictionary, text, type);
    if (form.kind === 'json') return text => jsonValue(text, type, dictionary, absent);
    if (form.kind === 'text' && !isCollection(type)) return text => castText(dictionary, text, type);
    const from = typeOfForm(field) ?? MIXED;
    return text => {
        const value = read(text);
        return value === undefined ? undefined : castValue(dictionary, value, type, from);
    };
}

function isNumber({ kind }: Type): boolean {
    return kind === 'int' || kind === 'long' || kind === 'double' || kind === 'float';
}

function isCollection({ kind }: Type): boolean {
    return kind === 'list' || kind === 'set' || kind === 'map' || kind === 'struct';
}

/** The most digits of which a double surely holds all. */
const DIGITS_EXACT = 15;

function formReader(form: CellForm, dictionary: Dictionary, absent: () => ValueId): CellReader {
    switch (form.kind) {
        case 'integer':
            return text => {
                const value = text.length <= DIGITS_EXACT ? Number(text) : Number.NaN;
                return Number.isInteger(value) ? dictionary.number(value) : castText(dictionary, text, { kind: 'long' });
            };
        case 'decimal':
            return text => {
                const value = text.length <= DIGITS_EXACT ? Number(text) : Number.NaN;
                return Number.isFinite(value) ? dictionary.number(value) : numberOfJson(dictionary, text);
            };
        case 'text':
            return text => dictionary.string(text);
        case 'boolean':
            return text => {
                const value = TRUTH.get(text);
                return value === undefined ? undefined : dictionary.boolean(value);
            };
        case 'date':
            return text => {
                const days = daysOf(text);
                return days === undefined ? undefined : dictionary.date(days);
            };
        case 'timestamp':
            return text => {
                const micros = microsOf(text);
                return micros === undefined ? undefined : dictionary.timestamp(micros);
            };
        case 'json':
            return text => jsonValue(text, MIXED, dictionary, absent);
        case 'array': {
            const element = formReader(form.element, dictionary, absent);
            return text => {
                const items = arrayItems(text);
                return items && listOf(items, element, dictionary, absent);
            };
        }
        case 'none':
            return () => undefined;
    }
}

const TRUTH: ReadonlyMap<string, boolean> = new Map([
    ['t', true],
    ['f', false],
    ['1', true],
    ['0', false],
]);

const MICROS_PER_DAY = 86_400_000_000n;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/u;
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:\+00)?$/u;

/** Databases know years of more than four digits, and years before the first, which are none of the calendar. */
function daysOf(text: string): number | undefined {
    const [, year, month, day] = DATE.exec(text) ?? [];
    return year === undefined || Number(year) === 0 ? undefined : daysOfDate(Number(year), Number(month), Number(day));
}

function microsOf(text: string): bigint | undefined {
    const [, date, hours, minutes, seconds, fraction = ''] = TIMESTAMP.exec(text) ?? [];
    const days = date === undefined ? undefined : daysOf(date);
    if (days === undefined) return undefined;
    const ofDay = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return BigInt(days) * MICROS_PER_DAY + BigInt(ofDay) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

function jsonValue(text: string, type: Type, dictionary: Dictionary, absent: () => ValueId): ValueId | undefined {
    const json = readJson(text);
    if (json === undefined) return undefined;
    let isReadable = true;
    const value = fromJson(dictionary, json, type, {
        absent,
        unreadable: () => {
            isReadable = false;
            return absent();
        },
    });
    return isReadable ? value : undefined;
}

function listOf(items: readonly ArrayItem[], element: CellReader, dictionary: Dictionary, absent: () => ValueId): ValueId | undefined {
    const values: ValueId[] = [];
    for (const item of items) {
        const value = item === null ? absent() : typeof item === 'string' ? element(item) : listOf(item, element, dictionary, absent);
        if (value === undefined) return undefined;
        values.push(value);
    }
    return dictionary.list(values);
}
