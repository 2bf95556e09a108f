import type { Dictionary, ValueKind } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Type } from '#language/program/types.ts';

/** The type of a column; where its values are of several classes, what they have in common. */
export function knownType(type: Type, ids: Int32Array, count: number, dictionary: Dictionary): Type {
    return type.kind === 'mixed' || type.kind === 'unknown' ? commonType(ids, count, dictionary) : type;
}

/** The entries of a map, or the members of a struct by their names. */
export function pairsOf(dictionary: Dictionary, id: ValueId): (readonly [ValueId, ValueId])[] {
    const members = dictionary.membersOf(id);
    return Array.from({ length: members.length / 2 }, (_, i) => [members[2 * i] ?? 0, members[2 * i + 1] ?? 0] as const);
}

/** The type that all values of a column have; text where they have none. */
function commonType(ids: Int32Array, count: number, dictionary: Dictionary): Type {
    const kinds = new Set<ValueKind>();
    let isWhole = true;
    for (let row = 0; row < count; row++) {
        const id = ids[row] ?? 0;
        const kind = dictionary.kind(id);
        if (kind === 'null') continue;
        kinds.add(kind);
        if (kind === 'number' && isWhole) isWhole = id < 0 || Number.isInteger(dictionary.numberOf(id));
    }
    const only = kinds.size === 1 ? [...kinds][0] : undefined;
    if (only === 'number') return { kind: isWhole ? 'long' : 'double' };
    if (only === 'boolean' || only === 'date' || only === 'timestamp') return { kind: only };
    return kinds.size === 2 && kinds.has('date') && kinds.has('timestamp') ? { kind: 'timestamp' } : { kind: 'string' };
}
