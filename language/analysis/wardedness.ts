import type { PredicateKey, RuleWardedness } from '#language/program/analysed-program.ts';
import { append } from './append.ts';
import type { NullFlow, Place, Position } from './null-flow.ts';
import type { RuleFacts } from './program-facts.ts';

/** By predicate, the zero-based columns that may hold nulls which rules create. */
export type AffectedPositions = ReadonlyMap<PredicateKey, ReadonlySet<number>>;

/** A rule with the way nulls take through it. */
export interface FlowingRule {
    readonly facts: RuleFacts;
    readonly flow: NullFlow;
}

/** A rule through which no created null passes. */
export const HARMLESS: RuleWardedness = {
    harmful: new Set(),
    dangerous: new Set(),
    warded: true,
    harmfulJoins: [],
    equatesNulls: false,
};

/** A variable of one rule that waits until all its places are affected. */
interface Waiting {
    unaffected: number;
    readonly targets: readonly Position[];
}

/** The affected positions (4.7), each found once: a variable counts the places that are not affected yet. */
export function affectedPositions(rules: readonly FlowingRule[]): AffectedPositions {
    const affected = new Map<PredicateKey, Set<number>>();
    const waiting = new Map<PredicateKey, Map<number, Waiting[]>>();
    const agenda: Position[] = [];
    const reach = (position: Position): void => {
        const columns = affected.get(position.predicate);
        if (columns?.has(position.column)) return;
        if (columns === undefined) affected.set(position.predicate, new Set([position.column]));
        else columns.add(position.column);
        agenda.push(position);
    };
    const created: Position[] = [];
    for (const { facts, flow } of rules) {
        const targets = new Map<string, Position[]>();
        for (const head of flow.heads) {
            if (head.value.kind === 'existential' || head.value.kind === 'skolem') created.push(head);
            if (head.value.kind === 'variable' && !facts.resolved.constantsOnly) append(targets, head.value.name, head);
        }
        for (const [name, positions] of targets) {
            const places = flow.places.get(name) ?? [];
            const variable: Waiting = { unaffected: places.length, targets: positions };
            for (const { predicate, column } of places) {
                let columns = waiting.get(predicate);
                if (columns === undefined) {
                    columns = new Map();
                    waiting.set(predicate, columns);
                }
                append(columns, column, variable);
            }
        }
    }
    created.forEach(reach);
    for (let position = agenda.pop(); position !== undefined; position = agenda.pop()) {
        for (const variable of waiting.get(position.predicate)?.get(position.column) ?? []) {
            variable.unaffected--;
            if (variable.unaffected === 0) variable.targets.forEach(reach);
        }
    }
    return affected;
}

/** Which variables of a rule may hold created nulls, and whether one atom guards those that reach the head (4.7). */
export function wardednessOf({ facts, flow }: FlowingRule, affected: AffectedPositions): RuleWardedness {
    const { resolved, rule } = facts;
    if (resolved.constantsOnly) return HARMLESS;
    const harmful = new Set<string>();
    for (const [name, places] of flow.places) if (places.every(place => isAffected(affected, place))) harmful.add(name);
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

export function isAffected(affected: AffectedPositions, { predicate, column }: Position): boolean {
    return affected.get(predicate)?.has(column) ?? false;
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
