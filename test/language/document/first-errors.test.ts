import { expect, test } from 'vitest';
import { endOf, errorsOfFirst } from '#language/document/clause-list.ts';
import { RuleDocument } from '#language/document/rule-document.ts';
import { changedText } from '#language/document/text-change.ts';
import { generatedText } from './generated-text.ts';
import { randomChange, randomNumbers } from './random-edits.ts';

/** A text with a few characters that do not belong there. */
function brokenText(seed: number): string {
    const below = randomNumbers(seed);
    let text = generatedText(30, below);
    for (let i = 0; i < 6; i++) text = changedText(text, randomChange(text, below));
    return text;
}

test('the first errors are those of reading the whole text, as far as it was looked at', () => {
    let compared = 0;
    for (let seed = 1; seed <= 15; seed++) {
        const text = brokenText(seed);
        const { clauses, problems } = RuleDocument.open(text, 'main.rulelang').module;
        const errors = problems.filter(({ severity }) => severity === 'error');
        for (const count of [1, 5, 12, clauses.length]) {
            const last = clauses[count - 1];
            const end = last === undefined ? text.length : endOf(last);
            const looked = errors.filter(({ place }) => place.offset < end);
            expect([seed, count, errorsOfFirst(count, text, 'main.rulelang')]).toEqual([seed, count, looked]);
            compared += looked.length;
        }
    }
    expect(compared).toBeGreaterThan(50);
});
