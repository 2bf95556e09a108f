import type { OrderedRule } from '../plan/plan.ts';
import type { Failures } from './compile-careful.ts';
import type { Registers } from './registers.ts';
import type { Counts } from './rule-profile.ts';
import type { RunContext } from './run-context.ts';
import type { Scope } from './scope.ts';

/** What the steps of one variant share while they are compiled. */
export interface VariantContext {
    readonly run: RunContext;
    readonly variant: OrderedRule;
    readonly registers: Registers;
    readonly scope: Scope;
    /** Identifies the rule among those of the run. */
    readonly ruleName: string;
    readonly recursive: boolean;
    /** Where one match of the steps is enough: whether there is one. */
    readonly search?: Search;
    /** Where the run is careful. */
    readonly failures?: Failures;
    /** Where the run is profiled. */
    readonly counts?: Counts;
    /** Where the run is profiled and one match of a step stands for several: for how many just now. */
    readonly standsFor?: () => number;
}

interface Search {
    found: boolean;
}
