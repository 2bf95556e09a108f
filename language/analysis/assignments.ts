import { append } from '#language/program/append.ts';
import type { Expression } from '#language/program/program.ts';
import { visitVariables } from './occurrences.ts';
import type { ReadItem } from './program-facts.ts';

type Equation = Extract<ReadItem, { kind: 'equation' }>;

interface Candidate {
    readonly item: number;
    readonly equation: Equation;
    readonly needs: ReadonlySet<string>;
}

export interface AssignmentOrder {
    /** Items that assign, in an order in which each right side is bound before; those that never are come last. */
    readonly assignments: readonly number[];
    /** Items whose variable another item assigns: they compare. */
    readonly seconds: readonly number[];
    /** Circles of variables that need each other, each in order. */
    readonly circles: readonly (readonly string[])[];
    /** Variables of positive atoms and variables that are assigned. */
    readonly bound: ReadonlySet<string>;
}

/** Decides which items `V = e` assign (D-25). `positive` holds the variables of positive atoms. */
export function orderAssignments(items: readonly ReadItem[], positive: ReadonlySet<string>): AssignmentOrder {
    const candidates: Candidate[] = [];
    items.forEach((item, index) => {
        if (item.kind !== 'equation' || positive.has(item.variable.name)) return;
        candidates.push({ item: index, equation: item, needs: variablesNeeded(item.value) });
    });
    if (candidates.length === 0) return { ...NO_ASSIGNMENTS, bound: positive };
    const chosen = chooseOnePerVariable(candidates, positive);
    const { ordered, bound } = bindInOrder(chosen, positive);
    if (ordered.length === candidates.length) return { ...NO_ASSIGNMENTS, assignments: ordered.map(candidate => candidate.item), bound };
    const seconds = candidates.filter(candidate => !chosen.includes(candidate)).map(candidate => candidate.item);
    const stuck = chosen.filter(candidate => !ordered.includes(candidate));
    for (const candidate of stuck) bound.add(candidate.equation.variable.name);
    return {
        assignments: [...ordered, ...stuck].map(candidate => candidate.item),
        seconds,
        circles: circlesAmong(stuck),
        bound,
    };
}

const NO_ASSIGNMENTS = { assignments: [], seconds: [], circles: [] } as const;

function variablesNeeded(value: Expression): Set<string> {
    const names = new Set<string>();
    visitVariables(value, variable => names.add(variable.name));
    return names;
}

/** Of several equations for one variable, the first whose right side can be bound without it; else the first. */
function chooseOnePerVariable(candidates: readonly Candidate[], positive: ReadonlySet<string>): Candidate[] {
    if (candidates.length === 1) return [...candidates];
    const groups = new Map<string, Candidate[]>();
    for (const candidate of candidates) {
        append(groups, candidate.equation.variable.name, candidate);
    }
    if (groups.size === candidates.length) return [...candidates];
    const chosen = new Set<Candidate>();
    for (const [name, group] of groups) {
        const others = candidates.filter(candidate => candidate.equation.variable.name !== name);
        const { bound } = group.length === 1 ? { bound: positive } : bindInOrder(others, positive);
        const best = group.find(candidate => isSubset(candidate.needs, bound)) ?? group[0];
        if (best !== undefined) chosen.add(best);
    }
    return candidates.filter(candidate => chosen.has(candidate));
}

function bindInOrder(candidates: readonly Candidate[], positive: ReadonlySet<string>): { ordered: Candidate[]; bound: Set<string> } {
    const bound = new Set(positive);
    const ordered: Candidate[] = [];
    let waiting = [...candidates];
    for (let progress = true; progress; ) {
        const later: Candidate[] = [];
        for (const candidate of waiting) {
            if (isSubset(candidate.needs, bound)) {
                ordered.push(candidate);
                bound.add(candidate.equation.variable.name);
            } else later.push(candidate);
        }
        progress = later.length < waiting.length;
        waiting = later;
    }
    return { ordered, bound };
}

function isSubset(needs: ReadonlySet<string>, bound: ReadonlySet<string>): boolean {
    for (const name of needs) if (!bound.has(name)) return false;
    return true;
}

function circlesAmong(stuck: readonly Candidate[]): string[][] {
    const byName = new Map(stuck.map(candidate => [candidate.equation.variable.name, candidate]));
    const finished = new Set<string>();
    const circles: string[][] = [];
    const follow = (name: string, path: readonly string[]): void => {
        const start = path.indexOf(name);
        if (start >= 0) {
            circles.push(path.slice(start));
            return;
        }
        const candidate = byName.get(name);
        if (candidate === undefined || finished.has(name)) return;
        for (const needed of candidate.needs) follow(needed, [...path, name]);
        finished.add(name);
    };
    for (const name of byName.keys()) follow(name, []);
    return circles;
}
