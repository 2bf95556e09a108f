import { expect } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { FactNode } from '#engine/explain/explanation.ts';
import { findFacts } from '#engine/explain/find-facts.ts';
import { nullLabels } from '#engine/results/listing.ts';
import type { Source } from '#engine/sources/source.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';

/** Two lines with numbers: 1 and 2 of one.csv, 11 and 12 of any other file; a header stands above them. */
function numbersOf({ outer, inner }: Bind): Source {
    const first = inner === 'one.csv' ? 1 : 11;
    return {
        name: `${outer}/${inner}`,
        load: target => {
            for (const [i, value] of [first, first + 1].entries()) target.add(Int32Array.of(target.dictionary.number(value)), i + 2);
        },
    };
}

/** Explains the first fact that fits a question; sources have numbers, and it is the first of March 2031. */
export async function explain(text: string, question: string, all = false): Promise<FactNode> {
    const program = analyse(readProgram(text, 'test.rulelang').value);
    expect(program.problems.filter(problem => problem.severity === 'error')).toEqual([]);
    const outcome = await evaluate(program, {
        parameters: new Map(),
        limits: { maxMemory: 1 << 30, maxRounds: 10_000, maxNullDepth: 200, isoDepth: 3 },
        connectors: { source: numbersOf, sink: () => undefined },
        cancelled: () => undefined,
        clock: () => 0,
        now: () => Date.UTC(2031, 2, 1, 12),
        heights: true,
    });
    if (!outcome.ok) throw new Error(outcome.reports.map(report => report.message).join('\n'));
    const asked = readProgram(`${question}.`, 'question').value.clauses[0];
    if (asked?.kind !== 'fact') throw new Error('not a fact');
    const found = findFacts(outcome.database, asked.atom, asked.place);
    if (found.kind !== 'found') throw new Error(`${question}: ${found.kind}`);
    const [fact] = found.facts;
    if (fact === undefined) throw new Error('nothing found');
    return explainFact(outcome.database, fact, { all, label: nullLabels(outcome.database.dictionary) });
}
