import { planOf } from '#engine/engine.ts';
import { printPlan } from '#engine/plan/print-plan.ts';
import type { PassName } from '#engine/plan/program-passes.ts';
import { programOf } from '../evaluate/run-program.ts';

/** The plan of a program as inline snapshots hold it: after an empty line. */
export function printedPlan(text: string, ...disabled: readonly PassName[]): string {
    const disabledPasses = new Set(disabled);
    return `\n${printPlan(planOf(programOf(text), { disabledPasses }), disabledPasses)}`;
}
