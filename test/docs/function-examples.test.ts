import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { termText } from '#engine/values/text.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { functionReference } from '#language/editing/function-reference.ts';
import { FUNCTIONS } from '#language/library/function-catalogue.ts';
import { functionExample } from '#language/library/function-examples.ts';
import { OPERATOR_GROUPS } from '#language/library/operators.ts';
import { RELATION_FUNCTIONS } from '#language/library/relation-functions.ts';
import { AGGREGATE_FACTS, AGGREGATES } from '#language/program/aggregates.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { runOptions } from '../support/conformance.ts';

/** The rows of `r` as terms, each in a list. */
async function rowsOf(text: string): Promise<{ rows: string[][]; reports: string[] }> {
    const program = analyse(readProgram(`${text}\n@output("r").`, 'example.rulelang').value);
    expect(program.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const outcome = await evaluate(program, runOptions('.'));
    const reports = outcome.reports.map(({ code }) => code);
    if (!outcome.ok) return { rows: [], reports };
    const { database } = outcome;
    const label = nullLabels(database.dictionary);
    const listing = listPredicate(database, predicateKey('r', program.predicatesNamed('r')[0]?.arity ?? 0));
    const cell = (row: number, column: number): string =>
        termText(database.dictionary, listing.at(row, column), listing.columns[column]?.type ?? MIXED, label);
    return {
        rows: Array.from({ length: listing.count }, (_, row) => listing.columns.map((_, column) => cell(row, column))),
        reports,
    };
}

const tuples = (rows: readonly string[][]): string => rows.map(row => `(${row.join(', ')})`).join(', ');

describe('every function has an example that gives what it says', () => {
    test.each(FUNCTIONS.map(entry => [entry.name, entry] as const))('%s', async (name, entry) => {
        const example = functionExample(name);
        expect(example?.call).toContain(`${name}(`);
        const { rows, reports } = await rowsOf(`r(X) <- X = ${example?.call}.`);
        if (entry.provider) expect({ value: example?.value, reports }).toEqual({ reports: ['RT060'] });
        else expect(rows.map(([value]) => value).join(', ')).toBe(example?.value);
    });
});

describe('every relation function has one', () => {
    test.each(RELATION_FUNCTIONS.map(entry => [entry.name, entry] as const))('#%s', async (_, { name, columns, example }) => {
        expect(example.call).toContain(`#${name}(`);
        const heads = example.rows === undefined ? 'X, Y, Z' : columns + (example.call.includes('visited=true') ? ', V' : '');
        const { rows, reports } = await rowsOf(`${example.facts} r(${heads}) <- ${example.call}.`);
        if (example.rows === undefined) expect(reports).toEqual(['RT060']);
        else expect(tuples(rows)).toBe(example.rows);
    });
});

describe('every aggregate has one', () => {
    test.each(Object.values(AGGREGATES).map(entry => [entry.name, entry] as const))('%s', async (name, { example }) => {
        expect(example.call).toContain(`${name}(`);
        const { rows } = await rowsOf(`${AGGREGATE_FACTS} r(R, X) <- sale(R, Q, P), X = ${example.call}.`);
        expect(tuples(rows)).toBe(example.rows);
    });
});

describe('every operator has one', () => {
    test.each(OPERATOR_GROUPS.flat().map(entry => [entry.operator, entry] as const))('%s', async (_, { example }) => {
        const { rows } = await rowsOf(`r(X) <- X = (${example.call}).`);
        expect(rows).toEqual([[example.value]]);
    });
});

test('the page about functions is current; else run npm run generate', () => {
    expect(fs.readFileSync(new URL('../../docs/functions.md', import.meta.url), 'utf8')).toBe(functionReference());
});
