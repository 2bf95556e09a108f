import type { RuleWardedness } from '#language/program/analysed-program.ts';
import type { NullFlow, Place } from './null-flow.ts';
import type { RuleFacts } from './program-facts.ts';

/** One for each numbered position that may hold nulls which rules create, else zero. */
export type AffectedPositions = Uint8Array;

/** A rule with the way nulls take through it. */
export interface FlowingRule {
    readonly facts: RuleFacts;
    readonly flow: NullFlow;
    /** The result for these `marks`, the affected state of its positions. */
    known?: { readonly marks: string; readonly wardedness: RuleWardedness };
}

/** A rule through which no created null passes. */
export const HARMLESS: RuleWardedness = {
    harmful: new Set(),
    dangerous: new Set(),
    warded: true,
    harmfulJoins: [],
    equatesNulls: false,
};

/** The affected positions (4.7), each found once: a variable counts the places that are not affected yet. */
export function affectedPositions(rules: readonly FlowingRule[], positions: number): AffectedPositions {
    const affected = new Uint8Array(positions);
    const agenda: number[] = [];
    const reach = (position: number): void => {
        if (affected[position] === 1) return;
        affected[position] = 1;
        agenda.push(position);
    };
    const targets: (readonly number[])[] = [];
    const unaffected: number[] = [];
    const waiting: (number[] | undefined)[] = new Array(positions);
    for (const { flow } of rules) {
        for (const { position, value } of flow.heads) if (value.kind === 'existential' || value.kind === 'skolem') reach(position);
        for (const { from, to } of flow.carried) {
            const variable = targets.push(to) - 1;
            unaffected.push(from.length);
            for (const position of from) {
                const others = waiting[position];
                if (others === undefined) waiting[position] = [variable];
                else others.push(variable);
            }
        }
    }
    for (let position = agenda.pop(); position !== undefined; position = agenda.pop()) {
        for (const variable of waiting[position] ?? []) {
            const left = (unaffected[variable] ?? 0) - 1;
            unaffected[variable] = left;
            if (left === 0) targets[variable]?.forEach(reach);
        }
    }
    return affected;
}

/** Finds the variables of a rule that may hold created nulls, and whether one atom guards those that reach the head (4.7). */
export function wardednessOf(rule: FlowingRule, affected: AffectedPositions): RuleWardedness {
    let marks = '';
    for (const places of rule.flow.places.values()) for (const { position } of places) marks += affected[position];
    if (rule.known?.marks !== marks) rule.known = { marks, wardedness: guarded(rule, affected) };
    return rule.known.wardedness;
}

function guarded({ facts, flow }: FlowingRule, affected: AffectedPositions): RuleWardedness {
    const { resolved, rule } = facts;
    if (resolved.constantsOnly) return HARMLESS;
    const harmful = new Set<string>();
    for (const [name, places] of flow.places) if (places.every(({ position }) => affected[position] === 1)) harmful.add(name);
    if (harmful.size === 0) return HARMLESS;
    const dangerous = new Set<string>();
    for (const { value } of flow.heads) if (value.kind === 'variable' && harmful.has(value.name)) dangerous.add(value.name);
    const ward = dangerous.size === 0 ? undefined : wardOf(flow, harmful, dangerous);
    const harmfulJoins = [...harmful].filter(name => atomsWith(flow.places.get(name)).size > 1);
    for (const [copy, name] of flow.copies) if (harmful.has(name)) harmful.add(copy);
    const { head } = rule;
    return {
        harmful,
        dangerous,
        warded: dangerous.size === 0 || ward !== undefined,
        ...(ward !== undefined && { ward }),
        harmfulJoins,
        equatesNulls:
            head.kind === 'equality' && (harmful.has(head.left.name) || (head.right.kind === 'variable' && harmful.has(head.right.name))),
    };
}

function atomsWith(places: readonly Place[] = []): Set<number> {
    return new Set(places.map(place => place.literal));
}

/** The first positive literal with all dangerous variables whose harmful variables stand in no other. */
function wardOf({ places }: NullFlow, harmful: ReadonlySet<string>, dangerous: ReadonlySet<string>): number | undefined {
    const [first = ''] = dangerous;
    const shared = [...harmful].map(name => atomsWith(places.get(name))).filter(atoms => atoms.size > 1);
    return [...atomsWith(places.get(first))].find(
        literal => [...dangerous].every(name => atomsWith(places.get(name)).has(literal)) && shared.every(atoms => !atoms.has(literal)),
    );
}
