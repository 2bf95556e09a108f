import { RuleDocument } from '#language/document/rule-document.ts';
import { changedText } from '#language/document/text-change.ts';
import { SAMPLE_TEXTS } from '../syntax/sample-texts.ts';
import { expectSame } from './expect-same.ts';
import { changeAtLine, randomChange, randomNumbers } from './random-edits.ts';

/** A program of rules that need each other, with facts, annotations and comments between them. */
export function generatedText(clauses: number, below: (limit: number) => number): string {
    const name = (): string => `p${below(Math.max(2, clauses >> 1))}`;
    const lines = Array.from({ length: clauses }, (_, i) => {
        switch (below(12)) {
            case 0:
                return `${name()}("a${i}", ${below(9)}).`;
            case 1:
                return `@output("${name()}"). % shown`;
            case 2:
                return `%% about rule ${i}\n${name()}(X, Y) <- ${name()}(X, Z), not ${name()}(Z, Y), Y > ${i}.`;
            case 3:
                return `${name()}(X, S) <- ${name()}(X, Y), ${name()}(Y), S = msum(Y).`;
            case 4:
                return `${name()}(X, Y) <-\n    ${name()}(X, Z),\n    ${name()}(Z, Y).`;
            case 5:
                return `${name()}(X), ${name()}(X, X) <- ${name()}(X, _, _).`;
            case 6:
                return `${name()}(X) <- ${name()}(Y), X = Y + 1, X < ?limit.`;
            case 7:
                return `#F <- ${name()}(X, Y), X == Y. ${name()}(1).`;
            case 8:
                return `${name()}(X, N) <- ${name()}(X, Y), ${name()}(Y).`;
            case 9:
                return `${name()}(V, X) <- ${name()}(X, Y), V = #f(Y). X = Y <- ${name()}(X, Y), ${name()}(Y, X).`;
            case 10:
                return `${name()}(N, M) <- ${name()}(N, X), ${name()}(X, M), ${name()}(M, _).`;
            default:
                return `${name()}(X, Y) <- ${name()}(X, Y), starts_with(X, "${name()}.").`;
        }
    });
    return `${lines.join('\n')}\n`;
}

/** A part of what finding out the meaning of the text takes. */
function someSteps(document: RuleDocument, count: number): void {
    const steps = document.updating();
    for (let i = 0; i < count; i++) steps.next();
}

/** Makes random changes and compares the document with one of the same text after each of them. */
export function fuzz(seed: number, changes: number): void {
    const below = randomNumbers(seed);
    const texts = [...SAMPLE_TEXTS, generatedText(30, below), generatedText(12, below).replaceAll('\n', '\r\n')];
    const perText = Math.ceil(changes / texts.length);
    for (const [number, text] of texts.entries()) {
        const document = RuleDocument.open(text, 'main.rulelang');
        someSteps(document, below(20));
        document.edit([randomChange(text, below)]);
        expectSame(document, `seed ${seed}, text ${number}, before all changes`);
        for (let i = 0; i < perText; i++) {
            const before = document.current.text;
            const first = below(3) === 0 ? changeAtLine(before, below) : randomChange(before, below);
            const second = below(8) === 0 ? [randomChange(changedText(before, first), below)] : [];
            const note = `seed ${seed}, text ${number}, change ${i}: ${JSON.stringify([before, first, second])}`;
            if (below(4) === 0) {
                document.edit([first]);
                someSteps(document, below(30));
                document.edit(second);
            } else document.change([first, ...second]);
            expectSame(document, note, below(2) === 0);
            if (below(40) === 0) {
                document.change(text);
                expectSame(document, `${note}, then all taken back`);
            }
        }
    }
}
