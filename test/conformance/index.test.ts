import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPORTS } from '#engine/reports/reports.ts';
import { DIRECTIVE_FORMS } from '#language/analysis/post-text.ts';
import { ANNOTATIONS, TEST_ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { FUNCTIONS } from '#language/library/function-catalogue.ts';
import { RELATION_FUNCTIONS } from '#language/library/relation-functions.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import { conformancePrograms } from '../support/conformance.ts';

const programs = conformancePrograms();
const stated = programs.flatMap(({ expectation }) => expectation.covers);

/** Programs without comments, and without the texts in which a name would be no call. */
const codes = programs.map(({ text }) => text.replaceAll(/^\s*%.*$/gmu, ''));
const withoutStrings = codes.map(code => code.replaceAll(/"(?:[^"\\]|\\.|"")*"/gu, '""')).join('\n');

/** Decisions about what no program shows by its facts, with the test that holds them: its file and words from its name. */
const SHOWN_ELSEWHERE = new Map<string, readonly [file: string, words: string]>([
    ['D-70', ['cli/sources.test.ts', 'save modes']],
    ['D-71', ['language/tools/tools.test.ts', 'building a bind']],
    ['D-74', ['cli/provenance.test.ts', 'an aggregated fact and its contributions']],
    ['D-75', ['cli/provenance.test.ts', 'every derivation, further premises on the right']],
    ['D-76', ['engine/explain/explain.test.ts', 'the JSON form has the keys']],
    ['D-77', ['engine/explain/explain.test.ts', 'in words, a premise that was just concluded is not repeated']],
    ['D-79', ['cli/run.test.ts', 'json: every output, nulls, long integers, no rows']],
    ['D-85', ['model/model-functions.test.ts', 'facts around the values of a row stand in a prompt']],
]);

/** Decisions about concepts, which hosts have. */
const NOT_HERE = new Set(['D-78']);

const reference = readFileSync(new URL('../../docs/reference/language.md', import.meta.url), 'utf8');
const decisions = [...reference.matchAll(/^\| (D-\d+) \|/gmu)].map(([, decision = '']) => decision);

/** Worked examples: those at the end of the reference, and those of its sections. */
const EXAMPLES = [
    ...Array.from({ length: 12 }, (_, i) => `B${i + 1}`),
    ...['3.3', '3.5', '3.6', '4.5', '4.7', '5.2', '5.3', '5.5', '5.7', '7.5', '8.9', '11.2', '11.3'],
];

/** Reports that need something that a program alone cannot bring about. */
const NEEDS_A_HOST = new Map<string, readonly [file: string, words: string]>([
    ['RT032', ['cli/interruption.slow.ts', 'error RT032']],
    ['RT066', ['cli/sources.test.ts', "['RT066', `@module"]],
    ['RT067', ['cli/sources.test.ts', 'error RT067']],
    ['RT090', ['server/python/scripts.slow.ts', "RT090 Script 'fetch' failed"]],
    ['RT092', ['engine/evaluate/providers.test.ts', "code: 'RT092'"]],
    ['RT100', ['engine/evaluate/profile.test.ts', "'RT100 n(Y) makes"]],
    ['RT101', ['engine/evaluate/profile.test.ts', "'RT101 No row of 3 meets"]],
    ['RT102', ['engine/evaluate/profile.test.ts', "'RT102 This rule never fired"]],
]);

describe('the conformance programs show', () => {
    it('every decision', () => {
        const shown = new Set([...stated, ...SHOWN_ELSEWHERE.keys(), ...NOT_HERE]);
        expect(decisions.filter(decision => !shown.has(decision))).toEqual([]);
    });

    it('every worked example', () => {
        expect(EXAMPLES.filter(example => !stated.includes(example))).toEqual([]);
    });

    it('nothing that does not exist', () => {
        expect(stated.filter(key => !decisions.includes(key) && !EXAMPLES.includes(key))).toEqual([]);
    });

    it('every function', () => {
        const called = new Set(withoutStrings.match(/(?<![\w:#])(?:[a-zA-Z]+:)?\w+(?=\()/gu));
        expect(FUNCTIONS.map(({ name }) => name).filter(name => !called.has(name))).toEqual([]);
    });

    it('every aggregate', () => {
        const called = new Set(withoutStrings.match(/\w+(?=\()/gu));
        expect(Object.keys(AGGREGATES).filter(name => !called.has(name))).toEqual([]);
    });

    it('every relation function', () => {
        const called = new Set(withoutStrings.match(/(?<=#)\w+(?=\()/gu));
        expect(RELATION_FUNCTIONS.map(({ name }) => name).filter(name => !called.has(name))).toEqual([]);
    });

    it('every annotation', () => {
        const written = new Set(withoutStrings.match(/(?<=@)\w+/gu));
        // Those of test files are shown by `cli/tested.test.ts`.
        expect([...ANNOTATIONS.keys()].filter(name => !written.has(name) && !TEST_ANNOTATIONS.has(name))).toEqual([]);
    });

    it('every directive of @post', () => {
        const written = new Set([...codes.join('\n').matchAll(/@post\(\s*"\w+",\s*"\s*(\w+)/gu)].map(([, word]) => word));
        expect([...DIRECTIVE_FORMS.keys()].filter(word => !written.has(word))).toEqual([]);
    });

    it('every report of a run', () => {
        const reported = new Set([...programs.flatMap(({ expectation }) => expectation.reports), ...NEEDS_A_HOST.keys()]);
        expect(Object.keys(REPORTS).filter(report => !reported.has(report))).toEqual([]);
    });
});

it.each([...SHOWN_ELSEWHERE, ...NEEDS_A_HOST])('%s has a test of its own', (_, [file, words]) => {
    const path = join(import.meta.dirname, '..', file);
    expect(existsSync(path), file).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain(words);
});
