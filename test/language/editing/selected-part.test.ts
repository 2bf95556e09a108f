import { expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { selectedPart } from '#language/editing/selected-part.ts';

const TEXT = `p(1). p(2).
@output("q").
q(X), r(X) <- p(X), not s(X), (X > 1).
s(X) <- p(X).
`;

/** What is selected from the first of these texts to the end of the second. */
function partOf(from: string, to: string): unknown {
    const start = TEXT.indexOf(from);
    return selectedPart(openDocument(TEXT, 'a.rulelang'), { start, end: TEXT.indexOf(to, start) + to.length });
}

test.each([
    ['whole items of a body', 'p(X), not', '(X > 1)', { body: 'p(X), not s(X), (X > 1)' }],
    ['items that are touched', 'X), not', 'not s', { body: 'p(X), not s(X)' }],
    ['a head and some of its body', 'r(X)', 'p(X)', { predicates: ['q', 'r'] }],
    ['several clauses', 'p(2)', 's(X) <-', { predicates: ['p', 'q', 'r', 's'] }],
    ['a fact', 'p(2)', 'p(2)', { predicates: ['p'] }],
    ['an annotation', '@output', '@output', undefined],
])('%s', (_, from, to, part) => expect(partOf(from, to)).toEqual(part));
