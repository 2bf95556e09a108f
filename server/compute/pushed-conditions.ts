import type { ValueTest } from '#engine/plan/plan.ts';
import type { SourceCondition, SourceNeeds } from '#engine/sources/source.ts';
import { dateText, timestampText } from '#engine/values/calendar.ts';
import { type Dictionary, TRUE } from '#engine/values/dictionary.ts';
import { exactNumber } from '#engine/values/order.ts';

/** How the values of a column are compared in a query. */
export interface ComparedColumn {
    /** The column as it stands in the query. */
    readonly text: string;
    readonly kind: ComparedKind;
    /** As it is ordered by its bytes in UTF-8; texts are compared for equality alone where it is absent. */
    readonly ordered?: string;
    /** Texts with other signs than those of ASCII may be none in the encoding of the column. */
    readonly onlyAscii?: true;
    /** No value but NULL is read as an unknown one. */
    readonly readsAll: boolean;
}

/** `about` are numbers of which the run sees a rounded one. */
export type ComparedKind = 'integer' | 'double' | 'about' | 'text' | 'boolean' | 'date' | 'timestamp';

/** Writes a value, given as text, into a query: as a parameter, with its cast. */
export type BoundValue = (text: string, kind: ComparedKind) => string;

/**
 * The condition of a query that lets all rows pass which may be needed, and perhaps others: comparisons that mean something else to the
 * database, or cannot fail, are left out. Undefined where that leaves nothing.
 */
export function pushedConditions(
    { rows }: SourceNeeds,
    columnOf: (column: number) => ComparedColumn | undefined,
    bound: BoundValue,
    dictionary: Dictionary,
): string | undefined {
    const lists = rows?.map(conditions =>
        conditions.flatMap(condition => {
            const column = columnOf(condition.column);
            return column === undefined ? [] : (conditionText(condition, column, bound, dictionary) ?? []);
        }),
    );
    if (lists === undefined || lists.some(list => list.length === 0)) return undefined;
    return lists.map(list => `(${list.join(' AND ')})`).join(' OR ');
}

function conditionText(condition: SourceCondition, column: ComparedColumn, bound: BoundValue, dictionary: Dictionary): string | undefined {
    if (!('value' in condition)) {
        if (condition.test === 'is not null') return `${column.text} IS NOT NULL`;
        return column.readsAll ? `${column.text} IS NULL` : undefined;
    }
    const { test, value } = condition;
    const kind = dictionary.kind(value);
    const compared = (sign: string, text: string, side = column.text): string => `${side} ${sign} ${bound(text, column.kind)}`;
    switch (column.kind) {
        case 'integer':
            return kind === 'number' ? integerText(test, exactNumber(dictionary, value), compared) : undefined;
        case 'double':
            return kind === 'number' && dictionary.isExactDouble(value)
                ? compared(SIGNS[test], String(dictionary.numberOf(value)))
                : undefined;
        case 'about': {
            if (kind !== 'number') return undefined;
            const about = dictionary.numberOf(value);
            const slack = Math.abs(about) * RELATIVE + Number.MIN_VALUE;
            return within(test, about - slack, about + slack, end => (Number.isFinite(end) ? String(end) : undefined), compared);
        }
        case 'text': {
            const text = kind === 'string' ? dictionary.stringOf(value) : undefined;
            if (text === undefined || text.includes('\0') || /\p{Surrogate}/u.test(text)) return undefined;
            if (column.onlyAscii && /\P{ASCII}/u.test(text)) return undefined;
            if (test === '=') return compared('=', text);
            return column.ordered === undefined ? undefined : compared(SIGNS[test], text, column.ordered);
        }
        case 'boolean':
            return kind === 'boolean' && test === '=' ? compared('=', value === TRUE ? '1' : '0') : undefined;
        case 'date': {
            const text = kind === 'date' ? dateText(dictionary.daysOf(value)) : undefined;
            return text !== undefined && isPlain(text) ? compared(SIGNS[test], text) : undefined;
        }
        case 'timestamp': {
            if (kind !== 'timestamp' && (kind !== 'date' || test === '=')) return undefined;
            const micros = dictionary.microsOf(value);
            const text = (end: bigint): string | undefined => [timestampText(end)].find(isPlain);
            return within(test, micros - SECOND, micros + SECOND, text, compared);
        }
    }
}

type Compared = (sign: string, text: string) => string;

const SIGNS: Readonly<Record<ValueTest, string>> = { '=': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' };

/** More than what rounding to a double changes. */
const RELATIVE = 2 ** -50;
/** Databases round to parts of a second, in microseconds. */
const SECOND = 1_000_000n;

/** Years of four digits, which all databases know. */
function isPlain(text: string): boolean {
    return /^[1-9]\d{3}-/u.test(text);
}

/** A number with a fraction lies between two integers. */
function integerText(test: ValueTest, value: number | bigint, compared: Compared): string | undefined {
    if (typeof value === 'number' && !Number.isInteger(value)) {
        if (test === '=' || test === '!=' || !Number.isFinite(value)) return undefined;
        return test === '<' || test === '<='
            ? integerText('<=', Math.floor(value), compared)
            : integerText('>=', Math.ceil(value), compared);
    }
    const whole = BigInt(value);
    return BigInt.asIntN(64, whole) === whole ? compared(SIGNS[test], String(whole)) : undefined;
}

/** A comparison with a value that lies between two ends. */
function within<T>(test: ValueTest, from: T, to: T, textOf: (end: T) => string | undefined, compared: Compared): string | undefined {
    const [least, most] = [textOf(from), textOf(to)];
    if (least === undefined || most === undefined) return undefined;
    switch (test) {
        case '=':
            return `${compared('>=', least)} AND ${compared('<=', most)}`;
        case '!=':
            return undefined;
        case '<':
        case '<=':
            return compared('<=', most);
        case '>':
        case '>=':
            return compared('>=', least);
    }
}
