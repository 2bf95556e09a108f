import { expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { explainFact } from '#engine/explain/explain.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { firstDerivation } from '../../fuzz/first-derivation.ts';
import { searched } from '../../fuzz/search.ts';
import { check, runOptions } from '../../support/conformance.ts';

test('the derivation that is found first is the first of all', async () => {
    const several = await searched(firstDerivation, 20_777, 14);
    expect(several.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(30);
});

test.each([
    ['parts of a body that share no variable', 'h(X) <- b(X), n(A), n(B), n(C), n(D).'],
    ['a chain of which the end does not matter', 'h(X) <- b(X), e(X, A), e(A, B), e(B, C), e(C, D).'],
    ['a condition between two parts', 'h(X) <- b(X), n(A), n(B), n(C), A + B > 2, C > X.'],
    ['an absent fact beside a product', 'h(X) <- b(X), n(A), n(B), n(C), n(D), not b(A).'],
    ['a value for whatever there is', 'h(X, P) <- b(X), n(A), n(B), n(C), n(D).'],
])('%s: one match is looked for', async (_, rule) => {
    const numbers = Array.from({ length: 60 }, (_, i) => i);
    const facts = numbers.map(i => `n(${i}).`).join(' ');
    const edges = numbers.flatMap(i => numbers.map(j => `e(${i},${j}).`)).join(' ');
    const { program } = check(`${facts} ${edges} b(1). b(70). ${rule} @output("h").`);
    const outcome = await evaluate(program, { ...runOptions('.', new Map(), program.program), heights: true });
    if (!outcome.ok) throw new Error('stopped');
    const label = nullLabels(outcome.database.dictionary);
    const [predicate] = program.outputs;
    if (predicate === undefined) throw new Error('no output');
    let checkpoints = 0;
    const checkpoint = (): void => void checkpoints++;
    const fact = explainFact(outcome.database, { predicate, row: 0 }, { label, checkpoint });
    expect(fact.derivations[0]?.premises.length).toBeGreaterThan(3);
    // One for each 1,024 rows: sixty to the power of four would be 12,000.
    expect(checkpoints).toBeLessThan(50);
});
