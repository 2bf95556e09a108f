import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { RuleDocument } from '#language/document/rule-document.ts';
import { generatedText } from './generated-text.ts';
import { randomNumbers } from './random-edits.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function usedMegabytes(): number {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
}

test('memory follows the text, and not the number of edits', () => {
    const below = randomNumbers(3);
    const comment = `% ${'what stands here is long '.repeat(4000)}\n`;
    const document = RuleDocument.open(`${comment}${generatedText(150, below)}`, 'main.rulelang');
    const used: number[] = [];
    for (let round = 0; round < 4; round++) {
        for (let i = 0; i < 100; i++) {
            const { clauses } = document.current.analysed.program;
            const clause = clauses[below(clauses.length)];
            if (clause === undefined) continue;
            const { offset } = clause.place;
            const text = `fresh_predicate_${round}_${i}(X, "a constant of some length ${i}") <- p1(X, Y), needed_${round}_${i}(Y, ${i}).\n`;
            document.change([{ start: offset, end: offset, text }]);
            if (i % 7 === 0) expect(document.current.analysed.predicates.size).toBeGreaterThan(0);
            if (i % 20 !== 0) document.change([{ start: offset, end: offset + text.length, text: '' }]);
            else document.change([{ start: offset, end: offset + 3, text: '' }]);
        }
        used.push(usedMegabytes());
    }
    const [first = 0, ...later] = used;
    expect(Math.max(...later) - first).toBeLessThan(6);
});
