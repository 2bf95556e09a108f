import type { ResolvedAtom } from '#language/program/analysed-program.ts';
import { printAtomText } from '#language/program/print.ts';
import type { ValueId } from '../values/value-id.ts';
import { firstOfEach, KEPT, premisesOf, type RuleSearch, reasonIn } from './absence.ts';
import { type Cause, firstCause, type Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import { termOf, withHead } from './remedy.ts';
import { suspectItem } from './suspect-item.ts';
import { itemSuspect, pairsOf } from './suspects.ts';
import { failsAlone, matchesOf } from './weakened-matches.ts';

/** Two items that the rule lacks. */
export function tryPairs(search: RuleSearch): void {
    const { absence } = search;
    for (const pair of pairsOf(search.matcher.items)) {
        if (absence.isSpent()) return;
        let looked = 0;
        const before = search.found.length;
        search.matcher.run(search.pattern, pair.map(itemSuspect), absence.steps, match => {
            const premises = premisesOf(search, match);
            const parts = pair.map(item => suspectItem(search, item, match, premises, 0, 0));
            together(
                search,
                parts.filter(part => part !== undefined),
                2,
            );
            return ++looked < 2;
        });
        if (search.found.length > before + KEPT) return;
    }
}

/** All items that fail on their own once the head is bound. */
export function tryFailing(search: RuleSearch): void {
    const { items } = search.matcher;
    const failing = items.filter(item => failsAlone(search, item));
    if (failing.length < 3) return;
    const [match] = matchesOf(search, failing.map(itemSuspect), 1);
    if (match === undefined) return;
    const premises = premisesOf(search, match);
    const parts = failing.map(item => suspectItem(search, item, match, premises, 0, 0));
    together(
        search,
        parts.filter(part => part !== undefined),
        failing.length,
    );
}

/** Several items that fail: where one cause stops all of them they count once. */
function together(search: RuleSearch, parts: readonly Reason[], items: number): void {
    const [nearest, ...others] = [...parts].sort((left, right) => left.distance - right.distance);
    if (nearest === undefined) return;
    const idle = search.absence.isIdle(search.rule, search.head) ? DISTANCE.idlePremise : 0;
    const root = rootOf(nearest);
    const apart = others.filter(part => !isSameRoot(rootOf(part), root));
    const sum = (all: readonly Reason[]): number => all.reduce((total, part) => total + part.distance, 0);
    const distance = nearest.distance + sum(apart) + (parts.length - 1 - apart.length) * DISTANCE.together + (items - parts.length) + idle;
    const cause: Cause = others.length === 0 || apart.length === 0 ? nearest.cause : severalOf([nearest, ...others]);
    if (cause === nearest.cause) {
        search.found.push({ ...nearest, distance });
        return;
    }
    const ofOthers = others.flatMap(({ remedies }) => remedies ?? []);
    // What has no remedy of its own is tried with nothing, and so not at all.
    const isTriable = [nearest, ...others].every(({ remedies }) => remedies !== undefined);
    const { remedies: own, beside: _, ...reason } = nearest;
    const tried = isTriable ? { remedies: [...own!, ...ofOthers], beside: ofOthers } : {};
    search.found.push({ ...reason, cause, distance, ...tried });
}

/** Causes that stop a rule together, each once. */
function severalOf(parts: readonly Reason[]): Cause {
    const causes = firstOfEach(
        parts.map(({ cause }) => cause),
        cause => JSON.stringify(cause),
    );
    const [only, ...more] = causes;
    return only !== undefined && more.length === 0 ? only : { kind: 'several', causes };
}

/** Nothing of the rule fits together: its first item that fails on its own is named. */
export function tryNothing(search: RuleSearch): void {
    const { matcher } = search;
    const [match] = matchesOf(search, matcher.items.map(itemSuspect), 1);
    if (match === undefined) {
        const reason = headReason(search);
        if (reason !== undefined) search.found.push(reason);
        return;
    }
    for (const item of matcher.items) {
        const reason = suspectItem(search, item, match, [], 0, 0);
        if (reason !== undefined) search.found.push({ ...reason, distance: reason.distance + 2 });
    }
}

/** The column in which the head gives another value than the one asked for, whatever the body does. */
function headReason({ absence, rule, head, pattern }: RuleSearch): Reason | undefined {
    const terms = head.atom.arguments;
    for (const [column, wanted] of pattern.entries()) {
        const term = terms[column];
        if (wanted === undefined || term === undefined) continue;
        const twin = terms.findIndex(one => one.kind === 'variable' && term.kind === 'variable' && one.name === term.name);
        const given = twin < 0 ? constantAt(absence, rule, head, column) : pattern[twin];
        if (given === undefined || given === wanted) continue;
        const text = (value: ValueId): string => absence.words.valueAt(head.predicate, column, value);
        const cause: Cause = { kind: 'head', head: printAtomText(head.atom), column, wanted: text(wanted), given: text(given) };
        const to = twin < 0 ? termOf(absence.database.dictionary, wanted, term.span) : undefined;
        const remedies = to === undefined ? {} : { remedies: [withHead(rule, head, terms.with(column, to))] };
        return { ...reasonIn(rule, cause, term.span, [], 3), ...remedies, needed: true };
    }
    return undefined;
}

/** The value that a term of a head has in all matches; undefined where that depends on them. */
function constantAt(absence: RuleSearch['absence'], rule: RuleSearch['rule'], head: ResolvedAtom, column: number): ValueId | undefined {
    const term = absence.matcher(rule, head).head[column];
    return term === undefined || 'slot' in term || term.needs.length > 0 ? undefined : term.value(new Int32Array(0));
}

/** What stops a premise in the end. */
function rootOf(reason: Reason): Reason {
    const first = reason.because === undefined ? undefined : firstCause(reason.because);
    return first === undefined ? reason : first;
}

/** Whether one change would mend both. */
function isSameRoot(left: Reason, right: Reason): boolean {
    const [a, b] = [left.missing, right.missing];
    if (a !== undefined && b !== undefined) {
        const agrees = (value: ValueId | undefined, column: number): boolean =>
            value === undefined || b.values[column] === undefined || b.values[column] === value;
        return a.predicate === b.predicate && a.values.every(agrees);
    }
    const [from, to] = [left.place, right.place];
    return from !== undefined && to !== undefined && from.place === to.place && from.span.start === to.span.start;
}
