import { expect } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { PASSES, type PassName } from '#engine/plan/program-passes.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { formatText } from '#language/editing/format-edits.ts';
import { allClauses } from '#language/program/inclusion.ts';
import { printProgram } from '#language/program/print.ts';
import type { Clause, Program } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { type ConformanceProgram, check, type Evaluator, type Observed, observe, runOptions } from './conformance.ts';
import { factsText, sameFacts } from './expected-facts.ts';
import { seededRandom, shuffledProgram } from './program-variations.ts';
import { EXEMPTIONS } from './proof-exemptions.ts';
import { renamedProgram } from './renamed-program.ts';
import { expectChase, expectExplanations } from './well-founded.ts';

/** What is asked about a program beyond its facts; a run that it makes may be one without some passes. */
export type Question = (program: ConformanceProgram, random: () => number, without?: ReadonlySet<PassName>) => Promise<void> | void;

/** The facts, names, types, errors and reports that the program states. */
export async function checkExpectation(program: ConformanceProgram): Promise<void> {
    const { expectation } = program;
    expect(check(program.text, expectation.parameters, program.folder).errors).toEqual(expectation.problems);
    if (expectation.problems.length > 0) return;
    const observed = await observe(program, program.text, evaluate);
    expect(observed.reports).toEqual([...expectation.reports].sort());
    expectFacts(observed, program);
    for (const predicate of expectation.ordered) expect(observed.facts.get(predicate)).toEqual(expectation.facts.get(predicate));
    for (const [predicate, names] of expectation.columnNames) expect(observed.columnNames.get(predicate)).toBe(names);
    for (const [predicate, types] of expectation.types) expect(observed.types.get(predicate)).toBe(types);
}

function expectFacts(observed: Observed, { expectation }: ConformanceProgram): void {
    const actual = new Map([...observed.facts].filter(([predicate, rows]) => rows.length > 0 || expectation.facts.has(predicate)));
    if (!sameFacts(actual, expectation.facts)) expect(factsText(actual)).toBe(factsText(expectation.facts));
    expect([...actual.keys()].sort()).toEqual([...expectation.facts.keys()].sort());
}

function expectSame(observed: Observed, program: ConformanceProgram): void {
    expectFacts(observed, program);
    expect(observed.reports).toEqual([...program.expectation.reports].sort());
}

