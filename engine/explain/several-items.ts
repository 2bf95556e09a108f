import type { ResolvedAtom } from '#language/program/analysed-program.ts';
import { printAtomText } from '#language/program/print.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Absence, firstOfEach, KEPT, premisesOf, type RuleSearch, reasonIn } from './absence.ts';
import { type Cause, firstCause, type Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import type { PartialMatcher } from './partial-match.ts';
import { termOf, withHead } from './remedy.ts';
import type { RuleItem } from './rule-body.ts';
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
function together(search: RuleSearch, all: readonly Reason[], items: number): void {
    const tied = tiedVariables(search.matcher);
    const parts = firstOfEach(all, part => JSON.stringify([part.cause, openVariables(part, tied)]));
    const [nearest, ...others] = [...parts].sort((left, right) => left.distance - right.distance);
    if (nearest === undefined) return;
    const idle = search.absence.isIdle(search.rule, search.head) ? DISTANCE.idlePremise : 0;
    const root = rootOf(nearest);
    // One change gives no two facts that have to differ.
    const isLike = ({ cause }: Reason): boolean => JSON.stringify(cause) === JSON.stringify(nearest.cause);
    const apart = others.filter(part => isLike(part) || !isSameRoot(rootOf(part), root));
    const sum = (some: readonly Reason[]): number => some.reduce((total, part) => total + part.distance, 0);
    const distance = nearest.distance + sum(apart) + (all.length - 1 - apart.length) * DISTANCE.together + (items - all.length) + idle;
    if (apart.length === 0) {
        search.found.push({ ...nearest, distance });
        return;
    }
    const ofOthers = others.flatMap(({ remedies }) => remedies ?? []);
    // What has no remedy of its own is tried with nothing, and so not at all.
    const isTriable = parts.every(({ remedies }) => remedies !== undefined);
    const { remedies: own, beside: _, ...reason } = nearest;
    const tried = isTriable ? { remedies: [...own!, ...ofOthers], beside: ofOthers } : {};
    const causes = namedApart(search.absence, [nearest, ...others], tied);
    search.found.push({ ...reason, cause: { kind: 'several', causes }, distance, ...tried });
}

/** The variables that more than one part of the body has. */
function tiedVariables({ items, slots }: PartialMatcher): ReadonlySet<string> {
    const names = [...slots.keys()];
    return new Set(names.filter(name => items.filter(item => slotsOfItem(item).includes(slots.get(name)!)).length > 1));
}

function slotsOfItem(item: RuleItem): readonly number[] {
    switch (item.kind) {
        case 'atom':
        case 'negation':
            return item.terms.flatMap(({ needs }) => needs);
        case 'condition':
            return item.needs;
        case 'assignment':
            return [item.slot, ...item.needs];
    }
}

/** The variables of the open columns of a missing fact that decide which facts do: those that other parts of the body have too. */
function openVariables({ cause, remedies = [] }: Reason, tied: ReadonlySet<string>): readonly (string | undefined)[] {
    const [remedy] = remedies;
    if (cause.kind !== 'missing' || remedy?.kind !== 'fact') return [];
    return (remedy.variables ?? []).map(name => (name !== undefined && tied.has(name) ? name : undefined));
}

/** Causes that stop a rule together. The variables that their facts share have names, and those in which facts of one form differ. */
function namedApart({ database, words }: Absence, parts: readonly Reason[], tied: ReadonlySet<string>): Cause[] {
    const texts = parts.map(({ cause }) => JSON.stringify(cause));
    const open = parts.map(part => openVariables(part, tied));
    return parts.map(({ cause, remedies = [] }, at) => {
        const [remedy] = remedies;
        if (cause.kind !== 'missing' || remedy?.kind !== 'fact') return cause;
        const isLike = texts.some((text, other) => other !== at && text === texts[at]);
        const isNamed = (name: string): boolean => isLike || open.some((names, other) => other !== at && names.includes(name));
        const names = open[at]!.map((name, column) => (name !== undefined && isNamed(name) ? name : remedy.fact.names?.[column]));
        const { predicate, values } = remedy.fact;
        return { ...cause, fact: words.pattern(database.program.predicates.get(predicate)!, values, names) };
    });
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
