import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { DerivationNode } from '#engine/explain/explanation.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { check, runOptions } from '../../support/conformance.ts';
import { generatedProgram } from '../../support/generated-program.ts';
import { seededRandom } from '../../support/program-variations.ts';
import { smallProgram } from '../../support/true-answers.ts';

/** Calls back with the first derivation of each fact, and the first of all of them. */
async function derivations(text: string, compare: (first: string, ofAll: string) => void): Promise<void> {
    const { program } = check(text);
    const outcome = await evaluate(program, { ...runOptions('.', new Map(), program.program), heights: true });
    if (!outcome.ok || (outcome.database.merges?.all.length ?? 0) > 0) return;
    const { database } = outcome;
    const label = nullLabels(database.dictionary);
    for (const predicate of program.outputs) {
        for (const row of [...listPredicate(database, predicate).rows].slice(0, 20)) {
            const [one, all] = [false, true].map(each => explainFact(database, { predicate, row }, { label, all: each }));
            // A given fact is explained by that alone.
            if (one?.origin === undefined) compare(written(one?.derivations[0]), written(all?.derivations[0]));
        }
    }
}

/** A derivation by its rule and its premises. */
function written(derivation: DerivationNode | undefined): string {
    if (derivation === undefined) return '';
    const premises = derivation.premises.map(premise => (premise.kind === 'fact' ? premise.fact : ''));
    return `${derivation.rule}\n${premises.join('\n')}\n${(derivation.absent ?? []).join('\n')}`;
}

/** What is beside something near: groups know their heights only by their contributions, and the order of values says nothing of them. */
function besideText(random: () => number): string {
    const node = (): number => Math.floor(random() * 12);
    const edges = Array.from({ length: 25 }, () => `e(${node()}, ${node()}).`).join(' ');
    const near = `near(${node()}, 0). near(Y, D) <- near(X, E), e(X, Y), D = mmin(E + 1).`;
    return `${edges} ${near} beside(Y) <- near(X, _), e(X, Y). @output("beside").`;
}

test('the derivation that is found first is the first of all', async () => {
    let several = 0;
    const random = seededRandom(7);
    const compare = async (text: string): Promise<void> => {
        await derivations(text, (first, ofAll) => {
            several += first === '' ? 0 : 1;
            expect(first, text).toBe(ofAll);
        });
    };
    await fc.assert(fc.asyncProperty(generatedProgram, compare), { seed: 20_777, numRuns: 120 });
    for (let i = 0; i < 120; i++) await compare(smallProgram(random));
    for (let i = 0; i < 30; i++) await compare(besideText(random));
    expect(several).toBeGreaterThan(200);
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
