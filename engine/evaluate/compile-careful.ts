import { variablesOf } from '#language/program/expression-variables.ts';
import { variableNames } from '#language/program/variable-names.ts';
import type { PlanOutput, PlanStep } from '../plan/plan.ts';
import { type Report, RunStopped } from '../reports/reports.ts';
import { needsNumbers, requireNumber } from './aggregate-numbers.ts';
import type { Step } from './compile-read.ts';
import { compileCondition, compileDefinition } from './expression.ts';
import { planOf } from './run-context.ts';
import type { VariantContext } from './variant-context.ts';

/** Failures in the current match: the first one, and the registers of the variables without a value. */
export interface Failures {
    first: Report | undefined;
    readonly slots: Set<number>;
}

/**
 * Compiles a step of a careful run. A condition or a value that fails ends nothing yet. The steps skip conditions, values and negated atoms
 * that need it, and report the match once all else holds. Steps that cannot fail are left to `plainly`.
 */
export function compileCareful(step: PlanStep, next: Step, context: VariantContext, failures: Failures, plainly: () => Step): Step {
    const { registers, scope, variant, run } = context;
    const { values } = registers;
    const reader = (names: readonly string[]): (() => boolean) => {
        const slots = names.filter(name => registers.has(name)).map(name => registers.slot(name));
        return () => failures.slots.size === 0 || !slots.some(slot => failures.slots.has(slot));
    };
    /** The value, or nothing where there is none. */
    const attempt = <T>(isKnown: () => boolean, evaluate: () => T): T | undefined => {
        if (!isKnown()) return undefined;
        try {
            return evaluate();
        } catch (thrown) {
            if (!(thrown instanceof RunStopped) || !isFailure(thrown)) throw thrown;
            failures.first ??= thrown.report;
            return undefined;
        }
    };
    const isFailure = (stopped: RunStopped): boolean => run.careful?.isSought(stopped.report) ?? false;
    switch (step.kind) {
        case 'filter': {
            const test = compileCondition(step.condition, scope);
            const isKnown = reader(variablesOf(step.condition));
            return () => {
                const before = failures.first;
                if (attempt(isKnown, () => test(values)) !== false) next();
                failures.first = before;
            };
        }
        case 'assign': {
            const { definition } = step;
            const slot = registers.slot(definition.variable);
            const isKnown = reader(variablesOf(definition.value));
            const evaluate = compileDefinition(definition, scope);
            const go = definition.exploded ? plainly() : next;
            return () => {
                const before = failures.first;
                const value = attempt(isKnown, () => evaluate(values));
                if (value === undefined) {
                    failures.slots.add(slot);
                    next();
                    failures.slots.delete(slot);
                } else {
                    if (!definition.exploded) values[slot] = value;
                    go();
                }
                failures.first = before;
            };
        }
        case 'absent': {
            const { terms } = variant.rule.literals[step.literal]!;
            const isKnown = reader(variableNames(terms));
            const absent = plainly();
            return () => (isKnown() ? absent() : next());
        }
        case 'constants only':
        case 'invent': {
            const go = plainly();
            return () => (failures.first === undefined ? go() : next());
        }
        case 'output': {
            const checks = variant.rule.outputs.map(output => compileChecks(output, context));
            const go = run.careful?.isDry ? () => undefined : plainly();
            const found = (failure: Report): void => run.careful?.found(variant.rule, registers, failure);
            return () => {
                if (failures.first !== undefined) {
                    found(failures.first);
                    return;
                }
                attempt(
                    () => true,
                    () => {
                        for (const check of checks) check();
                    },
                );
                if (failures.first === undefined) go();
                else found(failures.first);
                failures.first = undefined;
            };
        }
        default:
            return plainly();
    }
}

/** Whether a match may contribute its values to aggregates. */
function compileChecks(output: PlanOutput, { registers, run }: VariantContext): Step {
    if (output.kind !== 'contribute') return () => undefined;
    const { aggregates } = planOf(run, output.relation).groups!;
    const checked = output.contributions.flatMap(({ value, counts }, i) => {
        const aggregate = aggregates[i]!;
        return value === undefined || counts === 'one' || !needsNumbers(aggregate) ? [] : [{ aggregate, slot: registers.slot(value) }];
    });
    return () => {
        for (const { aggregate, slot } of checked) {
            const value = registers.values[slot]!;
            if (!run.dictionary.isNull(value)) requireNumber(aggregate, run.dictionary, value);
        }
    };
}
