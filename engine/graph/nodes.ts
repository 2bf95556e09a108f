import { readNumber } from '#language/library/relation-options.ts';
import type { NodeText } from '#language/library/relation-question.ts';
import { MIXED } from '#language/program/types.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { compareValues } from '../values/order.ts';
import { textOf } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import type { Work } from './work.ts';

/** Estimated bytes of a node in the maps below. */
const NODE_BYTES = 64;

/** The nodes of a graph by number. Numbers follow the order of the values (3.4). */
export class Nodes {
    /** The value to show for each node: itself, or the struct that mentioned it first (7.4). */
    readonly values: readonly ValueId[];
    readonly #dictionary: Dictionary;
    readonly #numbers: ReadonlyMap<ValueId, number>;
    #texts: ReadonlyMap<string, number> | undefined;

    /** Takes the values that make a node what it is, each with what is shown for it. */
    constructor(shown: ReadonlyMap<ValueId, ValueId>, dictionary: Dictionary, work: Work) {
        work.reserve(shown.size * NODE_BYTES);
        const ordered = [...shown].sort(([, left], [, right]) => compareValues(dictionary, left, right));
        this.values = ordered.map(([, value]) => value);
        this.#numbers = new Map(ordered.map(([identity], number) => [identity, number]));
        this.#dictionary = dictionary;
    }

    get size(): number {
        return this.values.length;
    }

    numberOf(identity: ValueId): number {
        return this.#numbers.get(identity)!;
    }

    /** The node that an option names (7.1); undefined when there is none. A date is found by its text. */
    find({ text, quoted }: NodeText): number | undefined {
        const dictionary = this.#dictionary;
        const value = readNumber(text);
        const asNumber = value === undefined ? undefined : this.#numbers.get(dictionary.number(value));
        const asString = this.#numbers.get(dictionary.string(text));
        return (quoted ? (asString ?? asNumber) : (asNumber ?? asString)) ?? this.#otherTexts().get(text);
    }

    /** The nodes that are neither numbers nor strings, by their texts. */
    #otherTexts(): ReadonlyMap<string, number> {
        const dictionary = this.#dictionary;
        this.#texts ??= new Map(
            [...this.#numbers]
                .filter(([identity]) => !dictionary.isNumber(identity) && dictionary.kind(identity) !== 'string')
                .map(([identity, number]) => [textOf(dictionary, identity, MIXED, () => ''), number]),
        );
        return this.#texts;
    }
}
