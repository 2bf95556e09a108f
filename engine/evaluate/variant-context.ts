import type { OrderedRule } from '../plan/plan.ts';
import type { Failures } from './compile-careful.ts';
import type { Registers } from './registers.ts';
import type { Counts } from './rule-profile.ts';
import type { RunContext } from './run-context.ts';
import type { Scope } from './scope.ts';

/** State that the steps of one variant share while they are compiled. */
export interface VariantContext {
    readonly run: RunContext;
    readonly variant: OrderedRule;
    readonly registers: Registers;
    readonly scope: Scope;
    /** Identifies the rule among those of the run. */
    readonly ruleName: string;
    readonly recursive: boolean;
    /** Present if one match of the steps is enough; says whether there is one. */
    readonly search?: Search;
    /** Present if the run is careful. */
    readonly failures?: Failures;
    /** Present if the run is profiled. */
    readonly counts?: Counts;
    /** Present if the run is profiled and one match of a step stands for several; returns their current number. */
    readonly standsFor?: () => number;
}

interface Search {
    found: boolean;
}
