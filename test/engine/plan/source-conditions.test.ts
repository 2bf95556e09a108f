import { expect, test } from 'vitest';
import { planOf } from '#engine/engine.ts';
import type { PlanOptions } from '#engine/plan/plan-program.ts';
import { printSources } from '#engine/plan/print-plan.ts';
import { programOf } from '../evaluate/run-program.ts';

const BIND = `@bind("t", "parquet", "", "t.parquet"). @model("t", "['a:int', 'b:string', 'c:int', 'd:date']"). @output("o").`;

/** What a run asks of the sources of a program. */
function asked(rules: string, options: PlanOptions = { goalsOnly: true }, bind = BIND): string[] {
    return printSources(planOf(programOf(`${bind}\n${rules}`), options));
}

test.each([
    ['the columns that are read', 'o(B) <- t(A, B, _, _), A > C, t(C, _, _, _).', ['t/4: only a, b']],
    [
        'constants and comparisons',
        'o(A) <- t(A, "x", C, _), C > 5, 7 >= C, C != 6.',
        ['t/4: only a, b, c, where b = "x" and c > 5 and c <= 7 and c != 6'],
    ],
    ['one list for each atom', 'o(A) <- t(A, _, 1, _). o(A) <- t(A, _, C, _), C = 2.', ['t/4: only a, c, where c = 1 or c = 2']],
    [
        'unknown and known values',
        'o(A) <- t(A, B, _, _), is_null(B). o(A) <- t(A, _, _, D), !is_null(D).',
        ['t/4: only a, b, d, where b is null or d is not null'],
    ],
    ['parameters', '@param("n", 3). o(A) <- t(A, _, ?n, _).', ['t/4: only a, c, where c = ?n']],
    ['what a negation asks for', 'o(A) <- n(A), not t(A, "x", _, _). n(1).', ['t/4: only a, b, where b = "x"']],
    ['any row where one is as good as all', 'o(1) <- t(_, _, _, _).', ['t/4: any row']],
    ['all columns where rows are counted', 'o(B, N) <- t(_, B, _, _), N = mcount().', []],
    ['all rows where one atom asks for nothing', 'o(A) <- t(A, _, 1, _). o(D) <- t(_, _, _, D).', ['t/4: only a, c, d']],
    [
        'nothing of a comparison with another column',
        'o(A) <- t(A, B, C, D), A > C, B != "", D > 2031-04-09.',
        ['t/4: where b != "" and d > 2031-04-09'],
    ],
    ['nothing where people see the rows', '@output("t"). o(A) <- t(A, _, 1, _).', []],
    ['nothing where a constraint may show the rows', 'o(A) <- t(A, _, 1, _). #F <- t(_, _, 2, _).', []],
    ['nothing where a query reads the rows', 'o(A) <- SQL"SELECT a FROM t".', []],
    ['rows, but no columns beside facts', 't(1, "x", 3, 2031-04-09). o(A) <- t(A, _, 1, _).', ['t/4: where c = 1']],
])('a source is asked for %s', (_, rules, expected) => {
    expect(asked(rules)).toEqual(expected);
});

test.each([
    ['what is asked for is to be explained', { heights: true, goalsOnly: true }],
    ['all rows are to be checked', { goalsOnly: true, readsAll: true }],
    ['others may look at predicates', {}],
])('a source is read as a whole where %s', (_, options) => {
    expect(asked('o(A) <- t(A, _, 1, _).', options)).toEqual([]);
});

test('files of text are read as a whole, since they tell of their rows', () => {
    expect(asked('o(A) <- t(A, _, 1, _).', { goalsOnly: true }, BIND.replaceAll('parquet', 'csv'))).toEqual([]);
});
