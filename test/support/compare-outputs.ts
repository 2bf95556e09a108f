import { expect } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import { PASSES, type PassName } from '#engine/plan/program-passes.ts';
import { colouredFacts } from './coloured-facts.ts';
import { check, outcomeOf, runOptions } from './conformance.ts';
import { seededRandom } from './program-variations.ts';

/** A limit or an overflow may end a run later, or not at all, where less is derived. */
const ENDS_WHOLE_RUNS = new Set(['RT010', 'RT031']);
/** The passes that have an effect where nobody looks at other predicates. */
const UNSEEN: readonly PassName[] = ['idle-casts', 'rule-inlining', 'dead-columns'];

/** Some outputs of a program alone, at which alone somebody looks, are what they are with every pass switched off. */
export async function compareOutputs(text: string, choice: number): Promise<void> {
    const random = seededRandom(choice);
    const some = text.replaceAll(/@output\("\w+"\)\.\n?/gu, output => (random() < 0.25 ? output : ''));
    if (!some.includes('@output') || check(some).errors.length > 0) return;
    const whole = await answer(some, { disabledPasses: new Set(PASSES) });
    const compare = async (disabled: readonly PassName[]): Promise<void> => {
        const seen = await answer(some, { goalsOnly: true, disabledPasses: new Set([...disabled, ...UNSEEN]) });
        const observed = await answer(some, { goalsOnly: true, disabledPasses: new Set(disabled) });
        if (observed === undefined || whole === undefined) return;
        expect(observed.facts, some).toBe(whole.facts);
        expect(observed.reports, some).toEqual(seen?.reports);
    };
    await compare([]);
    await compare(PASSES.filter(() => random() < 0.3));
}

/** The facts of the outputs, and what was reported but for values that meet or do not; undefined where a limit ended the run. */
async function answer(
    text: string,
    options: Partial<RunOptions>,
): Promise<{ readonly facts: string; readonly reports: readonly string[] } | undefined> {
    const limits = { ...runOptions('.').limits, maxRounds: 200, maxFacts: 2000, maxNullDepth: 20 };
    const outcome = await evaluate(check(text).program, { ...runOptions('.'), limits, ...options });
    const { facts, reports } = outcomeOf(outcome);
    if (reports.some(code => ENDS_WHOLE_RUNS.has(code))) return undefined;
    return { facts: outcome.ok ? colouredFacts(facts) : 'failed', reports: reports.filter(code => code !== 'RT020') };
}
