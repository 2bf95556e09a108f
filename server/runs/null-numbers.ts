import { type Dictionary, smallIntegerOf } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';

/** Numbers labelled nulls across several evaluations: one that came from an earlier one keeps its number. */
export class NullNumbers {
    #last = 0;

    /** The numbers of the nulls of one evaluation. */
    of(dictionary: Dictionary): (id: ValueId) => number {
        const numbers = new Map<ValueId, number>();
        return id => {
            let number = numbers.get(id);
            if (number === undefined) {
                const isGiven = dictionary.nullSourceOf(id).given === true;
                number = isGiven ? smallIntegerOf(dictionary.nullArgumentsOf(id)[0] ?? 0) : ++this.#last;
                numbers.set(id, number);
            }
            return number;
        };
    }
}
