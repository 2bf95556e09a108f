import { describe, expect, test } from 'vitest';
import { clauseEnd } from '#language/syntax/clause-end.ts';
import { parseClause } from '#language/syntax/parse-clause.ts';
import { placedClause } from '#language/syntax/parsed-clause.ts';
import { readPlainFact } from '#language/syntax/plain-fact.ts';
import { fc } from '../../support/fast-check.ts';

const PLACE = { file: 'main.rulelang', offset: 0, line: 0, column: 0 };

/** The fact reader and the grammar agree on the first clause of a text, or the reader leaves it to the grammar. */
function expectAgreement(text: string): void {
    const fact = readPlainFact(text, 0, PLACE);
    if (fact === undefined) return;
    const end = clauseEnd(text, 0);
    expect(fact.span.end).toBe(end);
    const parsed = parseClause(text.slice(0, end), true);
    expect(parsed.problems).toEqual([]);
    expect(placedClause(parsed.content, PLACE, undefined)).toEqual(fact);
}

describe('the reader of plain facts reads what the grammar reads', () => {
    test.each([
        'p().',
        'p ( 1 ) .',
        'p(1)',
        'p(1).5',
        'p(1)..',
        'p(1).q(2).',
        'p(-1, -0, -0.0, 0.5, 00012).',
        'p(- 1).',
        'p(--1).',
        'p(+1).',
        'p(1.).',
        'p(.5).',
        'p(1.5.3).',
        'p(1_000).',
        'p(1e5, 1E-7).',
        'p(999999999999999, 1234567890123456).',
        'p(9007199254740993).',
        'p(99999999999999999999).',
        'p(2031-04-09).',
        'p(2031-4-9).',
        'p(2031-02-30, 2031-13-01).',
        'p(2031-04-09T10:11:12).',
        'p(2031-04-09 10:11:12.5).',
        'p(2031-04-09 1).',
        'p(2031-04-09-1).',
        'p(2031-04-09.5).',
        'p(12031-04-09, -2031-04-09).',
        'p(0000-02-29 , 2000-02-29\n).',
        'p(2031).',
        'p("a", "", "a b").',
        'p("a""b").',
        'p("""").',
        'p("a\\"b").',
        'p("a\nb").',
        `p("\${x}", "%", "a. b(1)").`,
        'p("ab).',
        "p('a').",
        'p(#T,#F).',
        'p(#Tx).',
        'p(#F_).',
        'p(#f(1)).',
        'p(null, NULL).',
        'p(X).',
        'p(_).',
        'p(a).',
        'p([1]).',
        'p({1}, struct("a", 1)).',
        'p(1,).',
        'p(,1).',
        'p(1 2).',
        'p(1, % note\n2).',
        'p(1)% note\n.',
        'p(1)@[1,2).',
        'p(1) <- q(1).',
        'p(1), q(1).',
        'not(1).',
        'in(1).',
        'dom(1).',
        'null(1).',
        'math:x(1).',
        'p\u00e4(1).',
        'p\u00a0(1).',
        'p(1)\r\n.',
    ])('%j', text => expectAgreement(text));

    test('hostile mixtures of pieces', () => {
        const pieces = fc.constantFrom(
            ...['p', 'q1', 'not', '(', ')', '.', ',', ' ', '\n', '"', '""', '\\', '"a"', '""""', '1', '-', '0.5', '1e5', '2031-04-09'],
            ...['#T', '#F', '#', '_', 'X', '%', '@a', '<-', '[', ']', "'", '1.5.3', '1_0', '12345678901234567890', ';', '\u00a0', '/'],
        );
        fc.assert(
            fc.property(fc.array(pieces, { maxLength: 12 }), parts => expectAgreement(`p(${parts.join('')}`)),
            { numRuns: 3000 },
        );
    });

    test('well-formed facts', () => {
        const constant = fc.oneof(
            fc.string({ maxLength: 6 }).map(value => `"${value.replaceAll('"', '""')}"`),
            fc.integer().map(String),
            fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
            fc.maxSafeInteger().map(String),
            fc.constantFrom('#T', '#F', 'null', '2031-04-09', '-1', '- 1', '"\\n"'),
        );
        const blank = fc.constantFrom('', ' ', '\n', '  ');
        fc.assert(
            fc.property(fc.array(fc.tuple(blank, constant, blank)), blank, (values, after) =>
                expectAgreement(`fact(${values.map(parts => parts.join('')).join(',')})${after}.`),
            ),
            { numRuns: 2000 },
        );
    });
});
