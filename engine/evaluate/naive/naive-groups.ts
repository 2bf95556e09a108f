import type { Dictionary, ValueId } from '../../values/dictionary.ts';
import { type AggregateSite, type Contributions, combine, contribute } from './naive-aggregate.ts';
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

    constructor(sites: readonly AggregateSite[], dictionary: Dictionary) {
        this.sites = sites;
        this.#dictionary = dictionary;
    }

    /** Adds what one contributor has for one aggregate; unknown values are skipped. */
    contribute(key: Tuple, aggregate: number, contributor: string, value: ValueId): void {
        if (this.#dictionary.isNull(value)) return;
        const text = tupleKey(key);
        const group = this.#groups.get(text) ?? { key, contributions: this.sites.map(() => new Map()) };
        this.#groups.set(text, group);
        contribute(this.#dictionary, this.sites[aggregate]!, group.contributions[aggregate]!, contributor, value);
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
