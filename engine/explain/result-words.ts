import { AGGREGATES } from '#language/program/aggregates.ts';
import { counted, countText } from '#language/program/count-text.ts';
import { say, translated } from '#language/program/say.ts';
import type { GroupNode } from './explanation.ts';

/** A group above its contributions: `the sum of 12`, and `the sum of 3 of 12 contributions` where some have a contributor in common. */
export function groupTitle({ contributions, results, more = 0 }: GroupNode): string {
    const [column, ...others] = results?.columns ?? [];
    const [result] = column?.aggregates ?? [];
    const count = counted(contributions.length + more, 'contribution');
    if (result === undefined || others.length > 0 || column?.formula !== undefined || contributions.length === 1) return count;
    const { length } = result.kept;
    return `${translated(AGGREGATES[result.family].words)} ${countText(length)}${length === contributions.length ? '' : say` of ${count}`}`;
}
