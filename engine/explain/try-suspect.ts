import type { RuleSearch } from './absence.ts';
import type { Reason } from './cause.ts';
import { patternOf } from './item-pattern.ts';
import { missingForAll } from './missing-for-all.ts';
import type { PartialMatch, Suspect } from './partial-match.ts';
import { type RuleItem, slotsOf } from './rule-body.ts';
import { UNBOUND } from './rule-scope.ts';
import { itemSuspect } from './suspects.ts';
import { suspicion } from './suspicion.ts';
import { failsAlone, matchesOf } from './weakened-matches.ts';

/** Matches of a weakened rule that are compared, by depth; the last counts for all deeper ones. */
const COMPARED = [8, 5, 3, 2];

/** Steps that looking at a match takes: its facts become words. */
const LOOKED_AT = 8;

/** Weakens a rule by one suspect, and keeps the nearest of the ways in which it then gives the fact. */
export function trySuspect(search: RuleSearch, suspect: Suspect, extra = 0): void {
    const { absence } = search;
    if (absence.isSpent()) return;
    const compared = COMPARED[Math.min(search.depth, COMPARED.length - 1)]!;
    const candidates = new Map<string, Reason>();
    let looked = 0;
    const look = (match: PartialMatch): boolean => {
        absence.steps.take(LOOKED_AT);
        const reason = givesMore(search, match) ? suspicion(search, suspect, match) : undefined;
        if (reason !== undefined) {
            const key = JSON.stringify(reason.cause);
            if ((candidates.get(key)?.distance ?? Number.POSITIVE_INFINITY) > reason.distance) candidates.set(key, reason);
        }
        looked++;
        return candidates.size < compared && looked < 20 * compared;
    };
    search.matcher.run(search.pattern, [suspect], absence.steps, look, search.bound);
    const sorted = [...candidates.values()].sort((left, right) => left.distance - right.distance);
    const [first] = sorted;
    const whole = first === undefined ? undefined : missingForAll(search, suspect, first);
    const nearest = whole === undefined ? sorted.slice(0, 2) : [whole, ...sorted.filter(isTelling).slice(0, 1)];
    const isNeeded =
        first !== undefined && suspect.kind === 'item' && search.bound === undefined ? neededBy(search, suspect.item) : undefined;
    for (const reason of nearest)
        search.found.push({ ...reason, distance: reason.distance + extra, ...(isNeeded?.(reason) ? { needed: true } : {}) });
}

/** Tells of which reasons it is true that the rule cannot do as long as they are so: the head alone gives the item its values. */
function neededBy(search: RuleSearch, item: RuleItem): ((reason: Reason) => boolean) | undefined {
    if (!failsAlone(search, item)) return undefined;
    const { absence, matcher } = search;
    if (item.kind === 'condition' || item.kind === 'assignment') return () => true;
    const [match] = matchesOf(search, matcher.items.map(itemSuspect), 1);
    const predicate = absence.database.program.predicates.get(item.literal.predicate);
    if (match === undefined || predicate === undefined) return undefined;
    if (item.kind === 'negation') {
        const others = matcher.items.filter(other => other !== item);
        const given = new Set(
            others.flatMap(other => (other.kind === 'atom' ? slotsOf(other.terms) : other.kind === 'assignment' ? [other.slot] : [])),
        );
        return () => slotsOf(item.terms).every(slot => match.registers[slot] !== UNBOUND || !given.has(slot));
    }
    const { values } = patternOf(matcher, item, match.registers, predicate.arity);
    return ({ missing, remedies = [], cause }) => {
        const [remedy] = remedies;
        const fact = missing ?? (remedy?.kind === 'fact' ? remedy.fact : undefined);
        const isOfOne = cause.kind !== 'missing' || cause.among === undefined;
        return isOfOne && fact?.values.every((value, column) => value === values[column]) === true;
    };
}

/** Whether a missing fact is nearly one that is there. */
function isTelling({ cause }: Reason): boolean {
    return cause.kind !== 'missing' || cause.near.some(({ difference }) => difference !== 'other');
}

/** Whether the head of a match is no fact that is there already. */
function givesMore({ absence, head, matcher, pattern }: RuleSearch, { registers }: PartialMatch): boolean {
    const rows = absence.database.relation(head.predicate);
    const values = matcher.head.map((term, column) => {
        if (pattern[column] !== undefined) return pattern[column];
        return term !== undefined && 'slot' in term ? registers[term.slot]! : UNBOUND;
    });
    return rows === undefined || values.includes(UNBOUND) || rows.find(values, absence.steps.pause) < 0;
}
