import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { differences } from '../support/compare-variations.ts';
import { check, outcomeOf, runOptions } from '../support/conformance.ts';
import { featureProgram } from '../support/feature-program.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { conformanceSeed } from '../support/program-variations.ts';
import { sqlAnswer } from '../support/sql-answer.ts';
import { stratifiedProgram, stratifiedText } from '../support/stratified-program.ts';

const seed = conformanceSeed();
/** How many programs each comparison has: `CONFORMANCE_RUNS=20000` for a night. */
const numRuns = Number(process.env.CONFORMANCE_RUNS ?? 300);
const DAY = 86_400_000;

it(`programs give the same facts however they are written and evaluated (seed ${seed})`, { timeout: DAY }, async () => {
    const property = fc.asyncProperty(fc.oneof(generatedProgram, featureProgram), fc.nat(), async (text, choice) => {
        expect(await differences(text, choice)).toEqual([]);
    });
    await fc.assert(property, { seed, numRuns });
});

it(`stratified programs give the facts that SQL gives (seed ${seed})`, { timeout: DAY }, async () => {
    const connection = await (await DuckDBInstance.create()).connect();
    const property = fc.asyncProperty(stratifiedProgram, async program => {
        const text = stratifiedText(program);
        const { program: analysed, errors } = check(text);
        expect(errors, text).toEqual([]);
        const { facts } = outcomeOf(await evaluate(analysed, runOptions('.')));
        const observed = [...facts].flatMap(([name, rows]) => rows.map(row => `${name}(${row.join(', ')})`));
        expect(observed.sort(), text).toEqual(await sqlAnswer(program, connection));
    });
    // A program is a hundred queries.
    await fc.assert(property, { seed, numRuns: Math.ceil(numRuns / 5) });
});
