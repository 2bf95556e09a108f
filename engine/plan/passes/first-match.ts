import { isNonDeterministic } from '#language/library/non-deterministic.ts';
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
    const constants = rule.constants.map(({ variable }) => variable);
    const bound = new Set(constants);
    const apart: PlanStep[] = [];
    const others: PlanStep[] = [];
    let open: readonly PlanStep[] = steps;
    while (open.length > 0) {
        const [step] = open as [PlanStep, ...PlanStep[]];
        const part = unreadPart(open, bound, rule);
        open = open.filter(one => one !== step && part?.includes(one) !== true);
        if (part === undefined) {
            for (const name of boundBy(step)) bound.add(name);
            others.push(step);
            continue;
        }
        const own = new Set([...constants, ...part.flatMap(boundBy)]);
        const isApart = part.every(one => stepReads(one, rule).every(name => own.has(name)));
        (isApart ? apart : others).push(part.length === 1 && step.kind === 'read' ? step : { kind: 'any match', steps: part });
    }
    return [...apart, ...others];
}

/** The first of the steps, one or several literals, and those that it is connected with, where no step after them reads what they bind. */
function unreadPart(steps: readonly PlanStep[], bound: ReadonlySet<string>, rule: PlanRule): readonly PlanStep[] | undefined {
    const [first] = steps;
    if (first?.kind !== 'read' && first?.kind !== 'intersect') return undefined;
    const part = new Set<PlanStep>([first]);
    const names = new Set(boundBy(first));
    for (const name of names) {
        for (const step of steps) {
            if (part.has(step) || ![...stepReads(step, rule), ...boundBy(step)].includes(name)) continue;
            if (!mayRunEarly(step)) return undefined;
            part.add(step);
            for (const other of [...stepReads(step, rule), ...boundBy(step)]) if (!bound.has(other)) names.add(other);
        }
    }
    return steps.filter(step => part.has(step));
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
            return [
                ...rule.types.keys(),
                ...rule.literals.flatMap(literal => literal.terms.flatMap(term => (term.kind === 'variable' ? [term.name] : []))),
            ];
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
