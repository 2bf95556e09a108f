import { expect, test } from 'vitest';
import { RuleDocument } from '#language/document/rule-document.ts';
import { readQuery } from '#language/sql/read-query.ts';
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

test('a rule with a query of unknown tables goes when its text breaks', () => {
    const options = { sql: readQuery };
    const document = RuleDocument.open('e() <- SELECT a FROM t WHERE x = 1.', 'main.rulelang', options);
    expect(document.current.analysed.rules).toHaveLength(1);
    document.change([{ start: 27, end: 35, text: '(' }]);
    expect(document.current.analysed.rules).toHaveLength(0);
    expectSame(document, 'the change', { options });
});

test.each(['X = Y <- p(X, _), p(Y, Z), q(Z).', '#F <- p(_, Z), q(Z).'])(
    'a rule without a head predicate ceases to read a column: %s',
    rule => {
        const text = `p(1, 2). q(2). r(X) <- p(X, _), q(X).\n${rule}\n@output("r").\n`;
        const document = RuleDocument.open(text, 'main.rulelang');
        expect(document.current.problems.map(({ code }) => code)).not.toContain('RL9033');
        const start = text.indexOf('Z', text.indexOf('\n'));
        document.change([{ start, end: start + 1, text: '_' }]);
        expect(document.current.problems.map(({ code }) => code)).toContain('RL9033');
        expectSame(document, 'the change');
    },
);
