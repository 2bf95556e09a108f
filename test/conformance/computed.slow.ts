import { expect, test } from 'vitest';
import type { StratumPlace } from '#engine/contracts/run-statistics.ts';
import { evaluate } from '#engine/engine.ts';
import { atDuckDb } from '../fuzz/pushed-programs.ts';
import { conformancePrograms, observe } from '../support/conformance.ts';
import { factsText, sameFacts } from '../support/expected-facts.ts';

/** An engine need not compute what no row depends on: the overflow of a sum that is then too large is not seen there. */
const UNSEEN_ERRORS = new Set(['arithmetic/error-where-all-else-holds']);

const programs = conformancePrograms().filter(({ name, expectation }) => expectation.problems.length === 0 && !UNSEEN_ERRORS.has(name));
const places: StratumPlace[] = [];

test.each(programs.map(program => [program.name, program] as const))('%s is the same at DuckDB', async (_, program) => {
    const there = await observe(
        program,
        program.text,
        atDuckDb(all => void places.push(...all)),
    );
    const here = await observe(program, program.text, evaluate);
    expect(there.reports).toEqual(here.reports);
    expect([...there.types, ...there.columnNames]).toEqual([...here.types, ...here.columnNames]);
    if (!sameFacts(there.facts, here.facts)) expect(factsText(there.facts)).toBe(factsText(here.facts));
});

test('two strata in five are evaluated there', () => {
    const pushed = places.filter(place => 'statements' in place);
    expect(pushed.length / places.length).toBeGreaterThan(0.4);
});
