import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { type AggregateSite, type Contributions, combine, contribute } from './combine.ts';
import { type Tuple, tupleKey } from './naive-relation.ts';

interface Group {
    readonly key: Tuple;
    /** One per aggregate. */
    readonly contributions: readonly Contributions[];
}

/** The state of several aggregates that share their groups. */
export class NaiveGroups {
    readonly sites: readonly AggregateSite[];
    readonly #dictionary: Dictionary;
    readonly #groups = new Map<string, Group>();
    /** The keys of contributions that were skipped. */
    readonly #skipped = new Set<string>();

    /** Called for contributions that recursion does not expect (RT051). */
    readonly #outOfRange: ((site: AggregateSite, value: ValueId) => void) | undefined;

    constructor(sites: readonly AggregateSite[], dictionary: Dictionary, outOfRange?: (site: AggregateSite, value: ValueId) => void) {
        this.sites = sites;
        this.#dictionary = dictionary;
        this.#outOfRange = outOfRange;
    }

    /** Adds what one contributor has for one aggregate; unknown values are skipped. */
    contribute(key: Tuple, aggregate: number, contributor: string, value: ValueId): void {
        if (this.#dictionary.isNull(value)) {
            this.#skipped.add(tupleKey(key));
            return;
        }
        if (this.#outOfRange !== undefined && !isInRange(this.#dictionary, this.sites[aggregate]!, value)) {
            this.#outOfRange(this.sites[aggregate]!, value);
        }
        const text = tupleKey(key);
        const group = this.#groups.get(text) ?? { key, contributions: this.sites.map(() => new Map()) };
        this.#groups.set(text, group);
        contribute(this.#dictionary, this.sites[aggregate]!, group.contributions[aggregate]!, contributor, value);
    }

    /** Whether an aggregate of some group has no value. */
    get isIncomplete(): boolean {
        if ([...this.#skipped].some(key => !this.#groups.has(key))) return true;
        return [...this.#groups.values()].some(({ contributions }) => contributions.some(({ size }) => size === 0));
    }

    /** The groups in which every aggregate has a value, with these values. */
    values(): { readonly key: Tuple; readonly results: Tuple }[] {
        const complete = [...this.#groups.values()].filter(group => group.contributions.every(contributions => contributions.size > 0));
        const valued = complete.map(({ key, contributions }) => ({
            key,
            results: this.sites.map((site, i) => combine(this.#dictionary, site, [...contributions[i]!.values()])),
        }));
        const ranked = this.sites.findIndex(site => site.name === 'maxcount');
        if (ranked < 0) return valued;
        const largest = Math.max(...valued.map(({ results }) => this.#dictionary.numberOf(results[ranked]!)));
        return valued.filter(({ results }) => this.#dictionary.numberOf(results[ranked]!) === largest);
    }
}

/** Whether the contribution keeps the aggregate monotone: no negative summand, no factor outside 0 to 1 (5.5). */
function isInRange(dictionary: Dictionary, { name }: AggregateSite, value: ValueId): boolean {
    if (!dictionary.isNumber(value)) return true;
    const number = dictionary.numberOf(value);
    if (name === 'msum') return number >= 0;
    return name !== 'mprod' || (number >= 0 && number <= 1);
}
