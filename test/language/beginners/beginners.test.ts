import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { type OpenDocument, openDocument } from '#language/document/open-document.ts';
import { fixAll } from '#language/editing/fix-all.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { observe } from '../../support/conformance.ts';
import { readExpectation } from '../../support/expected-facts.ts';
import { applied } from '../editing/editing-markers.ts';
import { BROKEN_PROGRAMS, type Step } from './broken-programs.ts';
import { LOGIC_HABITS } from './logic-habits.ts';
import { QUERY_HABITS } from './query-habits.ts';
import { SCRIPT_HABITS } from './script-habits.ts';
import { SLIPS } from './slips.ts';
import { SQL_HABITS } from './sql-habits.ts';

const PROGRAMS = [...BROKEN_PROGRAMS, ...SQL_HABITS, ...LOGIC_HABITS, ...SLIPS, ...SCRIPT_HABITS, ...QUERY_HABITS];

/** Programs as beginners write them, and people who know SQL, Prolog and other dialects of Datalog. */
let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rulelang-beginners-'));
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data/p.csv'), 'name,age\nann,3\nbob,4\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(PROGRAMS)('$name', ({ text, steps, facts }) => {
    afterAll(() => {
        opened.clear();
        answered.clear();
    });

    test('is mended step by step', async () => {
        const mended = steps.reduce<string>(taken, text);
        expect(problemsOf(open(mended)).filter(({ severity }) => severity === 'error')).toEqual([]);
        const wanted = Object.fromEntries(Object.entries(facts).map(([name, rows]) => [name, [...rows].sort()]));
        expect(await factsOf(mended)).toEqual(wanted);
    });

    /** What `check --fix` does by itself: nothing twice, and no error more. */
    test('fixing all at once is safe', () => {
        const errors = (changed: string): number => problemsOf(open(changed)).filter(({ severity }) => severity === 'error').length;
        const once = fixAll(open(text), new Map(), open).text;
        expect(fixAll(open(once), new Map(), open).text).toBe(once);
        expect(errors(once)).toBeLessThanOrEqual(errors(text));
    });

    /** What a program without errors gives stays what it is, and a broken one keeps its clauses. */
    test('fixing all at once keeps facts and clauses', async () => {
        const clauses = (changed: string): number => open(changed).program.clauses.filter(({ kind }) => kind !== 'broken').length;
        const isValid = (changed: string): boolean => problemsOf(open(changed)).every(({ severity }) => severity !== 'error');
        const stages = [text];
        for (const step of steps) stages.push(taken(stages.at(-1) ?? text, step));
        for (const stage of stages) {
            const fixed = fixAll(open(stage), new Map(), open).text;
            expect({ stage, fixed, fewer: clauses(fixed) < clauses(stage) }).toEqual({ stage, fixed, fewer: false });

            if (isValid(stage)) expect({ fixed, facts: await factsOf(fixed) }).toEqual({ fixed, facts: await factsOf(stage) });
        }
        const wanted = Object.fromEntries(Object.entries(facts).map(([name, rows]) => [name, [...rows].sort()]));
        expect(await factsOf(fixAll(open(stages.at(-1) ?? text), new Map(), open).text)).toEqual(wanted);
    });
});

/** Documents of the texts that a program goes through, each of which several tests look at. */
const opened = new Map<string, OpenDocument>();

function open(text: string): OpenDocument {
    const document = opened.get(text) ?? openDocument(text, 'p.rulelang');
    opened.set(text, document);
    return document;
}

function problemsOf(document: OpenDocument): ReturnType<typeof reportedProblems> {
    return reportedProblems({ ...document, clauses: document.analysed.program.clauses });
}

/** The text after one step; the problem that the step is about must be there, with a fix or words that lead to it. */
function taken(text: string, step: Step): string {
    const document = open(text);
    const code = typeof step === 'string' ? step : step.code;
    const problem = problemsOf(document).find(found => found.code === code);
    expect({ text, code, found: problem?.code }).toEqual({ text, code, found: code });
    if (problem === undefined) return text;
    if (typeof step === 'object' && 'edit' in step) {
        expect(`${problem.message}; ${problem.remedy}`).toMatch(step.says);
        const [from, to] = step.edit;
        expect(text).toContain(from);
        return text.replace(from, to);
    }
    const fixes = quickFixes(document, problem);
    const fix = fixes.find(({ title, preferred }) => (typeof step === 'string' ? preferred : step.title.test(title)));
    expect({ text, step, fixed: fix !== undefined, fixes: fixes.map(({ title }) => title) }).toMatchObject({ fixed: true });
    return fix === undefined ? text : applied(text, fix.edits);
}

/** What they give, where that was asked. */
const answered = new Map<string, Promise<Record<string, string[]>>>();

function factsOf(text: string): Promise<Record<string, string[]>> {
    const facts = answered.get(text) ?? evaluated(text);
    answered.set(text, facts);
    return facts;
}

/** The rows of the outputs, each as its terms. */
async function evaluated(text: string): Promise<Record<string, string[]>> {
    const observed = await observe({ folder, expectation: readExpectation(text) }, text, evaluate);
    return Object.fromEntries([...observed.facts].map(([name, rows]) => [name, rows.map(row => row.join(', ')).sort()]));
}
