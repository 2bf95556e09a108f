import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { listPredicate } from '#engine/results/listing.ts';
import { textOf } from '#engine/values/text.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { printClause } from '#language/program/print.ts';
import { readProgram } from '#language/read-program.ts';
import { type ClauseEdit, clauseDifference } from '#language/tools/clause-difference.ts';
import { type Explained, explainingEdits, type RowTexts } from '#server/runs/explaining-edits.ts';
import { fc } from '../../support/fast-check.ts';

type Rows = (edits: ReadonlySet<number>) => RowTexts | undefined;

async function explained(
    edits: number,
    rows: Rows,
    most = Number.POSITIVE_INFINITY,
): Promise<{ found: Map<string, Explained>; evaluations: number }> {
    let evaluations = 0;
    const [none, all] = [rows(new Set()), rows(new Set(numbers(edits)))];
    if (none === undefined || all === undefined) throw new Error('nothing to compare');
    const found = await explainingEdits({
        edits,
        outputs: [...new Set([...none.keys(), ...all.keys()])],
        none,
        all,
        evaluate: async chosen => {
            evaluations++;
            return rows(new Set(chosen));
        },
        enough: () => evaluations >= most,
    });
    return { found, evaluations };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const subsets = (count: number): ReadonlySet<number>[] =>
    numbers(2 ** count).map(mask => new Set(numbers(count).filter(edit => (mask >> edit) & 1)));

/** An output whose rows are others once all of these edits are done. */
const together =
    (...needed: number[]) =>
    (edits: ReadonlySet<number>): RowTexts =>
        new Map([['p/1', String(needed.every(edit => edits.has(edit)))]]);

describe('the edits that explain a difference', () => {
    test('are one that does it alone; the others are idle', async () => {
        const { found } = await explained(3, together(1));
        expect(found.get('p/1')).toEqual({ kind: 'edits', edits: [1], smallest: true, idle: [0, 2] });
    });
    test('are several where none does it alone', async () => {
        const { found } = await explained(5, together(0, 3));
        expect(found.get('p/1')).toEqual({ kind: 'edits', edits: [0, 3], smallest: true, idle: [1, 2, 4] });
    });
    test('are none where the rows are the same with all of them', async () => {
        const { found } = await explained(3, () => new Map([['p/1', 'same']]));
        expect(found.get('p/1')).toEqual({ kind: 'none' });
    });
    test('are found for each output by itself', async () => {
        const { found } = await explained(4, edits => new Map([...together(2)(edits), ['q/1', `${edits.has(0)} ${edits.has(1)}`]]));
        expect(found.get('p/1')).toMatchObject({ edits: [2] });
        expect(found.get('q/1')).toMatchObject({ edits: [0, 1], idle: [2, 3] });
    });
    test('may be of many without a look at all sets of them', async () => {
        const { found, evaluations } = await explained(60, together(7, 31, 52));
        expect(found.get('p/1')).toMatchObject({ kind: 'edits', edits: [7, 31, 52] });
        expect(evaluations).toBeLessThan(1000);
    });
    test('are not told where there was no time for them', async () => {
        expect((await explained(40, together(7, 31, 35), 10)).found.get('p/1')).toEqual({ kind: 'undecided' });
        const { found } = await explained(12, together(1, 5, 9), 40);
        expect(found.get('p/1')).toMatchObject({ kind: 'edits', edits: [1, 5, 9], smallest: false });
    });

    test('are as few as there can be, whatever the rows are', async () => {
        const program = fc.integer({ min: 1, max: 5 }).chain(edits =>
            fc.tuple(
                fc.constant(edits),
                // Sets with other rows, and those that cannot be evaluated.
                fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.boolean()), { minLength: 2 ** edits, maxLength: 2 ** edits }),
            ),
        );
        await fc.assert(
            fc.asyncProperty(program, async ([edits, table]) => {
                const last = 2 ** edits - 1;
                const rows: Rows = chosen => {
                    const mask = [...chosen].reduce((sum, edit) => sum + 2 ** edit, 0);
                    const [value, fails] = table[mask] ?? [0, false];
                    return fails && mask > 0 && mask < last ? undefined : new Map([['p/1', String(value)]]);
                };
                await agree(edits, rows);
            }),
            { numRuns: 300 },
        );
    });

    test('of random programs are those that trying all sets finds', async () => {
        const clause = fc.constantFrom(
            'e(1, 2).',
            'e(2, 3).',
            'e(3, 1).',
            'e(3, 4).',
            't(X, Y) <- e(X, Y).',
            't(X, Z) <- t(X, Y), e(Y, Z).',
            't(X, Y) <- e(Y, X).',
            'p(X) <- t(X, X).',
            'p(X) <- t(X, _), not t(X, X).',
            'p(X) <- e(X, Y), Y > 2.',
            'p(N) <- t(X, _), N = mcount(X).',
            '@output("t").',
        );
        const clauses = fc.array(clause, { minLength: 3, maxLength: 7 });
        await fc.assert(
            fc.asyncProperty(clauses, clauses, async (before, after) => {
                const [old, now] = [before, after].map(texts => ['@output("p").', 'p(0).', ...texts].join('\n'));
                const [own, other] = [old, now].map(text => readProgram(text ?? '', 'a').value.clauses);
                const edits = clauseDifference(own ?? [], other ?? []).slice(0, 7);
                const memo = new Map<string, RowTexts | undefined>();
                for (const chosen of subsets(edits.length)) memo.set([...chosen].join(), await rowsOf(mixed(own ?? [], edits, chosen)));
                const rows: Rows = chosen => memo.get([...chosen].sort((a, b) => a - b).join());
                if (rows(new Set()) !== undefined && rows(new Set(numbers(edits.length))) !== undefined) await agree(edits.length, rows);
            }),
            { numRuns: 12 },
        );
    });
});

