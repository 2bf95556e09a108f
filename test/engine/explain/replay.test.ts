import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import { Replay } from '#engine/explain/replay.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { check, conformancePrograms, runOptions } from '../../support/conformance.ts';
import { generatedProgram } from '../../support/generated-program.ts';

async function replayOf(text: string): Promise<Replay | undefined> {
    const { program } = check(text);
    const outcome = await evaluate(program, { ...runOptions('.', new Map(), program.program), heights: true, constraints: false });
    return outcome.ok ? new Replay(outcome.database, { label: nullLabels(outcome.database.dictionary) }) : undefined;
}

const name = ({ predicate, row }: FactRow): string => `${predicate}:${row}`;

/** Compares what a derivation says of each moment with what its steps have made by then. */
function compareMoments(replay: Replay, text: string): { readonly steps: number; readonly recursive: number } {
    const { database } = replay;
    const predicates = database.program.strata.flatMap(stratum => stratum.predicates);
    const rowsAt = (step: number): string[] =>
        predicates.flatMap(predicate => {
            const { count, at } = replay.rowsBefore(predicate, step);
            return Array.from({ length: count }, (_, index) => name({ predicate, row: at(index) }));
        });
    const given = predicates.flatMap(predicate => {
        const { count = 0, notes } = database.relation(predicate) ?? {};
        return Array.from({ length: count }, (_, row) => ((notes?.heights?.[row] ?? 0) === 0 ? [name({ predicate, row })] : [])).flat();
    });
    const there = new Set(given);
    let recursive = 0;
    for (let index = 0; index < replay.count; index++) {
        expect(rowsAt(index).sort(), text).toEqual([...there].sort());
        const { row, rule } = replay.step(index);
        expect(there.has(name(row)), text).toBe(false);
        expect(replay.stepOf(row), text).toBe(index);
        expect([replay.isThere(row, index), replay.isThere(row, index + 1)], text).toEqual([false, true]);
        const [derivation] = replay.explain(row).derivations;
        if (derivation !== undefined) expect(replay.ruleOf(derivation), text).toBe(rule);
        for (const premise of derivation?.premises ?? []) {
            if (premise.kind === 'group' || premise.asMatched || premise.row.row < 0) continue;
            const { aggregatedColumns = [] } = database.program.predicates.get(premise.row.predicate) ?? {};
            // A group has its result of the end, which may have come after what an earlier one gave.
            if (aggregatedColumns.length === 0) expect(there.has(name(premise.row)), `${text}\n${premise.fact}`).toBe(true);
            if (premise.row.predicate === row.predicate) recursive++;
        }
        there.add(name(row));
    }
    const all = predicates.flatMap(predicate =>
        Array.from({ length: database.relation(predicate)?.count ?? 0 }, (_, row) => name({ predicate, row })),
    );
    expect([...there].sort(), text).toEqual(all.sort());
    expect(rowsAt(replay.count).sort(), text).toEqual(all.sort());
    return { steps: replay.count, recursive };
}

test('the steps of random programs make their rows, each after what it rests on', async () => {
    let steps = 0;
    let recursive = 0;
    const compare = async (text: string): Promise<void> => {
        const replay = await replayOf(text);
        if (replay === undefined || replay.count > 150) return;
        const made = compareMoments(replay, text);
        steps += made.steps;
        recursive += made.recursive;
    };
    await fc.assert(fc.asyncProperty(generatedProgram, compare), { seed: 31_071, numRuns: 20 });
    expect(steps).toBeGreaterThan(100);
    expect(recursive).toBeGreaterThan(10);
});

test('so do those of programs with unknown values, equalities, aggregates and negation', async () => {
    let steps = 0;
    for (const { name: file, text } of conformancePrograms().filter(one =>
        /(?:equalities|existentials|recursive-aggregation|negation|skolem)\//u.test(one.name),
    )) {
        if (check(text).errors.length > 0) continue;
        const replay = await replayOf(text);
        if (replay !== undefined && replay.count < 100) steps += compareMoments(replay, file).steps;
    }
    expect(steps).toBeGreaterThan(200);
});
