import { expect } from 'vitest';
import type { Database, RunOutcome } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import { HeldProgram, type Upkeep } from '#engine/maintain/held-program.ts';
import { termText } from '#engine/values/text.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import type { Picks } from '../evaluate/random-program.ts';
import { hasErrors } from '../evaluate/run-program.ts';

/** How edits were answered. */
export interface Counts {
    followed: number;
    evaluated: number;
}

/** A program that is edited, clause by clause or a few of them together. */
export interface EditedProgram {
    readonly lines: readonly string[];
    readonly read: (text: string) => AnalysedProgram;
    readonly edit: (lines: readonly string[], picks: Picks) => readonly string[];
    readonly options: RunOptions;
}

/** Edits a program, and compares its rows and what is said to have changed with a fresh evaluation after each edit; false where it has errors. */
export async function followEdits(program: EditedProgram, edits: number, picks: Picks, counts: Counts): Promise<boolean> {
    let { lines } = program;
    const first = program.read(lines.join('\n'));
    if (hasErrors(first)) return false;
    const upkeep: Partial<Upkeep> = { leastLookedAt: picks.one([0, 1, 30, 1 << 16]), mostGone: picks.one([0, 1024]) };
    const held = await HeldProgram.open(first, program.options, upkeep);
    for (let edit = 0; edit < edits; edit++) {
        const next = program.edit(lines, picks);
        const edited = program.read(next.join('\n'));
        if (hasErrors(edited)) continue;
        const before = held.outcome.ok ? rowsOf(held.outcome.database, edited) : new Map<string, Set<string>>();
        const removed = lines.filter(line => !next.includes(line));
        const added = next.filter(line => !lines.includes(line));
        const here = { edit, removed, added };
        const update = await held.update(edited).catch(thrown => {
            throw new Error(`${JSON.stringify(here)} of ${lines.join('\n')}`, { cause: thrown });
        });
        lines = next;
        const expected = await evaluate(edited, program.options);
        const keys = keysIn(expected, edited);
        expect({ ...here, answer: rowsIn(keys, held.outcome) }).toEqual({ ...here, answer: rowsIn(keys, expected) });
        if (update.kind === 'refused') throw new Error(`${JSON.stringify(here)}: ${update.why}`);
        counts[update.kind]++;
        if (update.kind === 'evaluated') continue;
        if (!held.outcome.ok) throw new Error('What is followed has rows');
        const after = rowsOf(held.outcome.database, edited);
        for (const [key, { added, removed }] of update.changes) {
            if (!edited.predicates.has(key) || !after.has(key)) continue;
            const text = (row: number): string => (held.row(key, row) ?? []).join(',');
            const rows = before.get(key) ?? new Set<string>();
            for (const row of removed)
                if (!rows.delete(text(row))) throw new Error(`${JSON.stringify(here)}: a row went that was not there`);
            for (const row of added) rows.add(text(row));
            expect({ ...here, key, rows: [...rows].sort() }).toEqual({ ...here, key, rows: [...(after.get(key) ?? [])].sort() });
        }
        const changed = new Set<string>(update.changes.keys());
        for (const [key, rows] of after) {
            if (!changed.has(key))
                expect({ ...here, key, rows: [...rows].sort() }).toEqual({ ...here, key, rows: [...(before.get(key) ?? [])].sort() });
        }
    }
    return true;
}

/** The rows of predicates that are evaluated: those that somebody looks at, or that others need. */
function rowsOf(database: Database, program: AnalysedProgram): Map<string, Set<string>> {
    return new Map(
        [...program.predicates.keys()].flatMap((key): [string, Set<string>][] => {
            const relation = database.relation(key);
            if (relation === undefined) return [];
            const rows = Array.from({ length: relation.count }, (_, row) => relation.columns.map(column => column[row]).join(','));
            if (new Set(rows).size !== rows.length) throw new Error(`${key} has a row twice`);
            return [[key, new Set(rows)]];
        }),
    );
}

/** The predicates that a run has evaluated. */
export function keysIn(outcome: RunOutcome, { predicates }: AnalysedProgram): readonly PredicateKey[] {
    return outcome.ok ? [...predicates.keys()].filter(key => outcome.database.relation(key) !== undefined) : [];
}

/** The rows of some predicates, nulls by what they are made from; of a run that fails why. */
export function rowsIn(keys: readonly PredicateKey[], outcome: RunOutcome): string[] {
    if (!outcome.ok) return outcome.reports.map(report => report.code);
    const { dictionary } = outcome.database;
    const label = (id: number): string => {
        const origin = dictionary.nullOf(id);
        return `${origin.source.name}(${origin.arguments.map(one => termText(dictionary, one, MIXED, label)).join(',')})`;
    };
    return keys.map(key => {
        const relation = outcome.database.relation(key);
        const rows = Array.from({ length: relation?.count ?? 0 }, (_, row) =>
            (relation?.columns ?? []).map(column => termText(dictionary, column[row] ?? 0, MIXED, label)).join(','),
        );
        return `${key}: ${rows.sort().join(' ')}`;
    });
}
