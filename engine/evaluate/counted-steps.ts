import type { PlanStep } from '../plan/plan.ts';
import type { BatchStep } from './batch-context.ts';
import type { Step } from './compile-read.ts';
import type { VariantContext } from './variant-context.ts';

/** Counts the matches that come to a step, where the run is profiled. */
export function counted(step: PlanStep, run: Step, { counts, standsFor }: VariantContext): Step {
    const place = counts?.places.get(step);
    if (counts === undefined || place === undefined) return run;
    const { reached } = counts.of;
    if (standsFor !== undefined) {
        return () => {
            reached[place]! += standsFor();
            run();
        };
    }
    return () => {
        reached[place]!++;
        run();
    };
}

/** The same for a step that takes many matches at once. */
export function countedBatch(step: PlanStep, run: BatchStep, { counts }: VariantContext): BatchStep {
    const place = counts?.places.get(step);
    if (counts === undefined || place === undefined) return run;
    const { reached } = counts.of;
    return count => {
        reached[place]! += count;
        run(count);
    };
}

/** Adds matches that come to a step which is not run for each of them; nothing where the run is not profiled. */
export function countFor(step: PlanStep, { counts }: VariantContext): ((matches: number) => void) | undefined {
    const place = counts?.places.get(step);
    if (counts === undefined || place === undefined) return undefined;
    const { reached } = counts.of;
    return matches => {
        reached[place]! += matches;
    };
}
