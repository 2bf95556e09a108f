import { expect, test } from 'vitest';
import { RuleDocument } from '#language/document/rule-document.ts';
import { documentEdits } from '../../fuzz/document-edits.ts';
import { searched } from '../../fuzz/search.ts';
import { expectSame } from './expect-same.ts';

test('a document that is edited equals one of the same text', () => searched(documentEdits, 20_777, 4));

test('unchanged clauses stay the same objects, and move', () => {
    const document = RuleDocument.open('p(1).\nq(X) <- p(X).\nr(X) <- q(X).\n', 'main.rulelang');
    const [, , last] = document.current.analysed.program.clauses;
    document.change([{ start: 6, end: 6, text: '%% about q\n\n' }]);
    const { clauses } = document.current.analysed.program;
    expect(clauses[2]).toBe(last);
    expect(last?.place).toEqual({ file: 'main.rulelang', offset: 32, line: 4, column: 0 });
    expectSame(document, 'one change');
});
