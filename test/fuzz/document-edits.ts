import { RuleDocument } from '#language/document/rule-document.ts';
import { changedText } from '#language/document/text-change.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { expectSame } from '../language/document/expect-same.ts';
import { generatedText } from '../language/document/generated-text.ts';
import { changeAtLine, randomChange, randomNumbers } from '../language/document/random-edits.ts';
import { SAMPLE_TEXTS } from '../language/syntax/sample-texts.ts';
import type { Search } from './search.ts';

const CHANGES = 25;

/** A part of what finding out the meaning of the text takes. */
function someSteps(document: RuleDocument, count: number): void {
    const steps = document.updating();
    for (let i = 0; i < count; i++) steps.next();
}

/** After each of some random changes a document is what one of the same text is. */
export const documentEdits: Search<true> = {
    name: 'document-edits',
    text(seed) {
        const below = randomNumbers(seed);
        const texts = [...SAMPLE_TEXTS, generatedText(30, below), generatedText(12, below).replaceAll('\n', '\r\n')];
        return texts[seed % texts.length] ?? '';
    },
    check(text, seed) {
        const below = randomNumbers(seed + 1);
        // Where queries are read, their rules depend on all names.
        const options = seed % 3 === 0 ? {} : { sql: readQuery };
        const document = RuleDocument.open(text, 'main.rulelang', options);
        someSteps(document, below(20));
        document.edit([randomChange(text, below)]);
        expectSame(document, 'a change before its meaning was known', { options });
        for (let i = 0; i < CHANGES; i++) {
            const before = document.current.text;
            const first = below(3) === 0 ? changeAtLine(before, below) : randomChange(before, below);
            const second = below(8) === 0 ? [randomChange(changedText(before, first), below)] : [];
            const note = `change ${i}: ${JSON.stringify([before, first, second])}`;
            if (below(4) === 0) {
                document.edit([first]);
                someSteps(document, below(40));
                document.edit(second);
            } else document.change([first, ...second]);
            expectSame(document, note, { whole: below(2) === 0, options });
            if (below(40) === 0) {
                document.change(text);
                expectSame(document, `${note}, then all taken back`, { options });
            }
        }
        return true;
    },
};
