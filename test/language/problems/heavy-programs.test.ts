import { expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { countSteps, LOST_COUNTS } from '../../support/count-steps.ts';
import { heavyProgram } from '../../support/heavy-texts.ts';

test.each([
    'undefined atom again and again',
    'undefined chain',
    'undefined cross product',
    'undefined predicates',
    'predicates of one variable',
    'heads',
    'heads with nulls',
    'types from head to head',
    'heads of mixed types',
    'cycle of predicates',
    'cycle of predicates from last to first',
    'cycle of empty predicates',
    'rules of which one after the other is empty',
    'equal rules',
    'bounds of one variable',
    'parameters, and uses of others',
    'unbound variables beside bound ones',
    'words of which texts are meant',
    'atoms apart from a large one',
    'dots',
    'dots on lines',
])('%s: twice the size is checked with twice the work', LOST_COUNTS, async name => {
    const checked = (size: number): Promise<number> => countSteps(() => analyse(readProgram(heavyProgram(name, size), 'heavy').value));
    const [small, large] = [await checked(200), await checked(400)];
    expect(small).toBeGreaterThan(0);
    expect(large / small).toBeLessThan(2.2);
});

test('an undefined name is told once for each clause, with its further places', () => {
    const { problems } = analyse(readProgram('p(X) <- b(X), b(X), not b(X).\nq(X) <- b(X).', 'one').value);
    const undefinedNames = problems.filter(({ code }) => code === 'RL1101');
    expect(undefinedNames.map(({ place, related = [] }) => [place.line, related.length])).toEqual([
        [0, 2],
        [1, 0],
    ]);
});

test('of a name that is undefined everywhere eight further places are shown', () => {
    const { problems } = analyse(readProgram(heavyProgram('undefined chain', 1000), 'chain').value);
    const [found, ...others] = problems.filter(({ code }) => code === 'RL1101');
    expect(others).toEqual([]);
    expect(found?.related).toHaveLength(8);
    expect(found?.related?.at(-1)?.message).toBe("'b' again, as in 991 more places");
});

test('dots without clauses are one problem', () => {
    const { value, problems } = readProgram(`${'. .\n..'.repeat(50)}p(1).`, 'dots');
    expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(1);
    expect(value.clauses.map(({ kind }) => kind)).toEqual(['broken', 'fact']);
});
