import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { variations } from '../fuzz/generated.ts';
import { searched } from '../fuzz/search.ts';
import { clingoAnswer, fitsClingo } from '../support/clingo-answer.ts';
import { check, outcomeOf, runOptions } from '../support/conformance.ts';
import { conformanceSeed } from '../support/program-variations.ts';
import { sqlAnswer } from '../support/sql-answer.ts';
import { type StratifiedProgram, stratifiedProgram, stratifiedText } from '../support/stratified-program.ts';

const seed = conformanceSeed();
/** How many programs each comparison has: `CONFORMANCE_RUNS=20000` for a night. */
const numRuns = Number(process.env.CONFORMANCE_RUNS ?? 60);
const DAY = 86_400_000;

it('programs give the same facts however they are written and evaluated', () => searched(variations, 1_020_777, 20));

it(`stratified programs give the facts that SQL gives (seed ${seed})`, { timeout: DAY }, async () => {
    const connection = await (await DuckDBInstance.create()).connect();
    const property = fc.asyncProperty(stratifiedProgram, async program => {
        expect(await factsOf(program), stratifiedText(program)).toEqual(await sqlAnswer(program, connection));
    });
    // A program is a hundred queries.
    await fc.assert(property, { seed, numRuns: Math.ceil(numRuns / 4) });
});

it(`stratified programs give the facts that clingo gives (seed ${seed})`, { timeout: DAY }, async () => {
    const property = fc.asyncProperty(stratifiedProgram.filter(fitsClingo), async program => {
        expect(await factsOf(program), stratifiedText(program)).toEqual(clingoAnswer(program));
    });
    await fc.assert(property, { seed, numRuns });
});

/** Sorted texts `p(1, 2)`. */
async function factsOf(program: StratifiedProgram): Promise<string[]> {
    const { program: analysed, errors } = check(stratifiedText(program));
    expect(errors).toEqual([]);
    const { facts } = outcomeOf(await evaluate(analysed, runOptions('.')));
    return [...facts].flatMap(([name, rows]) => rows.map(row => `${name}(${row.join(', ')})`)).sort();
}
