import fc from 'fast-check';
import { expect } from 'vitest';
import type { StratumPlace } from '#engine/contracts/run-statistics.ts';
import { evaluate } from '#engine/engine.ts';
import { pushedTo } from '#engine/pushdown/pushed-run.ts';
import { duckDbCompute } from '#server/compute/duckdb-compute.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { check, type Evaluator, observe } from '../support/conformance.ts';
import { factsText, readExpectation, sameFacts } from '../support/expected-facts.ts';
import { featureProgram } from '../support/feature-program.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { sampled } from './sampled.ts';
import type { Search } from './search.ts';

/** One database for all programs; runs have tables of their own. */
const START = pushedTo(duckDbCompute({ memory: 2 ** 28, threads: 1 }));

/** The evaluator with DuckDB; `hear` gets where the strata were evaluated. */
export function atDuckDb(hear: (places: readonly StratumPlace[]) => void = () => undefined): Evaluator {
    return async (program, options) => {
        const outcome = await evaluate(program, { ...options, compute: START });
        if (outcome.ok) hear(outcome.statistics.places ?? []);
        return outcome;
    };
}

const program = { folder: '.', expectation: readExpectation('') };

/** The facts are the same where an engine evaluates what it can; found are the strata that it did. */
export const pushedPrograms: Search<number> = {
    name: 'pushed-programs',
    text: sampled(fc.oneof(generatedProgram, featureProgram)),
    async check(text) {
        // Which rows `@post` keeps depends on the numbers of unknown values.
        if (text.includes('@post') || check(text).errors.length > 0) return undefined;
        let pushed = 0;
        const hear = (places: readonly StratumPlace[]): void => {
            pushed = places.filter(place => 'statements' in place).length;
        };
        const expected = await observe(program, text, evaluateNaive);
        const observed = await observe(program, text, atDuckDb(hear));
        if (!sameFacts(observed.facts, expected.facts)) expect(factsText(observed.facts), text).toBe(factsText(expected.facts));
        return pushed;
    },
};
