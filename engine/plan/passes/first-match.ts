import { isNonDeterministic } from '#language/library/non-deterministic.ts';
import { append } from '#language/program/append.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import type { PlanOutput, PlanRead, PlanRule, PlanStep } from '../plan.ts';
import { waitsForMatch } from '../waits-for-match.ts';

/**
 * Drops the registers that no later step reads, and stops a literal at its first match where nothing of it is read any
 * more. Contributions count matches, a literal `null` or a random function makes a value for each, and each parent of a
 * fact counts, so that there literals are read to the end.
 */
export function dropUnread(rule: PlanRule, steps: readonly PlanStep[]): PlanStep[] {
    const emitsOnly = emitsSameRows(rule);
    const read = new Set<string>();
    const kept: PlanStep[] = [];
    for (const step of [...steps].reverse()) {
        const next = step.kind === 'read' ? withoutUnread(step, read, emitsOnly && step.literal !== rule.parent) : step;
        for (const name of stepReads(next, rule)) read.add(name);
        kept.push(next);
    }
    return kept.reverse();
}

/**
 * Unites steps that are connected by variables which no other step reads: one match of all of them is enough, as of `c(Y),
 * d(Y)` in `a(X) <- b(X), c(Y), d(Y)`. What has nothing to do with the other steps comes first, where it is run once.
 */
export function uniteUnread(rule: PlanRule, steps: readonly PlanStep[]): PlanStep[] {
    if (!emitsSameRows(rule) || rule.parent !== undefined) return [...steps];
    const constants = new Set(rule.constants.map(({ variable }) => variable));
    const links = linksOf(rule, steps, constants);
    const isNeeded = neededLater(steps, links);
    const apart: PlanStep[] = [];
    const others: PlanStep[] = [];
    const taken = new Set<number>();
    for (const [index, step] of steps.entries()) {
        if (taken.has(index)) continue;
        if ((step.kind !== 'read' && step.kind !== 'intersect') || isNeeded[index]) {
            others.push(step);
            continue;
        }
        const indexes = connectedFrom(index, links);
        for (const one of indexes) taken.add(one);
        const part = indexes.map(one => steps[one]!);
        const own = new Set(part.flatMap(boundBy));
        const isApart = part.every(one => stepReads(one, rule).every(name => own.has(name) || constants.has(name)));
        (isApart ? apart : others).push(part.length === 1 ? step : { kind: 'any match', steps: part });
    }
    return [...apart, ...others];
}

/** The variables that each step binds and reads, except constants. */
interface Links {
    readonly names: readonly ReadonlySet<string>[];
    /** Steps by the variables that they bind or read, in their order. */
    readonly steps: ReadonlyMap<string, readonly number[]>;
    readonly binder: ReadonlyMap<string, number>;
}

function linksOf(rule: PlanRule, steps: readonly PlanStep[], constants: ReadonlySet<string>): Links {
    const binder = new Map<string, number>();
    const linked = new Map<string, number[]>();
    const names = steps.map((step, index) => {
        const bound = boundBy(step);
        for (const name of bound) if (!binder.has(name)) binder.set(name, index);
        const own = new Set([...bound, ...stepReads(step, rule)].filter(name => !constants.has(name)));
        for (const name of own) append(linked, name, index);
        return own;
    });
    return { names, steps: linked, binder };
}

/**
 * Of each step, whether it is connected with one that may not run early, by variables that no step before it binds: from the last step
 * on, each joins what it is connected with (union-find).
 */
function neededLater(steps: readonly PlanStep[], { names, steps: linked, binder }: Links): boolean[] {
    const root = Array.from(steps.keys());
    const isNeeded = steps.map(step => !mayRunEarly(step));
    const rootOf = (index: number): number => {
        let at = index;
        while (root[at] !== at) at = root[at] = root[root[at]!]!;
        return at;
    };
    const join = (other: number, index: number): void => {
        const [from, to] = [rootOf(other), rootOf(index)];
        root[from] = to;
        isNeeded[to] ||= isNeeded[from]!;
    };
    const found: boolean[] = [];
    const next = new Map<string, number>();
    for (let index = steps.length - 1; index >= 0; index--) {
        for (const name of names[index]!) {
            const first = binder.get(name);
            if (first === index) for (const reader of linked.get(name)!) join(reader, index);
            // What no step binds is the own affair of those that read it.
            if (first === undefined) join(next.get(name) ?? index, index);
            next.set(name, index);
        }
        found[index] = isNeeded[rootOf(index)]!;
    }
    return found;
}

