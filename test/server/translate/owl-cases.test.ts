import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { owlProgram } from '#server/translate/owl/program.ts';
import { rdfTriples } from '#server/translate/rdf/triples.ts';
import { type Observed, observe } from '../../support/conformance.ts';
import { readExpectation } from '../../support/expected-facts.ts';

/** Facts that owlrl derives; `npm run test:engines` compares them with owlrl itself. */
const VERDICTS: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(import.meta.dirname, 'owl-cases.verdicts.json'), 'utf8'));
const PREFIXES = `@prefix : <http://e.org/o#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
`;
const CASES = readFileSync(join(import.meta.dirname, 'owl-cases.txt'), 'utf8')
    .split('\n== ')
    .slice(1)
    .map(text => ({ name: text.slice(0, text.indexOf('\n')), text: text.slice(text.indexOf('\n')) }));

function run(text: string, includeNotRules: boolean): Promise<Observed> {
    const read = rdfTriples(`${PREFIXES}${text}`);
    if (read.kind === 'refused') throw new Error(read.problem.message);
    const { program } = owlProgram(read.triples, { includeSchema: false, includeNotRules });
    return observe({ folder: import.meta.dirname, expectation: readExpectation('') }, program, evaluate, new Set(), []);
}

/** Rows of named individuals, as owlrl's are written. */
function namedFacts({ facts }: Observed): string[] {
    const names = 'http://e.org/o#';
    return [...facts].flatMap(([predicate, rows]) =>
        rows.flatMap(row => {
            if (!row.every(cell => cell.startsWith(`"${names}`))) return [];
            return [`${predicate}(${row.map(cell => cell.slice(names.length + 1, -1)).join()})`];
        }),
    );
}

test.each(CASES)('$name', async ({ name, text }) => {
    const beyond = Array.from(text.matchAll(/^# beyond (.+)$/gmu), ([, facts = '']) => facts.split(' ')).flat();
    const plain = await run(text, false);
    const constrained = await run(text, true);
    expect(plain.reports.filter(code => code !== 'RT021')).toEqual([]);
    const isContradiction = constrained.reports.includes('RT041');
    if (!isContradiction) expect(namedFacts(constrained).sort()).toEqual(namedFacts(plain).sort());
    const found = [...namedFacts(plain), ...(isContradiction ? ['#F'] : [])];
    const expected = VERDICTS[name]?.split(' ').filter(fact => fact !== '') ?? [];
    expect(beyond.filter(fact => expected.includes(fact))).toEqual([]);
    expect(found.sort()).toEqual([...expected, ...beyond].sort());
});

test('every case has a verdict', () => {
    expect(Object.keys(VERDICTS).sort()).toEqual(CASES.map(({ name }) => name).sort());
});
