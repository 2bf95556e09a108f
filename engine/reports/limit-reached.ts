import { countText } from '#language/program/count-text.ts';
import { translated } from '#language/program/say.ts';
import type { Location } from '#language/program/span.ts';
import { LIMIT_REMEDIES, type LimitName, stop } from './reports.ts';

/** The predicate with the most new facts, and the rule that adds to it. */
export interface Growing {
    readonly name: string;
    readonly location?: Location;
}

/** Ends the run at a limit. */
export function stopAtLimit(limit: LimitName, value: number, growing: Growing | undefined): never {
    const { location } = growing ?? {};
    stop(
        'RT031',
        { ...(location === undefined ? {} : { location }), remedy: translated(LIMIT_REMEDIES[limit]) },
        limit,
        countText(value),
        growing?.name,
    );
}