/** A step and those that it is connected with by variables that no step before it binds. */
function connectedFrom(start: number, { names, steps: linked, binder }: Links): number[] {
    const found = new Set([start]);
    const seen = new Set<string>();
    for (const index of found) {
        for (const name of names[index]!) {
            if (seen.has(name) || (binder.get(name) ?? start) < start) continue;
            seen.add(name);
            for (const other of linked.get(name)!) if (other >= start) found.add(other);
        }
    }
    return [...found].sort((one, other) => one - other);
}

/** The variables that a step gives a value. */
export function boundBy(step: PlanStep): string[] {
    if (step.kind === 'read') return step.binds.map(bind => bind.variable);
    if (step.kind === 'intersect') return step.reads.flatMap(boundBy);
    return step.kind === 'assign' ? [step.definition.variable] : [];
}

function mayRunEarly(step: PlanStep): boolean {
    switch (step.kind) {
        case 'read':
        case 'intersect':
        case 'absent':
            return true;
        case 'filter':
            return !waitsForMatch(step.condition);
        case 'assign':
            return step.definition.exploded === undefined && !waitsForMatch(step.definition.value);
        default:
            return false;
    }
}

/** Whether a rule does nothing but add rows, and the same ones for the same values of its variables. */
function emitsSameRows(rule: PlanRule): boolean {
    return (
        rule.outputs.every(output => output.kind === 'emit') &&
        ![...rule.assignments.map(({ value }) => value), ...rule.filters].some(differsPerMatch)
    );
}

/** Whether an expression may have another value for each match: a literal `null` or a random function. */
export function differsPerMatch(expression: Expression): boolean {
    if (expression.kind === 'null' || (expression.kind === 'call' && isNonDeterministic(expression))) return true;
    return partsOf(expression).some(differsPerMatch);
}

function withoutUnread(step: PlanRead, read: ReadonlySet<string>, emitsOnly: boolean): PlanRead {
    const own = new Set(step.checks.map(check => check.variable));
    const binds = step.binds.filter(bind => read.has(bind.variable) || own.has(bind.variable));
    return { ...step, binds, exists: emitsOnly && !binds.some(bind => read.has(bind.variable)) };
}

/** The variables whose values a step reads. */
export function stepReads(step: PlanStep, rule: PlanRule): string[] {
    switch (step.kind) {
        case 'read':
        case 'absent': {
            const reached = step.access.kind === 'index' || step.access.kind === 'key' ? step.access.variables : [];
            return [...reached, ...step.checks.map(check => check.variable)];
        }
        case 'filter':
            return variablesOf(step.condition);
        case 'assign':
            return variablesOf(step.definition.value);
        case 'crossing':
            return step.conditions.flatMap(variablesOf);
        case 'intersect':
            return step.reads.flatMap(read => stepReads(read, rule));
        case 'any match':
            return step.steps.flatMap(one => stepReads(one, rule));
        case 'constants only':
            return [...rule.constantsOnly];
        case 'invent':
            return [...step.invention.frontier];
        case 'output':
            return rule.outputs.flatMap(outputVariables);
        case 'fork':
            return step.branches.flatMap(({ names }) => [...names.values()]);
    }
}

/** The variables whose values an output reads. */
export function outputVariables(output: PlanOutput): readonly string[] {
    if (output.kind !== 'contribute') return output.terms;
    const contributed = output.contributions.flatMap(({ value, contributors }) => [
        ...(value === undefined ? [] : [value]),
        ...(typeof contributors === 'string' ? [] : contributors),
    ]);
    return [...output.keys, ...contributed];
}
