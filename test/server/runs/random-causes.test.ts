import { expect, test } from 'vitest';
import type { Database } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import { HeldProgram } from '#engine/maintain/held-program.ts';
import { listPredicate } from '#engine/results/listing.ts';
import { compareListings } from '#server/runs/compare-listings.ts';
import { causesOfRows } from '#server/runs/differences/causes-of-rows.ts';
import { differentFacts } from '#server/runs/differences/different-facts.ts';
import type { Edit, Side, Sides } from '#server/runs/differences/edits.ts';
import type { LoadedProgram } from '#server/runs/load-program.ts';
import { mixedProgram } from '#server/runs/mixed-program.ts';
import { runEdits } from '#server/runs/run-difference.ts';
import { Picks, randomProgram } from '../../engine/evaluate/random-program.ts';
import { hasErrors, programOf, RUN_OPTIONS } from '../../engine/evaluate/run-program.ts';
import { tries } from '../../support/thorough.ts';

const PROGRAMS = tries(40);
const FIRST_SEED = Number(process.env.RANDOM_SEED ?? 51_000);
const OPTIONS: RunOptions = { ...RUN_OPTIONS, limits: { ...RUN_OPTIONS.limits, maxRounds: 60 } };

test(`with the edits that are told, and none of them left out, the earlier program has each row as the later one, from seed ${FIRST_SEED}`, async () => {
    let told = 0;
    for (let seed = FIRST_SEED, programs = 0; programs < PROGRAMS; seed++) {
        const [before, after] = await Promise.all(editedTexts(seed).map(side));
        if (before === undefined || after === undefined) continue;
        const sides: Sides = { before, after };
        const edits = runEdits(before.made, after.made).map((edit): Edit => ({ kind: 'run', edit }));
        const keys = [...new Set([...before.database.program.predicates.keys(), ...after.database.program.predicates.keys()])];
        const [old, now] = [before, after].map(({ database }) => keys.map(key => listPredicate(database, key)));
        const compared = compareListings(old ?? [], now ?? []);
        const causes = await causesOfRows({
            sides,
            edits,
            compared,
            dictionary: after.database.dictionary,
            most: 20,
            held: await HeldProgram.open(before.database.program, OPTIONS),
            load: async ({ program: { text } }) => {
                const program = programOf(text);
                return hasErrors(program) ? undefined : ({ program, parameters: new Map() } as unknown as LoadedProgram);
            },
            enough: () => false,
            checkpoint: () => undefined,
        });
        programs++;
        for (const [at, output] of compared.entries()) {
            const facts = differentFacts(
                output,
                (now?.[at]?.count ?? 0) > 0 ? after.database.program.predicates.get(output.listing.predicate) : undefined,
            );
            for (const [row, cause] of (causes[at] ?? []).entries()) {
                const here = { seed, fact: facts(row), edits: cause?.edits };
                expect({ ...here, cause }).toEqual({ ...here, cause: expect.anything() });
                const values = output.listing.columns.slice(1).map((_, column) => output.listing.at(row, column + 1));
                const isNew = output.kinds[row] === 'added' || output.kinds[row] === 'now';
                // The values of these programs are small numbers, which are the same in all dictionaries.
                const isThere = async (numbers: readonly number[]): Promise<boolean | undefined> => {
                    const run = await side(textWith(sides, edits, numbers));
                    const relation = run?.database.relation(output.listing.predicate);
                    return run && (relation?.arity === values.length && relation.find(values) >= 0) === isNew;
                };
                expect({ ...here, isSo: await isThere(cause?.edits ?? []) }).toEqual({ ...here, isSo: true });
                for (const edit of (cause?.edits.length ?? 0) > 1 ? (cause?.edits ?? []) : []) {
                    const fewer = (cause?.edits ?? []).filter(other => other !== edit);
                    expect({ ...here, fewer, isSo: (await isThere(fewer)) ?? false }).toEqual({ ...here, fewer, isSo: false });
                }
                told++;
            }
        }
    }
    expect(told).toBeGreaterThan(PROGRAMS);
});

function textWith({ before, after }: Sides, edits: readonly Edit[], numbers: readonly number[]): string {
    const own = numbers.flatMap(number => {
        const edit = edits[number];
        return edit?.kind === 'run' ? [edit.edit] : [];
    });
    return mixedProgram(before.made, after.made, own).program.text;
}

/** A program, and the same after a few edits. */
function editedTexts(seed: number): [string, string] {
    const picks = new Picks(seed);
    const lines = randomProgram(seed)
        .replaceAll(/\. (?=[a-z])/gu, '.\n')
        .replaceAll(/0\.\d+/gu, '1')
        .split('\n');
    const spare = randomProgram(seed + 1_000_000)
        .replaceAll(/0\.\d+/gu, '1')
        .split('\n');
    let now = lines.filter(() => !picks.chance(0.12));
    for (let more = picks.below(3); more > 0; more--) now = [...now, picks.one(spare)];
    return [lines.join('\n'), now.join('\n')];
}

async function side(text: string): Promise<Side | undefined> {
    const program = programOf(text);
    if (hasErrors(program)) return undefined;
    const outcome = await evaluate(program, { ...OPTIONS, heights: true, goalsOnly: false });
    if (!outcome.ok) return undefined;
    const database: Database = outcome.database;
    const kept = { text, file: 'test.rulelang', currentFolder: '.', modules: { files: [], includes: [] } };
    return { made: { about: {}, program: kept }, database };
}
