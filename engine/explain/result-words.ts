import type { AggregateFamily } from '#language/library/aggregates.ts';
import { counted, countText } from '#language/program/count-text.ts';
import type { GroupNode } from './explanation.ts';

/** What people say of a result before what it is made of. */
export const RESULT_WORDS: Readonly<Record<AggregateFamily, string>> = {
    msum: 'the sum of',
    mprod: 'the product of',
    mcount: 'counting',
    maxcount: 'counting',
    mmin: 'the smallest of',
    mmax: 'the largest of',
    munion: 'the union of',
    mavg: 'the average of',
    mmedian: 'the median of',
};

/** A group above its contributions: `the sum of 12`, and `the sum of 3 of 12 contributions` where some have a contributor in common. */
export function groupTitle({ contributions, results }: GroupNode): string {
    const [column, ...others] = results?.columns ?? [];
    const [result] = column?.aggregates ?? [];
    const count = counted(contributions.length, 'contribution');
    if (result === undefined || others.length > 0 || column?.formula !== undefined || contributions.length === 1) return count;
    const { length } = result.kept;
    return `${RESULT_WORDS[result.family]} ${countText(length)}${length === contributions.length ? '' : ` of ${count}`}`;
}
