import { describe, expect, test } from 'vitest';
import { formatClause } from '#language/editing/format-clause.ts';
import { formatEdits, formatText } from '#language/editing/format-edits.ts';
import { printProgram } from '#language/program/print.ts';
import { readProgram } from '#language/read-program.ts';
import { fc } from '../../support/fast-check.ts';
import { lastLineCut, SAMPLE_TEXTS } from '../syntax/sample-texts.ts';

const LONG = Array.from({ length: 6 }, (_, index) => `predicate_${index}(Variable, Other${index})`);

describe('the layout of a text', () => {
    test.each([
        ['one clause per line', 'p(1).q(2).   r( 3 ) .', 'p(1).\nq(2).\nr(3).\n'],
        ['the usual arrow', 'h(X):-p(X),~q(X).', 'h(X) <- p(X), not q(X).\n'],
        [
            'operators',
            'h(X)<-p(X,_),X>-1+2*( 3-Y),!A==B&&C||D, - -X in[1,{ }].',
            'h(X) <- p(X, _), X > -1 + 2 * (3 - Y), !A == B && C || D, - -X in [1, {}].\n',
        ],
        ['aggregates', 'h(X,S)<-p(X,Y),S=msum(Y,<X , Y>),N=mcount( <> ).', 'h(X, S) <- p(X, Y), S = msum(Y, <X, Y>), N = mcount(<>).\n'],
        ['an arrow that compares', 'h(X) <- p(X), X<-3.', 'h(X) <- p(X), X < -3.\n'],
        ['an arrow inside brackets', '@post("p"<- "limit(2)").\np( 1 ).', '@post("p" < -"limit(2)").\np(1).\n'],
        ['only constants', 'h(X)<-dom( * ),p(X).', 'h(X) <- dom(*), p(X).\n'],
        ['annotations', '@a  ("x" ,1)@b p(1). @output( "p" )\n.', '@a("x", 1) @b p(1).\n@output("p").\n'],
        ['a line break after annotations stays', '@a("x")\n@b  h(X)<-p(X).', '@a("x")\n@b\nh(X) <- p(X).\n'],
        ['paragraphs', '\n\np(1).\n\n\n\nq(1).\n% note\n\n\n', 'p(1).\n\nq(1).\n% note\n'],
        ['comments behind clauses', 'p(1).% one\n  % two  \nq(1). %% three', 'p(1). % one\n% two\nq(1). %% three\n'],
        ['strings', "p('it''s',\"a\n  b\\d\").", "p('it''s', \"a\n  b\\d\").\n"],
        ['a rule that is too long', `h(Variable)<-${LONG.join(',')}.`, `h(Variable) <-\n    ${LONG.join(',\n    ')}.\n`],
        ['heads that are too long', `${LONG.join(', ')} <- p(Variable).`, `${LONG.join(',\n    ')} <-\n    p(Variable).\n`],
        [
            'comments between items',
            'h(X) <- % all\np(X), % first\n  % second\n  q(X) % third\n , r(X).',
            'h(X) <- % all\n    p(X), % first\n    % second\n    q(X), % third\n    r(X).\n',
        ],
        ['comments in unusual places', 'h(X) <- p(X,% one\n  Y).\nq( 1 ).', 'h(X) <- p(X,% one\n  Y).\nq(1).\n'],
        ['a comment before the dot', 'h(X) <- p(X) % one\n.\nq( 1 ).', 'h(X) <- p(X) % one\n.\nq(1).\n'],
        ['query bodies', 'h( )<-SELECT  a,\n  b FROM t.\nq( 1 ).', 'h() <- SELECT  a,\n  b FROM t.\nq(1).\n'],
        ['query bodies on lines of their own', 'h( )<-  \n  SELECT a -- x\n.', 'h() <-\n  SELECT a -- x\n.\n'],
        ['a clause with an error stays', 'p( 1 ).\n  q( 1,, 2 ).\nr( 1 ).', 'p(1).\n  q( 1,, 2 ).\nr(1).\n'],
        ['a clause without its dot stays', 'p( 1 )\nr( 1 ).', 'p( 1 )\nr(1).\n'],
        ['line ends of the file', 'p(1).\r\nh(X)<-%a\r\np(X).', 'p(1).\r\nh(X) <- %a\r\n    p(X).\r\n'],
        ['a byte-order mark', '\ufeffp( 1 ).', '\ufeffp(1).\n'],
        ['an empty file', ' \n', ''],
    ])('%s', (_name, text, expected) => {
        expect(formatText(text)).toBe(expected);
        expect(formatText(expected)).toBe(expected);
    });
});

/** What a text means, with the words of its problems; broken clauses by their text. */
function meaning(text: string): unknown {
    const { value, problems } = readProgram(text, 'main.rulelang');
    const broken = value.clauses.map(clause => (clause.kind === 'broken' ? text.substr(clause.place.offset, clause.span.end) : ''));
    const errors = problems.filter(problem => problem.severity === 'error').map(problem => problem.message);
    return { program: printProgram(value), broken, errors };
}

function expectGoodLayout(text: string): void {
    const once = formatText(text);
    expect(meaning(once)).toEqual(meaning(text));
    expect(formatText(once)).toBe(once);
    expect(comments(once)).toEqual(comments(text));
}

/** Comments without the blanks around them. */
function comments(text: string): string[] {
    return [...text.matchAll(/%c\d/g)].map(match => match[0]);
}

describe('laying out', () => {
    test.each(SAMPLE_TEXTS)('keeps the meaning and is done at once: %#', text => {
        expectGoodLayout(text);
        expectGoodLayout(text.replaceAll('\n', '\r\n'));
    });

    test('keeps the meaning of every prefix', () => {
        for (const text of SAMPLE_TEXTS) for (const prefix of lastLineCut(text, 3)) expectGoodLayout(prefix);
    });

    test('keeps the meaning of mixtures of pieces', () => {
        const pieces = fc.constantFrom(
            ...[
                'p(1)',
                'h(X)',
                'q(X, Y)',
                '@a("x")',
                '@b',
                '<-',
                ':-',
                ',',
                ', ',
                '.',
                '.\n',
                '\n',
                '\n\n',
                ' ',
                '    ',
                'X > 1',
                'X<-3',
                '!X',
                '-X',
                '- -1',
            ],
            ...[
                '%c1\n',
                ' %c2\n',
                '%c3 . q(1)\n',
                '%% d\n',
                'S = sum(X, <Y>)',
                'not p(X)',
                '~p(X)',
                '"a\nb"',
                '(X + 1)',
                '[1,2]',
                'SELECT a FROM t',
                '#TC(e)',
                'X = Y',
                '#F',
                '"',
                '(',
            ],
        );
        fc.assert(
            fc.property(fc.array(pieces, { maxLength: 14 }), parts => expectGoodLayout(parts.join(''))),
            { numRuns: 700 },
        );
    });

    test('is one edit around what differs', () => {
        expect(formatEdits('p(1).\nq( 2).\nr(3).\n')).toEqual([{ start: 8, end: 9, text: '' }]);
        expect(formatEdits('p(1).\n')).toEqual([]);
    });
});

test.each(['p().', 'p ( ) .', 'p( 1,-2 , 0.50,"a  b" ,#T,2031-04-09 ).', 'ab\n(\n1 ,\t2)\n.'])(
    'the plain fact %j is laid out like any clause',
    text => {
        expect(formatText(text)).toBe(`${formatClause(text, '\n')}\n`);
    },
);
