import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import {
    type AssignmentItem,
    type AtomItem,
    atomsOf,
    bindRow,
    type ItemTerms,
    isBound,
    matchingRows,
    mostBound,
    type RuleBody,
    type RuleItem,
    rowsMatching,
    slotsOf,
    unbind,
    valuesOf,
} from './rule-body.ts';
import { UNBOUND } from './rule-scope.ts';
import type { Steps } from './steps.ts';

/** How the matches of a body are enumerated. */
export interface Walk {
    readonly body: RuleBody;
    /** The items that have to hold. */
    readonly items: readonly RuleItem[];
    readonly dictionary: Dictionary;
    /** Those that have a value have it in all matches; the others get theirs, and hold them while a match is told. */
    readonly registers: Int32Array;
    /** The terms by which an atom is matched. */
    readonly termsOf: (item: AtomItem) => ItemTerms;
    /** Whether an assignment may give its variable a value, where that has another one. */
    readonly agrees: (item: AssignmentItem, given: ValueId, value: ValueId) => boolean;
    readonly steps: Steps;
    /** Takes the rows of the positive atoms; false ends the walk. */
    readonly found: (rows: ReadonlyMap<AtomItem, number>) => boolean;
}

/** Enumerates the matches of a body, until `found` returns false or no steps are left. What nothing gives its values is left out. */
export function walkBody({ body, items, dictionary, registers, termsOf, agrees, steps, found }: Walk): void {
    const order = inOrder(items, registers, termsOf);
    const rows = new Map<AtomItem, number>();
    let stopped = false;
    const go = (at: number): void => {
        if (stopped || !steps.take()) return;
        const item = order[at];
        switch (item?.kind) {
            case undefined:
                stopped = !found(rows);
                return;
            case 'condition':
                if (!isBound(item.needs, registers) || item.test(registers)) go(at + 1);
                return;
            case 'negation': {
                const [any] = matchingRows(item.rows, termsOf(item), registers, steps);
                if (any === undefined) go(at + 1);
                return;
            }
            case 'assignment': {
                if (!isBound(item.needs, registers)) {
                    go(at + 1);
                    return;
                }
                const given = registers[item.slot]!;
                for (const value of valuesOf(item, dictionary, registers)) {
                    if (given !== UNBOUND && given !== value && !agrees(item, given, value)) continue;
                    registers[item.slot] = given === UNBOUND ? value : given;
                    go(at + 1);
                }
                registers[item.slot] = given;
                return;
            }
            case 'atom': {
                const terms = termsOf(item);
                for (const row of rowsMatching(item.rows, terms, registers, steps)) {
                    if (stopped || steps.left < 0) return;
                    const set = body.admits(item.rows!, row) ? bindRow(item.rows!, terms, row, registers) : undefined;
                    if (set === undefined) {
                        steps.take();
                        continue;
                    }
                    rows.set(item, row);
                    go(at + 1);
                    rows.delete(item);
                    unbind(set, registers);
                }
            }
        }
    };
    go(0);
}

/** Tests and assignments as soon as they can be made, then the atom with most bound arguments, then what cannot be decided. */
function inOrder(items: readonly RuleItem[], registers: Int32Array, termsOf: Walk['termsOf']): RuleItem[] {
    const bound = new Set([...registers.keys()].filter(slot => registers[slot] !== UNBOUND));
    const left = new Set(items);
    const order: RuleItem[] = [];
    const isReady = (item: RuleItem): boolean =>
        (item.kind === 'condition' || item.kind === 'assignment') && item.needs.every(slot => bound.has(slot));
    while (left.size > 0) {
        const all = [...left];
        const next = all.find(isReady) ?? mostBound(atomsOf(all), bound) ?? all[0]!;
        left.delete(next);
        order.push(next);
        if (next.kind === 'assignment' && isReady(next)) bound.add(next.slot);
        else if (next.kind === 'atom') for (const slot of slotsOf(termsOf(next))) bound.add(slot);
    }
    return order;
}
