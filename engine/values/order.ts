import type { Dictionary, ValueKind } from './dictionary.ts';
import type { NullSource } from './null-store.ts';
import type { ValueId } from './value-id.ts';

/** Values of one class can be compared in conditions (3.4). */
export type ComparisonClass = 'number' | 'string' | 'boolean' | 'time' | 'list' | 'set' | 'map' | 'struct' | 'null';

export function comparisonClass(dictionary: Dictionary, id: ValueId): ComparisonClass {
    const kind = dictionary.kind(id);
    return kind === 'date' || kind === 'timestamp' ? 'time' : kind;
}

/** How values of different kinds are ordered. */
export const RANKS: Record<ValueKind, number> = {
    boolean: 0,
    number: 1,
    date: 2,
    timestamp: 2,
    string: 3,
    list: 4,
    set: 5,
    struct: 6,
    map: 7,
    null: 8,
};

/** The total order of 3.4 over all values: negative, zero or positive. It is for determinism; conditions follow D-16 and D-20. */
export function compareValues(dictionary: Dictionary, left: ValueId, right: ValueId): number {
    if (left === right) return 0;
    if (left < 0 && right < 0) return left - right;
    const kind = dictionary.kind(left);
    const ranks = RANKS[kind] - RANKS[dictionary.kind(right)];
    if (ranks !== 0) return ranks;
    switch (kind) {
        case 'boolean':
            return left - right;
        case 'number':
            return compareNumbers(dictionary, left, right);
        case 'date':
        case 'timestamp':
            return dictionary.microsOf(left) < dictionary.microsOf(right) ? -1 : 1;
        case 'string':
            return dictionary.compareStrings(left, right);
        case 'list':
        case 'set':
        case 'struct':
        case 'map':
            return compareMembers(dictionary, dictionary.membersOf(left), dictionary.membersOf(right));
        case 'null':
            return compareNulls(dictionary, left, right);
    }
}

/** Compares two number ids by mathematical value. */
export function compareNumbers(dictionary: Dictionary, left: ValueId, right: ValueId): number {
    if (left === right) return 0;
    if (dictionary.isExactDouble(left) && dictionary.isExactDouble(right)) {
        return dictionary.numberOf(left) < dictionary.numberOf(right) ? -1 : 1;
    }
    const a = exactNumber(dictionary, left);
    const b = exactNumber(dictionary, right);
    return a < b ? -1 : 1;
}

export function exactNumber(dictionary: Dictionary, id: ValueId): number | bigint {
    return dictionary.isExactDouble(id) ? dictionary.numberOf(id) : dictionary.bigintOf(id);
}

function compareMembers(dictionary: Dictionary, left: ArrayLike<ValueId>, right: ArrayLike<ValueId>): number {
    const length = Math.min(left.length, right.length);
    for (let i = 0; i < length; i++) {
        const order = compareValues(dictionary, left[i]!, right[i]!);
        if (order !== 0) return order;
    }
    return left.length - right.length;
}

/** Invented ones by rule, variable and frontier values, then by Skolem term; the others by their first appearance. */
function compareNulls(dictionary: Dictionary, left: ValueId, right: ValueId): number {
    const a = dictionary.nullSourceOf(left);
    const b = dictionary.nullSourceOf(right);
    if (!a.invented && !b.invented) return left - right;
    return compareNullSources(a, b) || compareMembers(dictionary, dictionary.nullArgumentsOf(left), dictionary.nullArgumentsOf(right));
}

/** The order of nulls that two sources invent. */
export function compareNullSources(left: NullSource, right: NullSource): number {
    if (left.invented !== right.invented) return left.invented ? -1 : 1;
    const rules = (left.rule ?? Number.MAX_SAFE_INTEGER) - (right.rule ?? Number.MAX_SAFE_INTEGER);
    if (rules !== 0) return rules;
    return left.name === right.name ? 0 : left.name < right.name ? -1 : 1;
}