/** The search finds as few edits as trying all sets does, and what it calls idle is. */
async function agree(edits: number, rows: Rows): Promise<void> {
    const { found } = await explained(edits, rows);
    const every = new Set(numbers(edits));
    const [none, all] = [rows(new Set()), rows(every)];
    for (const [output, explanation] of found) {
        const makes = (chosen: ReadonlySet<number>): boolean =>
            rows(chosen)?.get(output) === all?.get(output) && rows(chosen) !== undefined;
        if (none?.get(output) === all?.get(output)) {
            expect(explanation).toEqual({ kind: 'none' });
            continue;
        }
        const sizes = subsets(edits)
            .filter(makes)
            .map(({ size }) => size);
        expect(explanation).toMatchObject({ kind: 'edits', smallest: true });
        if (explanation.kind !== 'edits') continue;
        expect(makes(new Set(explanation.edits))).toBe(true);
        expect(explanation.edits.length).toBe(Math.min(...sizes));
        for (const edit of explanation.idle) {
            expect(rows(new Set([edit]))?.get(output)).toBe(none?.get(output));
            expect(makes(new Set([...every].filter(other => other !== edit)))).toBe(true);
        }
    }
}

function mixed(before: Parameters<typeof clauseDifference>[0], edits: readonly ClauseEdit[], chosen: ReadonlySet<number>): string {
    const done = edits.filter((_, edit) => chosen.has(edit));
    const gone = new Set(done.flatMap(edit => ('before' in edit ? [edit.before] : [])));
    const come = done.flatMap(edit => ('after' in edit ? [edit.after] : []));
    return [...before.filter(clause => !gone.has(clause)), ...come].map(printClause).join('\n');
}

async function rowsOf(text: string): Promise<RowTexts | undefined> {
    const program = analyse(readProgram(text, 'a').value);
    if (program.problems.some(({ severity }) => severity === 'error')) return undefined;
    const outcome = await evaluate(program, {
        parameters: new Map(),
        clock: () => 0,
        cancelled: () => undefined,
        connectors: { source: () => undefined, sink: () => undefined },
        limits: { maxRounds: 1000, maxNullDepth: 20, isoDepth: 3, maxMemory: 2 ** 28 },
    } as Parameters<typeof evaluate>[1]);
    if (!outcome.ok) return undefined;
    const { database } = outcome;
    return new Map(
        program.outputs.map(key => {
            const { count, columns, at } = listPredicate(database, key);
            const lines = numbers(count).map(row =>
                columns.map(({ type }, column) => textOf(database.dictionary, at(row, column), type, String)).join(),
            );
            return [key, lines.sort().join('\n')];
        }),
    );
}
