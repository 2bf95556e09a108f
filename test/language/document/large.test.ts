import { expect, test } from 'vitest';
import { RuleDocument } from '#language/document/rule-document.ts';
import { countSteps, LOST_COUNTS } from '../../support/count-steps.ts';

/** Facts of one predicate with a rule that reads them, as a program that keeps its data. */
function factsOf(count: number): string {
    const facts = Array.from({ length: count }, (_, i) => `edge("n${i}", ${i}, ${i}.5).\n`);
    return `${facts.join('')}far(X) <- edge(X, N, _), N > 3.\n@output("far").\n`;
}

/** The steps of one key in the middle, once everything is warm. */
async function stepsOfKey(count: number): Promise<number> {
    const text = factsOf(count);
    const document = RuleDocument.open(text, 'main.rulelang');
    const start = text.indexOf(`edge("n${count / 2}"`) + 'edge("n'.length;
    const key = () => document.change([{ start, end: start, text: '1' }]).problems.length;
    const back = () => document.change([{ start, end: start + 1, text: '' }]).problems.length;
    key();
    back();
    return countSteps(key);
}

test('a key among many facts of a predicate does not look at what the others hold', LOST_COUNTS, async () => {
    const [few, many] = [await stepsOfKey(2000), await stepsOfKey(4000)];
    expect((many - few) / 2000).toBeLessThan(10);
});
