import { expect } from 'vitest';
import type { RunOutcome } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import { PASSES, type PassName } from '#engine/plan/program-passes.ts';
import { formatText } from '#language/editing/format-edits.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { printProgram } from '#language/program/print.ts';
import { readProgram } from '#language/read-program.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { colouredFacts } from './coloured-facts.ts';
import { check, type Evaluator, outcomeOf, runOptions } from './conformance.ts';
import { seededRandom, shuffledProgram } from './program-variations.ts';
import { expectExplanations } from './well-founded.ts';

/** Everything that must not change what a program means, asked about one program; programs with errors are only read and laid out. */
export async function compareFeatures(text: string, choice: number): Promise<void> {
    const printed = printProgram(readProgram(text, 'print').value);
    expect(printProgram(readProgram(printed, 'print').value)).toBe(printed);
    const formatted = formatText(text);
    expect(formatText(formatted), 'formatting is idempotent').toBe(formatted);
    const { program, errors } = check(text);
    if (errors.length > 0) return;
    expect(printProgram(readProgram(formatted, 'format').value), 'formatting keeps the meaning').toBe(printed);

    const random = seededRandom(choice);
    const disabled = new Set<PassName>(PASSES.filter(() => random() < 0.4));
    const expected = await run(text, evaluateNaive);
    const nullsAreFinal = program.chase.weaklyAcyclic;
    const compare = async (words: string, changed: string, without: ReadonlySet<PassName>, whole = true): Promise<void> => {
        const observed = await run(changed, evaluate, without);
        if (observed === undefined || expected === undefined) return;
        const facts = (text: string): string => (whole ? text : withoutNulls(text));
        expect(facts(observed), `${words}\n${changed}`).toBe(facts(expected));
    };
    await compare('as written', text, new Set());
    await compare(`without ${[...disabled].join(', ')}`, text, disabled);
    await compare('without any pass', text, new Set(PASSES));
    await compare('printed', printed, new Set());
    await compare('formatted', formatted, new Set());
    // Which rows these keep depends on nulls, which the order of clauses numbers.
    if (!text.includes('@post')) await compare('shuffled', shuffledProgram(text, random), new Set(), nullsAreFinal);
    await explain(program);
}

async function explain(program: AnalysedProgram): Promise<void> {
    const outcome = await evaluate(program, { ...options(), heights: true });
    if (outcome.ok && !outcome.reports.some(({ code }) => code === 'RT050')) expectExplanations(outcome.database, 5);
}

function options(): RunOptions {
    return {
        ...runOptions('.'),
        limits: { ...runOptions('.').limits, maxRounds: 200, maxFacts: 2000, maxNullDepth: 20 },
        deadline: performance.now() + 5000,
    };
}

/** The facts, or that the run failed; undefined where a limit or an overflow ended it, which may come sooner or later. */
async function run(text: string, evaluator: Evaluator, disabledPasses: ReadonlySet<PassName> = new Set()): Promise<string | undefined> {
    const outcome: RunOutcome = await evaluator(check(text).program, { ...options(), disabledPasses });
    if (outcome.ok) return colouredFacts(outcomeOf(outcome).facts);
    return outcome.reports.some(({ code }) => code === 'RT031' || code === 'RT010') ? undefined : 'failed';
}

function withoutNulls(facts: string): string {
    return facts
        .split('\n')
        .filter(fact => !fact.includes('z#'))
        .join('\n');
}
