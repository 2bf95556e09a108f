import type { Dictionary } from './dictionary.ts';
import { compareValues } from './order.ts';
import type { ValueId } from './value-id.ts';

/** The set of these elements, in canonical order (3.6). */
export function setOf(dictionary: Dictionary, elements: Iterable<ValueId>): ValueId {
    return dictionary.set([...new Set(elements)].sort((a, b) => compareValues(dictionary, a, b)));
}
