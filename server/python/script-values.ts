import type { AnswerTarget } from '#engine/contracts/answer-target.ts';
import type { ScriptParameter } from '#engine/contracts/scripts.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { setOf } from '#engine/values/set-of.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { NoFrame } from './frames.ts';

/** A value on its way to a script: JSON, and what JSON lacks as an object with one key. */
export type GivenValue = string | number | boolean | null | readonly GivenValue[] | { readonly [kind: string]: unknown };

/** The value of a parameter as the runner reads it: doubles stay floats, timestamps at midnight stay times, an unknown value is None. */
export function givenParameter(dictionary: Dictionary, { value, type }: ScriptParameter): GivenValue {
    const kind = dictionary.kind(value);
    if ((type.kind === 'double' || type.kind === 'float') && kind === 'number') return { f: dictionary.numberOf(value) };
    if (type.kind === 'timestamp' && kind !== 'null') return { time: String(dictionary.microsOf(value)) };
    return givenValue(dictionary, value);
}

function givenValue(dictionary: Dictionary, id: ValueId): GivenValue {
    const members = (): GivenValue[] => dictionary.membersOf(id).map(member => givenValue(dictionary, member));
    const kind = dictionary.kind(id);
    switch (kind) {
        case 'null':
            return null;
        case 'boolean':
            return id === 1;
        case 'number':
            if (dictionary.isInteger(id)) return { i: String(dictionary.bigintOf(id)) };
            return { f: dictionary.numberOf(id) };
        case 'string':
            return dictionary.stringOf(id);
        case 'date':
            return { day: dictionary.daysOf(id) };
        case 'timestamp':
            return { time: String(dictionary.microsOf(id)) };
        case 'list':
            return members();
        case 'set':
        case 'struct':
        case 'map':
            return { [kind]: members() };
    }
}

/** Turns what a script gives for a cell into a value of the run: None, NaN and infinities into an unknown value of its own. */
export function cellReader(dictionary: Dictionary, { freshNull }: Pick<AnswerTarget, 'freshNull'>): (value: unknown) => ValueId {
    const readAll = (values: unknown): ValueId[] => (Array.isArray(values) ? values.map(read) : refuse());
    const read = (value: unknown): ValueId => {
        switch (typeof value) {
            case 'string':
                return dictionary.string(value);
            case 'number':
                return dictionary.number(value);
            case 'boolean':
                return dictionary.boolean(value);
            case 'object':
                if (value === null) return freshNull();
                return Array.isArray(value) ? dictionary.list(value.map(read)) : readTagged(value);
            default:
                return refuse();
        }
    };
    const readTagged = (value: object): ValueId => {
        const [entry] = Object.entries(value);
        const [kind, inner] = entry ?? refuse();
        switch (kind) {
            case 'i':
                return dictionary.bigint(BigInt(inner));
            case 'day':
                return dictionary.date(inner);
            case 'time':
                return dictionary.timestamp(BigInt(inner));
            case 'set':
                return setOf(dictionary, readAll(inner));
            case 'struct':
                return dictionary.struct(readAll(inner));
            case 'map':
                return dictionary.map([...pairsOf(readAll(inner))].flat());
            default:
                return refuse();
        }
    };
    return read;
}

/** Keys that became equal on their way count once, the last of them. */
function pairsOf(members: readonly ValueId[]): Map<ValueId, ValueId> {
    const pairs = new Map<ValueId, ValueId>();
    for (let at = 0; at + 1 < members.length; at += 2) pairs.set(members[at] ?? 0, members[at + 1] ?? 0);
    return pairs;
}

function refuse(): never {
    throw new NoFrame();
}
