import { isNonDeterministic } from '#language/library/non-deterministic.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import type { PlanOutput, PlanRead, PlanRule, PlanStep } from '../plan.ts';

/**
 * Drops the registers that no later step reads, and stops a literal at its first match where nothing of it is read any
 * more. Contributions count matches, a literal `null` or a random function makes a value for each, and each parent of a
 * fact counts, so that there literals are read to the end.
 */
export function dropUnread(rule: PlanRule, steps: readonly PlanStep[]): PlanStep[] {
    const emitsOnly =
        rule.outputs.every(output => output.kind === 'emit') &&
        ![...rule.assignments.map(({ value }) => value), ...rule.filters].some(differsPerMatch);
    const read = new Set<string>();
    const kept: PlanStep[] = [];
    for (const step of [...steps].reverse()) {
        const next = step.kind === 'read' ? withoutUnread(step, read, emitsOnly && step.literal !== rule.parent) : step;
        for (const name of stepReads(next, rule)) read.add(name);
        kept.push(next);
    }
    return kept.reverse();
}

function differsPerMatch(expression: Expression): boolean {
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
        case 'constants only':
            return [
                ...rule.types.keys(),
                ...rule.literals.flatMap(literal => literal.terms.flatMap(term => (term.kind === 'variable' ? [term.name] : []))),
            ];
        case 'invent':
            return [...step.invention.frontier];
        case 'output':
            return rule.outputs.flatMap(outputVariables);
    }
}

function outputVariables(output: PlanOutput): readonly string[] {
    if (output.kind !== 'contribute') return output.terms;
    const contributed = output.contributions.flatMap(({ value, contributors }) => [
        ...(value === undefined ? [] : [value]),
        ...(typeof contributors === 'string' ? [] : contributors),
    ]);
    return [...output.keys, ...contributed];
}