/** The source of chance for a question about a program, the same whichever other questions are asked. */
export function questionRandom(seed: number, name: string, question: string): () => number {
    const mixed = [...`${name} ${question}`].reduce((sum, character) => (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0, seed);
    return seededRandom(mixed);
}

/** The program with the clauses of its modules as its own (D-65). */
function inOneFile({ text, folder, expectation }: ConformanceProgram): Program {
    const { program } = check(text, expectation.parameters, folder).program;
    const isOwn = ({ place }: Clause): boolean => place.file === program.file;
    const isKept = (clause: Clause): boolean =>
        !clause.annotations.some(({ name }) => name === 'module' || name === 'include' || (name === 'output' && !isOwn(clause)));
    return { file: program.file, clauses: allClauses(program).filter(isKept) };
}

/** Without modules it would ask the same as about the printed program. */
const OF_MODULES = 'modules may as well be written into the program';

/** Rows of each output that are explained. */
const EXPLAINED_ROWS = 10;

const NAIVE = 'the naive evaluator gives the same';
const GOALS = 'outputs are the same where nobody looks at anything else';
const ORDER = 'printed with its clauses in another order it gives the same';
const NAMES = 'names of object members do as predicates';
const EXPLAINED = 'its facts can be explained';

/** Questions that need a run; they are asked about programs without errors. */
export const RUN_QUESTIONS: Readonly<Record<string, Question>> = {
    [NAIVE]: async program => {
        expectSame(await observe(program, program.text, evaluateNaive), program);
    },
    'without any pass the facts are the same': async program => {
        expectFacts(await observe(program, program.text, evaluate, new Set(PASSES)), program);
    },
    [GOALS]: async (program, _, without) => {
        const goalsOnly: Evaluator = (analysed, options) => evaluate(analysed, { ...options, goalsOnly: true });
        expectSame(await observe(program, program.text, goalsOnly, without), program);
    },
    [EXPLAINED]: async ({ name, folder, text, expectation }) => {
        const { program } = check(text, expectation.parameters, folder);
        const outcome = await evaluate(program, { ...runOptions(folder, expectation.parameters, program.program), heights: true });
        const settled = !outcome.reports.some(({ code }) => code === 'RT050');
        if (!outcome.ok || !settled) return;
        expect([...expectExplanations(outcome.database, EXPLAINED_ROWS)], 'what cannot be checked').toEqual(EXEMPTIONS[name] ?? []);
        expectChase(outcome.database);
    },
    // The others have texts of their own, which are analysed anew.
    [ORDER]: async (program, random, without) => {
        expectSame(await observe(program, shuffledProgram(program.text, random), evaluate, without), program);
    },
    [NAMES]: async (program, _, without) => {
        const { text, names } = renamedProgram(inOneFile(program));
        const facts = new Map([...program.expectation.facts].map(([name, rows]) => [names.get(name) ?? name, rows]));
        const renamed = { ...program, expectation: { ...program.expectation, facts } };
        expectSame(await observe(renamed, text, evaluate, without), renamed);
    },
    [OF_MODULES]: async program => {
        expectFacts(await observe(program, printProgram(inOneFile(program)), evaluate), program);
    },
};

/** One question about many passes at once. */
export const SOME_PASSES: Readonly<Record<string, Question>> = {
    'without some passes the facts are the same': async (program, random) => {
        const without = new Set(PASSES.filter(() => random() < 0.3));
        expectSame(await observe(program, program.text, evaluate, without), program);
    },
};

/** Which passes the runs of some of the questions leave out, so that each pass is left out once, with others each time. */
export function passesLeftOut(questions: readonly string[], random: () => number): ReadonlyMap<string, ReadonlySet<PassName>> {
    const running = questions.filter(question => [GOALS, ORDER, NAMES].includes(question));
    const shuffled = PASSES.map(pass => ({ pass, at: random() })).sort((one, other) => one.at - other.at);
    const share = (at: number) => shuffled.flatMap(({ pass }, i) => (i % running.length === at ? [pass] : []));
    return new Map(running.map((question, at) => [question, new Set(share(at))]));
}

/** Questions about the engine's own matching and about renaming, which queries and scripts are not asked: other programs answer them. */
const NOT_OF_QUERIES = [NAIVE, NAMES, EXPLAINED];

export function isAsked(question: string, { name, text }: ConformanceProgram): boolean {
    if (question === NAIVE && name.startsWith('samples')) return false;
    if (question === OF_MODULES && !/@(?:include|module)\b/u.test(text)) return false;
    return !/(?:<-\s*|#[A-Z]+\(")(?:SELECT|WITH)\b|python:run/u.test(text) || !NOT_OF_QUERIES.includes(question);
}

/** Beginnings of a program that are read; others each time that chance chooses. */
const PREFIXES = 2;

/** Questions about the text alone; they are asked about every program. */
export const TEXT_QUESTIONS: Readonly<Record<string, Question>> = {
    'printing is a fixed point': ({ text }) => {
        const printed = printProgram(readProgram(text, 'print').value);
        expect(printProgram(readProgram(printed, 'print').value)).toBe(printed);
    },
    'formatting is idempotent and changes no meaning': ({ text }) => {
        const formatted = formatText(text);
        expect(formatText(formatted)).toBe(formatted);
        expect(printProgram(readProgram(formatted, 'format').value)).toBe(printProgram(readProgram(text, 'format').value));
    },
    'no prefix makes reader or analysis throw': ({ text }, random) => {
        const step = Math.max(1, Math.floor(text.length / PREFIXES));
        for (let end = Math.floor(random() * step); end < text.length; end += step)
            analyse(readProgram(text.slice(0, end), 'prefix').value);
    },
};
