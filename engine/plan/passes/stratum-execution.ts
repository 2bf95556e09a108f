import type { SwitchedOff } from '../decisions.ts';
import { IN_ROUNDS, isTested, type Plan, type PlanStratum, type StratumExecution } from '../plan.ts';

/** Decides how strata are evaluated where no pass has done so yet: the last pass over the whole program. */
export function withStratumExecution(plan: Plan, isProfiled: boolean, disabled: SwitchedOff): Plan {
    const executionOf = ({ rules, recursive, execution }: PlanStratum): StratumExecution => {
        // Facts wait for the end of a round there.
        if (rules.some(rule => isTested(rule, plan))) return IN_ROUNDS;
        if (plan.heights) return { kind: 'heights' };
        // A profile takes each rule for itself.
        if (plan.rewrites || recursive || isProfiled || disabled.has('shared-prefixes')) return execution;
        return { kind: 'once' };
    };
    return { ...plan, strata: plan.strata.map(stratum => ({ ...stratum, execution: executionOf(stratum) })) };
}
