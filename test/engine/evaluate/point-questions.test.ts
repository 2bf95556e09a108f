import { expect, test } from 'vitest';
import { run } from './run-program.ts';

const GRAPH = Array.from({ length: 300 }, (_, i) => `edge(${i % 60}, ${(i * 17 + (i >> 4)) % 71}).`).join(' ');
const LEFT = 'path(X, Y) <- edge(X, Y), X != 7. path(X, Z) <- path(X, Y), edge(Y, Z).';
const RIGHT = 'path(X, Y) <- edge(X, Y). path(X, Z) <- edge(X, Y), path(Y, Z).';

test.each([
    ['one', `${LEFT} ans(Y) <- path(3, Y).`],
    ['several', `${LEFT} ans(Y) <- path(3, Y), not path(5, Y). ans(Y) <- path(12, Y), edge(Y, _).`],
    ['one that no rule starts from', `${LEFT} ans(Y) <- path(7, Y). ans(Y) <- path("x", Y).`],
    ['the last column', `${RIGHT} ans(X) <- path(X, 4).`],
    ['a parameter', `${LEFT} @param("from", 9). ans(Y) <- path(?from, Y).`],
    ['a constraint', `${LEFT} ans(X) <- edge(X, 1). #F <- path(3, Y), Y == 1000.`],
])('a recursion that is asked for %s gives the same answer', async (_, rules) => {
    const text = `${GRAPH} ${rules} @output("ans").`;
    const fast = await run(text);
    const plain = await run(text, { disabledPasses: new Set(['point-questions']) });
    expect(fast.codes).toEqual(plain.codes);
    expect(fast.facts('ans')).toEqual(plain.facts('ans'));
    if (!fast.outcome.ok) throw new Error('The run failed');
    const path = [...fast.outcome.database.program.predicates.values()].find(({ name }) => name === 'path');
    expect(path && fast.outcome.database.relation(path.key)).toBeUndefined();
    const [few, all] = [fast, plain].map(({ outcome }) => (outcome.ok ? outcome.statistics.facts : 0));
    expect(few).toBeLessThan((all ?? 0) - 1000);
});
