import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { languagePage, PAGE_EXAMPLES } from '#language/editing/language-page.ts';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { FUNCTIONS } from '#language/library/function-catalogue.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import { readProgram } from '#language/read-program.ts';
import { runOptions } from '../../support/conformance.ts';

/** Rows of the outputs of the examples, in their order; the second reads a file. */
const ROWS = [{ ancestor: 3, childless: 1 }, undefined, { controls: 4 }, { named: 3 }, { pair: 1 }];

describe('the examples of the page', () => {
    test.each(PAGE_EXAMPLES.map(({ about, program }, i) => [about, program, ROWS[i]] as const))('%s', async (_, text, rows) => {
        const program = analyse(readProgram(text, 'example.rulelang').value);
        expect(program.problems.filter(({ severity }) => severity !== 'hint' && severity !== 'information')).toEqual([]);
        if (rows === undefined) return;
        const outcome = await evaluate(program, runOptions('.'));
        if (!outcome.ok) throw new Error(JSON.stringify(outcome.reports));
        const counts = program.outputs.map(key => [program.predicates.get(key)?.name, outcome.database.relation(key)?.count]);
        expect(Object.fromEntries(counts)).toEqual(rows);
    });
});

test('the page names everything that there is, in fewer than 20,000 characters', () => {
    const page = languagePage();
    const supported = [...ANNOTATIONS.values()].filter(({ unsupported }) => !unsupported);
    const names = [...supported.map(({ name }) => `@${name}`), ...FUNCTIONS.map(({ name }) => name), ...Object.keys(AGGREGATES)];
    expect(names.filter(name => !page.includes(name))).toEqual([]);
    expect(page).not.toMatch(/undefined|\[object/u);
    expect(page.length).toBeLessThan(20_000);
});
