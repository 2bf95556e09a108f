import type { RunOptions } from '#engine/contracts/run-options.ts';
import { PASSES, type PassName } from '#engine/plan/program-passes.ts';
import { seededRandom } from '../support/program-variations.ts';

const without = (passes: readonly PassName[]): Partial<RunOptions> => ({ disabledPasses: new Set(passes) });

/** With everything, with heights, without any pass, without one of them, which takes its turn, and without some that chance chooses. */
export function someVariants(seed: number): readonly Partial<RunOptions>[] {
    const random = seededRandom(seed);
    return [
        {},
        { heights: true },
        without(PASSES),
        without(PASSES.filter((_, i) => i === seed % PASSES.length)),
        without(PASSES.filter(() => random() < 0.3)),
    ];
}
