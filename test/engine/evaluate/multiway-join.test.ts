import { expect, test } from 'vitest';
import { run } from './run-program.ts';

const GRAPH = Array.from({ length: 400 }, (_, i) => {
    const [x, y] = [(i * i + 3) % 37, (i * 13 + (i >> 3)) % 41];
    return `e(${x}, ${y}). t(${y % 7}, ${x}, ${(x + y) % 5}).`;
}).join(' ');

test.each([
    ['triangles', 'a(X, Y, Z) <- e(X, Y), e(Y, Z), e(X, Z).'],
    ['triangles with a condition and a negation', 'a(X, Z) <- e(X, Y), e(Y, Z), e(Z, X), X < Z, not e(Z, Z).'],
    ['cliques, counted', 'a(X, N) <- e(X, Y), e(X, Z), e(Y, Z), e(X, W), e(Y, W), e(Z, W), N = mcount().'],
    ['cliques, counted by their facts', 'a(N) <- e(X, Y), e(X, Z), e(Y, Z), N = msum(Y, <Z>).'],
    [
        'of which one match is enough',
        'a(X) <- e(X, V), e(X, Y), e(X, Z), e(Y, Z), e(X, W), e(Y, W), e(Z, W), W > 9. a(X) <- e(X, 1), e(Y, Z), e(Z, W), e(Y, W).',
    ],
    ['triples and constants', 'a(X, Z) <- e(X, Y), t(Y, Z, 2), e(X, Z), t(3, Z, W), t(Y, Z, W).'],
    ['a literal with a column that nobody reads', 'f(2, 1, 1). f(0, 1, 2). e(2, 0). a(X) <- f(2, X, W), e(Z, 0), f(Z, Y, W).'],
    ['a recursion', 'a(X, Y) <- e(X, Y), X < 9. a(X, Z) <- a(X, Y), e(Y, Z), e(X, Z).'],
    ['a literal that the recursion fills', 'a(X, Y) <- e(X, Y), X < 9. a(X, Z) <- e(X, Y), a(Y, Z), a(X, Y), e(Y, X).'],
    [
        'facts that an equality head changes',
        'w(null). N = 3 <- w(N), e(3, _). n(X, Y) <- e(X, Y). n(N, X) <- w(N), e(_, X). a(X, Y, Z) <- n(X, Y), n(Y, Z), n(X, Z).',
    ],
])('a variable that several literals have to satisfy at once: %s', async (_, rules) => {
    const text = `${GRAPH} ${rules}`;
    const plain = await run(text, { disabledPasses: new Set(['multiway-join']) });
    const fast = await run(text);
    expect(fast.codes).toEqual(plain.codes);
    if (!plain.outcome.ok) return;
    expect(plain.facts('a').length).toBeGreaterThan(0);
    expect(fast.facts('a')).toEqual(plain.facts('a'));
    const high = await run(text, { heights: true });
    expect(high.facts('a').map(fact => fact.replace(/ @\d+/, ''))).toEqual(plain.facts('a'));
});
