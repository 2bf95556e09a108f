import { type Dictionary, smallIntegerOf } from '../values/dictionary.ts';
import type { NullSource } from '../values/null-store.ts';
import { compareNullSources, RANKS } from '../values/order.ts';
import type { ValueId } from '../values/value-id.ts';

/** 64 bits per row that order the rows as their values do, as far as they differ: equal bits may hide different values. */
export interface ColumnKeys {
    readonly high: Uint32Array;
    readonly low: Uint32Array;
    /** The keys hold the bytes of strings up to this one. */
    readonly textTo: number;
}

/** The first bits of a key are the rank of the value's kind; then come seven bytes of a string, the front of a double, or the source of a null. */
const RANK_SHIFT = 28;
/** Nulls that nothing invented come after the others, in the order of their ids. */
const LAST_SOURCE = 0x0fffffff;
const TEXT_BYTES = 7;
const MICROS_PER_DAY = 86_400_000_000;

/** Keys of the values of these rows. The caller knows that their strings are equal before the byte `textFrom`. */
export function columnKeys(dictionary: Dictionary, column: Int32Array, rows: Int32Array, textFrom: number): ColumnKeys {
    const high = new Uint32Array(rows.length);
    const low = new Uint32Array(rows.length);
    const from = textFrom + commonText(dictionary, column, rows, textFrom);
    let sources: ReadonlyMap<NullSource, number> | undefined;
    const double = new Float64Array(1);
    const words = new Uint32Array(double.buffer);
    const setNumber = (i: number, rank: number, value: number): void => {
        double[0] = value;
        // Of a negative double all bits are turned, of another one the sign: then their order is that of unsigned integers.
        const turned = words[1]! >>> 31 === 1;
        const front = (turned ? ~words[1]! : words[1]! | 0x80000000) >>> 0;
        const back = (turned ? ~words[0]! : words[0]!) >>> 0;
        high[i] = (rank << RANK_SHIFT) | (front >>> 4);
        low[i] = (front << RANK_SHIFT) | (back >>> 4);
    };
    for (let i = 0; i < rows.length; i++) {
        const id = column[rows[i]!]!;
        const kind = dictionary.kind(id);
        const rank = RANKS[kind];
        switch (kind) {
            case 'number':
                setNumber(i, rank, id < 0 ? smallIntegerOf(id) : dictionary.numberOf(id));
                break;
            case 'date':
                setNumber(i, rank, dictionary.daysOf(id) * MICROS_PER_DAY);
                break;
            case 'timestamp':
                setNumber(i, rank, Number(dictionary.microsOf(id)));
                break;
            case 'string': {
                const bytes = dictionary.utf8Of(id);
                const at = (offset: number): number => bytes[from + offset] ?? 0;
                high[i] = (rank << RANK_SHIFT) | (at(0) << 20) | (at(1) << 12) | (at(2) << 4) | (at(3) >>> 4);
                low[i] = (at(3) << 28) | (at(4) << 20) | (at(5) << 12) | (at(6) << 4);
                break;
            }
            case 'null': {
                const source = dictionary.nullSourceOf(id);
                sources ??= nullSources(dictionary, column, rows);
                high[i] = (rank << RANK_SHIFT) | (sources.get(source) ?? LAST_SOURCE);
                if (!source.invented) low[i] = id;
                break;
            }
            case 'boolean':
                high[i] = rank << RANK_SHIFT;
                low[i] = id;
                break;
            default:
                high[i] = rank << RANK_SHIFT;
        }
    }
    return { high, low, textTo: from + TEXT_BYTES };
}

/** The sources that invent nulls of these rows, by their place in the order of nulls. */
function nullSources(dictionary: Dictionary, column: Int32Array, rows: Int32Array): ReadonlyMap<NullSource, number> {
    const found = new Set<NullSource>();
    for (let i = 0; i < rows.length; i++) {
        const id = column[rows[i]!]!;
        if (dictionary.isInvented(id)) found.add(dictionary.nullSourceOf(id));
    }
    return new Map([...found].sort(compareNullSources).map((source, place) => [source, place]));
}

/** How many bytes after `from` all strings of these rows have in common. */
function commonText(dictionary: Dictionary, column: Int32Array, rows: Int32Array, from: number): number {
    let first: Uint8Array | undefined;
    let common = 0;
    let seen: ValueId | undefined;
    for (let i = 0; i < rows.length; i++) {
        const id = column[rows[i]!]!;
        if (id === seen || dictionary.kind(id) !== 'string') continue;
        seen = id;
        const bytes = dictionary.utf8Of(id);
        if (first === undefined) {
            first = bytes;
            common = Math.max(0, bytes.length - from);
            continue;
        }
        let same = 0;
        while (same < common && bytes[from + same] === first[from + same]) same++;
        common = same;
        if (common === 0) break;
    }
    return common;
}
