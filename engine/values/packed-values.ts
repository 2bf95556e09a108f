import { type Dictionary, FALSE, TRUE } from './dictionary.ts';
import type { ValueId } from './value-id.ts';

/** Values of one dictionary in the order of their ids, as another thread can take them. */
export interface PackedValues {
    /** By value: which list below has it next. */
    readonly kinds: Uint8Array;
    /** The UTF-8 of all texts, one after another, and the length of each. */
    readonly texts: Uint8Array;
    readonly lengths: Int32Array;
    /** Numbers, days and microseconds. */
    readonly numbers: Float64Array;
    /** Integers and instants beyond 2^53. */
    readonly bigints: readonly bigint[];
    /** The names of nulls without arguments. */
    readonly nulls: readonly string[];
}

const [TEXT, NUMBER, DATE, INSTANT, BIG, FAR, NULL] = [0, 1, 2, 3, 4, 5, 6] as const;

/** The values with the ids `from` to `to - 1`; undefined where a collection is among them. */
export function packValues(dictionary: Dictionary, from: ValueId, to: ValueId): PackedValues | undefined {
    const kinds = new Uint8Array(to - from);
    const numbers: number[] = [];
    const lengths: number[] = [];
    const bigints: bigint[] = [];
    const nulls: string[] = [];
    let size = 0;
    for (let id = from; id < to; id++) {
        const at = id - from;
        switch (dictionary.kind(id)) {
            case 'string': {
                const { length } = dictionary.utf8Of(id);
                lengths.push(length);
                size += length;
                break;
            }
            case 'number':
                kinds[at] = dictionary.isExactDouble(id) ? NUMBER : BIG;
                if (kinds[at] === NUMBER) numbers.push(dictionary.numberOf(id));
                else bigints.push(dictionary.bigintOf(id));
                break;
            case 'date':
                kinds[at] = DATE;
                numbers.push(dictionary.daysOf(id));
                break;
            case 'timestamp': {
                const micros = dictionary.microsOf(id);
                const isNear = Number.isSafeInteger(Number(micros));
                kinds[at] = isNear ? INSTANT : FAR;
                if (isNear) numbers.push(Number(micros));
                else bigints.push(micros);
                break;
            }
            case 'null':
                kinds[at] = NULL;
                nulls.push(dictionary.nullSourceOf(id).name);
                break;
            default:
                return undefined;
        }
    }
    const texts = new Uint8Array(size);
    for (let at = 0, end = 0; at < kinds.length; at++) {
        if (kinds[at] !== TEXT) continue;
        const text = dictionary.utf8Of(from + at);
        texts.set(text, end);
        end += text.length;
    }
    return { kinds, texts, lengths: Int32Array.from(lengths), numbers: Float64Array.from(numbers), bigints, nulls };
}

/** The buffers of packed values, which a message may take along. */
export function buffersOf({ kinds, texts, lengths, numbers }: PackedValues): ArrayBufferLike[] {
    return [kinds.buffer, texts.buffer, lengths.buffer, numbers.buffer];
}

/** Ids of one dictionary by those of another whose values come packed, in the order of the ids. */
export class TakenValues {
    readonly #dictionary: Dictionary;
    #ids: Int32Array = new Int32Array(1024);
    #count = 2;

    constructor(dictionary: Dictionary) {
        this.#dictionary = dictionary;
        this.#ids[FALSE] = FALSE;
        this.#ids[TRUE] = TRUE;
    }

    /** Takes the values that follow those taken so far; `nullOf` gives the null of a name. */
    take({ kinds, texts, lengths, numbers, bigints, nulls }: PackedValues, nullOf: (name: string) => ValueId): void {
        this.#reserve(this.#count + kinds.length);
        const dictionary = this.#dictionary;
        let [text, number, big, unknown, start] = [0, 0, 0, 0, 0];
        for (const kind of kinds) {
            let id: ValueId;
            switch (kind) {
                case TEXT: {
                    const end = start + lengths[text++]!;
                    id = dictionary.utf8(texts, start, end);
                    start = end;
                    break;
                }
                case NUMBER:
                    id = dictionary.number(numbers[number++]!);
                    break;
                case DATE:
                    id = dictionary.date(numbers[number++]!);
                    break;
                case INSTANT:
                    id = dictionary.instant(numbers[number++]!);
                    break;
                case BIG:
                    id = dictionary.bigint(bigints[big++]!);
                    break;
                case FAR:
                    id = dictionary.timestamp(bigints[big++]!);
                    break;
                default:
                    id = nullOf(nulls[unknown++]!);
            }
            this.#ids[this.#count++] = id;
        }
    }

    /** Puts the ids of this dictionary in place of those of the other; small integers are the same in both. */
    translate(column: Int32Array): void {
        const ids = this.#ids;
        for (let i = 0; i < column.length; i++) {
            const id = column[i]!;
            if (id >= 0) column[i] = ids[id]!;
        }
    }

    #reserve(count: number): void {
        if (count <= this.#ids.length) return;
        const ids = new Int32Array(Math.max(count, this.#ids.length * 2));
        ids.set(this.#ids);
        this.#ids = ids;
    }
}
