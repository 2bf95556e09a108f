import type { ResolvedAtom } from '#language/program/analysed-program.ts';
import { printAtomText, printExpression } from '#language/program/print.ts';
import type { ValueId } from '../values/value-id.ts';
import { KEPT, premisesOf, type RuleSearch, reasonIn } from './absence.ts';
import { type Cause, firstCause, type Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import type { RuleItem } from './rule-body.ts';
import { itemSuspect, pairsOf } from './suspects.ts';
import { suspectItem } from './suspicion.ts';
import { matchesOf } from './try-suspect.ts';

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
    const alone = (item: RuleItem): boolean => {
        const others = items.filter(other => other !== item);
        return matchesOf(search, others.map(itemSuspect), 1).length > 0;
    };
    const failing = items.filter(item => !alone(item));
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
    const cause: Cause =
        others.length === 0 || apart.length === 0
            ? nearest.cause
            : { kind: 'several', causes: [nearest, ...others].map(part => part.cause) };
    search.found.push({ ...nearest, cause, distance });
}

/** Nothing of the rule fits together: its first item that fails on its own is named. */
export function tryNothing(search: RuleSearch): void {
    const { absence, matcher, rule, head } = search;
    const [match] = matchesOf(search, matcher.items.map(itemSuspect), 1);
    if (match === undefined) {
        const columns = search.pattern.flatMap((value, column) => (value === undefined ? [] : [column]));
        const column = columns.find(one => !isFreeVariable(head, one)) ?? columns[0] ?? 0;
        const wanted = search.pattern[column];
        const given = printExpression(head.atom.arguments[column]!);
        const cause: Cause = {
            kind: 'head',
            head: printAtomText(head.atom),
            column,
            wanted: wanted === undefined ? '_' : absence.words.term(wanted),
            given,
        };
        search.found.push(reasonIn(rule, cause, head.atom.span, [], 3));
        return;
    }
    for (const item of matcher.items) {
        const reason = suspectItem(search, item, match, [], 0, 0);
        if (reason !== undefined) search.found.push({ ...reason, distance: reason.distance + 2 });
    }
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

function isFreeVariable(head: ResolvedAtom, column: number): boolean {
    const term = head.atom.arguments[column];
    return term?.kind === 'variable' && head.atom.arguments.filter(one => one.kind === 'variable' && one.name === term.name).length === 1;
}
