import { expect } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import { Replay } from '#engine/explain/replay.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { check, runOptions } from '../support/conformance.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { sampled } from './sampled.ts';
import type { Search } from './search.ts';

export async function replayOf(text: string): Promise<Replay | undefined> {
    const { program } = check(text);
    const outcome = await evaluate(program, { ...runOptions('.', new Map(), program.program), heights: true, constraints: false });
    return outcome.ok ? new Replay(outcome.database, { label: nullLabels(outcome.database.dictionary) }) : undefined;
}

const name = ({ predicate, row }: FactRow): string => `${predicate}:${row}`;

/** Compares what a derivation says of each moment with what its steps have made by then. */
export function compareMoments(replay: Replay, text: string): { readonly steps: number; readonly recursive: number } {
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

/** The steps of a program make its rows, each after what it rests on. */
export const replayed: Search<{ readonly steps: number; readonly recursive: number }> = {
    name: 'replayed',
    text: sampled(generatedProgram),
    async check(text) {
        if (check(text).errors.length > 0) return undefined;
        const replay = await replayOf(text);
        return replay === undefined || replay.count > 150 ? undefined : compareMoments(replay, text);
    },
};
