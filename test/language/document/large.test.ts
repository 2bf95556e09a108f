import { expect, test } from 'vitest';
import { RuleDocument } from '#language/document/rule-document.ts';
import { writtenBinds } from '#server/workspace/held-targets.ts';
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

/** Rules of as many predicates, one of which is written to a file. */
function rulesOf(count: number): string {
    const rules = Array.from({ length: count }, (_, i) => `rule${i}(X) <- fact(X), X > ${i}.\n`);
    return `fact(1).\n${rules.join('')}@output("rule0").\n@bind("rule0", "csv", "", "rule0.csv").\n`;
}

/** The steps of finding the targets of a program after a key in the middle. */
async function stepsOfTargets(count: number): Promise<number> {
    const text = rulesOf(count);
    const document = RuleDocument.open(text, 'main.rulelang');
    const at = text.indexOf('X >', text.length / 2) + 'X > '.length;
    const targets = () => expect(writtenBinds(document.current.analysed)).toHaveLength(1);
    targets();
    document.change([{ start: at, end: at, text: '1' }]);
    return countSteps(targets);
}

test('after a key among many predicates, those are asked for that are written to files', LOST_COUNTS, async () => {
    const [few, many] = [await stepsOfTargets(200), await stepsOfTargets(400)];
    expect(many - few).toBeLessThan(100);
});

test('a text is analysed in steps, and a longer one in more of them', () => {
    const stepsOf = (count: number): number => {
        let steps = 0;
        for (const _ of RuleDocument.open(rulesOf(count), 'main.rulelang').updating()) steps++;
        return steps;
    };
    expect(stepsOf(1500) - stepsOf(500)).toBeGreaterThan(50);
});
