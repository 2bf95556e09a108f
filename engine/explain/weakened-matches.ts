import type { RuleSearch } from './absence.ts';
import type { PartialMatch, Suspect } from './partial-match.ts';
import type { RuleItem } from './rule-body.ts';
import { itemSuspect } from './suspects.ts';

/** The matches of a rule without some of it, `most` at most. */
export function matchesOf({ absence, matcher, pattern }: RuleSearch, suspects: readonly Suspect[], most: number): PartialMatch[] {
    const matches: PartialMatch[] = [];
    matcher.run(pattern, suspects, absence.steps, match => {
        matches.push(match);
        return matches.length < most;
    });
    return matches;
}

/** Whether nothing fits an item, whatever the rest of the rule has: the head alone decides. */
export function failsAlone(search: RuleSearch, item: RuleItem): boolean {
    const others = search.matcher.items.filter(other => other !== item);
    return matchesOf(search, others.map(itemSuspect), 1).length === 0 && !search.absence.isSpent();
}
