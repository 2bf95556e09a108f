import { MIXED, type Type } from '#language/program/types.ts';
import { castValue } from './cast.ts';
import type { Dictionary } from './dictionary.ts';
import { fromJson } from './from-json.ts';
import { readJson } from './json.ts';
import { setOf } from './set-of.ts';
import { elementType } from './text.ts';
import type { ValueId } from './value-id.ts';

/**
 * A value as a collection with elements of the wanted types: of a collection its elements converted, of a string the
 * JSON that it holds. Undefined where the value or an element is none.
 */
export function castCollection(dictionary: Dictionary, id: ValueId, to: Type, from: Type): ValueId | undefined {
    const kind = dictionary.kind(id);
    if (kind === 'string') return ofText(dictionary, id, to);
    switch (to.kind) {
        case 'list':
        case 'set': {
            if (kind !== 'list' && kind !== 'set') return undefined;
            if (kind === to.kind && to.element.kind === 'mixed') return id;
            const items = castAll(dictionary, dictionary.membersOf(id), () => [to.element, elementType(from)]);
            return items && (to.kind === 'list' ? dictionary.list(items) : setOf(dictionary, items));
        }
        case 'map': {
            if (kind !== 'map' && kind !== 'struct') return undefined;
            const { key, value } = from.kind === 'map' ? from : { key: MIXED, value: MIXED };
            const parts = castAll(dictionary, dictionary.membersOf(id), at => (at % 2 === 0 ? [to.key, key] : [to.value, value]));
            return parts && dictionary.map(parts);
        }
        default:
            return kind === to.kind ? id : undefined;
    }
}

function castAll(
    dictionary: Dictionary,
    values: readonly ValueId[],
    typesAt: (at: number) => readonly [to: Type, from: Type],
): ValueId[] | undefined {
    const cast: ValueId[] = [];
    for (const [at, value] of values.entries()) {
        const converted = castValue(dictionary, value, ...typesAt(at));
        if (converted === undefined) return undefined;
        cast.push(converted);
    }
    return cast;
}

/** Gaps inside the JSON are unknown values of their own, the same ones for the same text. */
function ofText(dictionary: Dictionary, id: ValueId, to: Type): ValueId | undefined {
    const json = readJson(dictionary.stringOf(id));
    if (json === undefined || json.kind === 'null') return undefined;
    let gaps = 0;
    let failed = false;
    const absent = (): ValueId => dictionary.labelledNull(`as_${to.kind}`, [id, dictionary.number(gaps++)], false);
    const value = fromJson(dictionary, json, to, {
        absent,
        unreadable: () => {
            failed = true;
            return absent();
        },
    });
    return failed ? undefined : value;
}
