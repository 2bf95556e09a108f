import { expect } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { DerivationNode } from '#engine/explain/explanation.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { check, runOptions } from '../support/conformance.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { seededRandom } from '../support/program-variations.ts';
import { smallProgram } from '../support/why-not-programs.ts';
import { sampled } from './sampled.ts';
import type { Search } from './search.ts';

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

const generatedText = sampled(generatedProgram);

/** The derivation that is found first is the first of all; tells how many there were. */
export const firstDerivation: Search<number> = {
    name: 'first-derivation',
    text(seed) {
        const random = seededRandom(seed);
        if (seed % 9 === 0) return besideText(random);
        return seed % 2 === 0 ? smallProgram(random) : generatedText(seed);
    },
    async check(text) {
        if (check(text).errors.length > 0) return undefined;
        let several = 0;
        await derivations(text, (first, ofAll) => {
            several += first === '' ? 0 : 1;
            expect(first).toBe(ofAll);
        });
        return several;
    },
};
