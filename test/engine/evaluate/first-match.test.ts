import { describe, expect, test } from 'vitest';
import { run } from './run-program.ts';

const FACTS = `
    ${Array.from({ length: 40 }, (_, i) => `b(${i}). c(${i % 7}, ${i % 5}). d(${i % 5}, ${i % 3}). e(${i % 3}, ${(i * i) % 11}).`).join(' ')}
    none(99, 99).`;

describe('parts of a body of which one match is enough', () => {
    test.each([
        ['without anything in common with the rest', 'a(X) <- b(X), c(Y, Z), d(Z, W), e(W, 1).', 40],
        ['of which there is none', 'a(X) <- b(X), c(Y, Z), none(Z, W), e(W, _).', 0],
        ['that only constants decide', 'a(X) <- b(X), c(3, Z), not d(Z, 2), Z > 1.', 0],
        ['that depend on the rest', 'a(X) <- b(X), c(X, Y), d(Y, Z), not e(Z, X), Z + Y > 1.', 2],
        ['twice in one body', 'a(X) <- b(X), c(Y, Z), d(Z, Y), e(V, W), c(W, V).', 40],
        ['in a recursion', 'a(X) <- b(X), X == 0. a(Y) <- a(X), e(X, Y), c(V, W), d(W, V).', 6],
        ['that the new facts of a recursion are in', 'a(0). a(Y) <- b(Y), a(X), e(X, Z), d(Z, 1).', 40],
    ])('%s', async (_, rules, count) => {
        const fast = await run(`${FACTS} ${rules}`);
        const plain = await run(`${FACTS} ${rules}`, { disabledPasses: new Set(['first-match']) });
        expect(fast.facts('a')).toEqual(plain.facts('a'));
        expect(fast.facts('a')).toHaveLength(count);
    });

    test('are looked at once, not for each row of the rest', async () => {
        const facts = Array.from({ length: 20_000 }, (_, i) => `b(${i}). c(${i}).`).join(' ');
        const { facts: rows } = await run(`${facts} d(20000). a(X) <- b(X), c(Y), d(Z), Y > Z. a(X) <- b(X), X < 3, c(Y), Y > 19998.`);
        expect(rows('a')).toEqual(['0', '1', '2']);
    });

    test('do not keep a failure from happening', async () => {
        const { codes } = await run('b(1). c(0). c(1). a(X) <- b(X), c(Y), 1 / Y > 0. @output("a").');
        expect(codes).toEqual(['RT011']);
    });
});
