import { expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { HeldProgram } from '#engine/maintain/held-program.ts';
import { smallInteger } from '#engine/values/dictionary.ts';
import { programOf, RUN_OPTIONS } from '../evaluate/run-program.ts';
import { keysIn, rowsIn } from './follow-edits.ts';

/** A source has the rows (1, 2) and (2, 3). */
const OPTIONS: RunOptions = {
    ...RUN_OPTIONS,
    connectors: {
        ...RUN_OPTIONS.connectors,
        source: () => ({
            name: 'e.csv',
            load: target => {
                for (const row of [
                    [1, 2],
                    [2, 3],
                ])
                    target.add(
                        Int32Array.from(row, value => smallInteger(value)),
                        1,
                    );
            },
        }),
    },
};

test.each([
    ['an integer that no double holds', 'b(1). a(X, 9007199254740993) <- b(X).', 'b(1). a(X, 9007199254740995) <- b(X).'],
    ['the sign of a zero', 'b(1). a(X, -0.0) <- b(X).', 'b(1). a(X, 0.0) <- b(X).'],
    ['a double for an integer', 'b(1). a(X, 1) <- b(X).', 'b(1). a(X, 1.0) <- b(X).'],
    ['an infinite double', 'b(1). a(X, 1.0e308 * 10) <- b(X).', 'b(1). a(X, -1.0e308 * 10) <- b(X).'],
])('a rule with %s is another one', async (_, before, after) => {
    const held = await HeldProgram.open(programOf(before), RUN_OPTIONS);
    await held.update(programOf(after));
    const fresh = await HeldProgram.open(programOf(after), RUN_OPTIONS);
    const keys = keysIn(fresh.outcome, programOf(after));
    expect(rowsIn(keys, held.outcome)).toEqual(rowsIn(keys, fresh.outcome));
});

const TWO_PATHS = 'p(X, Y, P) <- #PATHS(e, "visited=true").';
const TWO_PAIRS = 'q(X, Y) <- #TC(e).';
const LONELY = 'no(7). both(R, N) <- sale(R, Q), not no(Q), N = mcount(), not sale(_, N).';
const SOURCE = '@bind("e", "csv", "", "e.csv"). ';

test.each([
    [
        'the answer of a graph function gets the number of another one, with other columns',
        [
            `e(1, 2). e(2, 3). ${TWO_PAIRS} ${TWO_PATHS}`,
            `e(1, 2). ${TWO_PAIRS} ${TWO_PATHS}`,
            `e(1, 2). e(2, 3). ${TWO_PATHS}`,
            `e(1, 2). ${TWO_PATHS} ${TWO_PAIRS}`,
            `e(1, 2). e(2, 3). ${TWO_PATHS} ${TWO_PAIRS}`,
        ],
    ],
    [
        'a row goes that a result was not to be equal to',
        ['sale("s", 5). sale("e", 7). sale("w", 1).', 'sale("s", 5). sale("w", 1).', 'sale("s", 5).'].map(facts => `${facts} ${LONELY}`),
    ],
    [
        'a row goes that a value was not to be equal to',
        ['n(1). n(2). n(3). m(2).', 'n(1). n(2). n(3).', 'n(1). n(2). n(3). m(4).'].map(
            facts => `${facts} m(9). a(X, Y) <- n(X), Y = X + 1, not m(Y). b(X, Y) <- n(X), Y = 2, not m(Y).`,
        ),
    ],
    [
        'the last rule goes of what is still described',
        ['p(X) <- n(X).', '', 'p(2).', 'p(2). p(X) <- n(X).', ''].map(own => `n(1). @model("p", "['x:int']"). @output("p"). ${own}`),
    ],
    [
        'a source goes',
        [SOURCE, `${SOURCE} e(5, 6).`, 'e(5, 6).', `${SOURCE} e(5, 6).`, SOURCE, '', 'e(5, 6).', ''].map(
            own => `@model("e", "['x:int', 'y:int']"). p(X) <- e(X, _). ${own}`,
        ),
    ],
    [
        'rules come to rows of a source, and go',
        [
            `${SOURCE} p(X) <- e(X, _).`,
            `${SOURCE} p(X) <- e(X, _). e(Y, X) <- e(X, Y).`,
            `${SOURCE} p(X) <- e(X, _). e(Y, X) <- e(X, Y). e(7, 8).`,
            `${SOURCE} p(X) <- e(X, _).`,
            `${SOURCE} p(X) <- e(X, _). e(7, 8).`,
        ],
    ],
])('rows are those of a fresh run where %s', async (_, versions) => {
    const held = await HeldProgram.open(programOf(versions[0] ?? ''), OPTIONS);
    for (const text of versions) {
        const program = programOf(text);
        expect(program.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        await held.update(program);
        const { outcome } = await HeldProgram.open(program, OPTIONS);
        const keys = keysIn(outcome, program);
        expect(rowsIn(keys, held.outcome)).toEqual(rowsIn(keys, outcome));
    }
});
