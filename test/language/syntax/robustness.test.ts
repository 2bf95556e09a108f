import { describe, expect, test } from 'vitest';
import { readProgram } from '#language/read-program.ts';
import { diagnoseClause } from '#language/syntax/diagnose-clause.ts';
import { mayBeUnderstood } from '#language/syntax/parse-clause.ts';
import { parseWithGrammar } from '#language/syntax/parser.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import { fc } from '../../support/fast-check.ts';
import { lastLineCut, SAMPLE_TEXTS } from './sample-texts.ts';

const PIECES = fc.constantFrom(
    ...['p', 'q(', '(', ')', '[', ']', '{', '}', ',', '.', '<-', ':-', '=', '==', '!=', '<>', '<', '>', '<=', '+', '-', '*', '/'],
    ...[
        '!',
        '!in',
        'in',
        'not',
        '~',
        '&&',
        '||',
        '&',
        '|',
        'X',
        'Y',
        '_',
        '_x',
        '_between(',
        'math:abs(',
        'msum(',
        'struct(',
        'dom(*)',
        'dom(',
    ],
    ...['1', '2.5', '1e3', '"a"', '""', "'b'", '#T', '#F', '#f(', '#TC(', '?p', `\${p}`, 'null', '2031-04-09', '2031-04-09 10:15:00'],
    ...[
        '@a',
        '@a("x")',
        '%c\n',
        '\n',
        '\n\n',
        ' ',
        '"',
        "'",
        '\\',
        '#',
        '@',
        ';',
        '$',
        '?',
        'SELECT a',
        'MATCH (n)',
        'and',
        '===',
        '//',
        '--',
        '\u0000',
    ],
);
/** Words of other languages, whose forms are looked for in a clause that cannot be read. */
const FOREIGN_WORDS = fc.constantFrom(
    ...['case', 'when', 'then', 'else', 'end', 'if', 'for', 'in', 'not', 'is', 'as', 'select', 'from', 'where', 'and', 'lambda', 'every'],
    ...[
        'some',
        'contains',
        'bind',
        'IFERROR',
        'VLOOKUP',
        'SUMIF',
        '#sum',
        'count',
        'order by',
        'interval',
        'return',
        'exists',
        'true',
        'nl',
    ],
    ...[
        '(',
        ')',
        '{',
        '}',
        '[',
        ']',
        '<',
        '>',
        '=',
        '!',
        '?',
        ':',
        ';',
        ',',
        '.',
        '->',
        '=>',
        '<-',
        ':-',
        '+',
        '-',
        '/',
        '@',
        '$',
        '"',
        "'",
    ],
    ...['X', 'Y', 'a', 'p(X)', 'q(X, Y)', '1', '12', '"a"', ' ', '  ', '\n', '\r\n', '\t', '%'],
);
/** What makes a pattern search long: parts of it that come again and again, with something else behind them. */
const REPEATED_WORDS = fc
    .tuple(
        fc.array(FOREIGN_WORDS, { maxLength: 4 }),
        fc.array(FOREIGN_WORDS, { minLength: 1, maxLength: 4 }),
        fc.array(FOREIGN_WORDS, { maxLength: 3 }),
        fc.constantFrom('', ' '),
    )
    .map(([first, again, last, between]) => {
        const piece = again.join(between) + between;
        return `${first.join(' ')} ${piece.repeat(Math.floor(1900 / piece.length))}${last.join(' ')}`;
    });
const TEXTS = fc.array(PIECES, { maxLength: 16 }).map(parts => parts.join(' '));
const DENSE_TEXTS = fc.array(PIECES, { maxLength: 16 }).map(parts => parts.join(''));

describe('reading is total', () => {
    test.each(SAMPLE_TEXTS)('no prefix of a text throws: %#', text => {
        for (const prefix of lastLineCut(text, 1)) {
            for (const { place, span } of readProgram(prefix, 'main.rulelang').problems) {
                expect(place.offset + span.start).toBeGreaterThanOrEqual(0);
                expect(place.offset + span.end).toBeLessThanOrEqual(prefix.length);
                expect(span.end).toBeGreaterThan(span.start);
            }
        }
    });

    test('no mixture of pieces throws', () => {
        fc.assert(
            fc.property(fc.oneof(TEXTS, DENSE_TEXTS), text => {
                const { value } = readProgram(text, 'main.rulelang');
                let end = 0;
                for (const { place, span } of value.clauses) {
                    expect(place.offset).toBeGreaterThanOrEqual(end);
                    end = place.offset + span.end;
                }
                expect(end).toBeLessThanOrEqual(text.length);
            }),
            { numRuns: 800 },
        );
    });

    test('a clause that nearly has the form of another language is refused soon', () => {
        fc.assert(
            fc.property(REPEATED_WORDS, text => {
                for (const { place, span } of readProgram(text, 'main.rulelang').problems)
                    expect(place.offset + span.end).toBeLessThanOrEqual(text.length);
            }),
            { numRuns: 250, examples: [[`p(X)${', Y, a = b!c'.repeat(60)} -> q`]] },
        );
    });

    test('a clause is refused by the grammar exactly when a mistake can be named', () => {
        const clause = fc.tuple(fc.constantFrom('', 'h(X) <- ', 'h(X) <- p(X), ', 'p(', '@a("x") '), fc.array(PIECES, { maxLength: 8 }));
        fc.assert(
            fc.property(clause, ([start, parts]) => {
                const text = `${start}${parts.filter(part => part !== '.').join(' ')}.`.trimStart();
                const tokens = tokenize(text);
                if (tokens.findIndex(token => token.kind === 'dot') !== tokens.length - 1) return;
                const mistake = diagnoseClause(tokens, false);
                if (parseWithGrammar(text).kind !== 'understood') expect(mistake, text).toBeDefined();
                else if (mistake !== undefined) expect(mayBeUnderstood(mistake), text).toBe(true);
            }),
            { numRuns: 1500 },
        );
    });
});

describe('clauses that would exhaust the parser are refused before it', () => {
    test.each([
        ['250 nested lists', `p(${'['.repeat(250)}${']'.repeat(250)}).`],
        ['5,000 operators', `h(X) <- p(X), X > 1${'+1'.repeat(5000)}.`],
        ['5,000 negations', `h(X) <- p(X), ${'!'.repeat(5000)}X.`],
        ['5,000 nested calls', `h(X) <- p(X), X > ${'f('.repeat(5000)}`],
    ])('%s, and the rest of the file is read', (_name, clause) => {
        const { value, problems } = readProgram(`a(1).\n${clause}\nb("x") <- a(1).\n`, 'main.rulelang');
        expect(problems.map(problem => problem.code)).toEqual(['RL0017']);
        expect(value.clauses.map(({ kind }) => kind)).toEqual(['fact', 'broken', 'rule']);
        expect(readProgram('h(X) <- p(X).', 'next.rulelang').problems).toEqual([]);
    });

    test('blanks and comments are no part of the tree, in which a place for each would be looked for', () => {
        const parsed = parseWithGrammar('p([1, % one\n 2]).');
        if (parsed.kind !== 'understood') throw new Error(parsed.kind);
        const leaves = (node: object): string[] =>
            'content' in node ? (node.content as object[]).flatMap(leaves) : [(node as { readonly text: string }).text];
        expect(leaves(parsed.clause.$cstNode ?? {})).toEqual(['p', '(', '[', '1', ',', '2', ']', ')', '.']);
    });

    test('a parser that gave up is replaced', () => {
        expect(parseWithGrammar(`p(${'['.repeat(20_000)}`).kind).toBe('failed');
        expect(parseWithGrammar('p(1).').kind).toBe('understood');
    });

    test('what is just below the limits is read', () => {
        const deep = `p(${'['.repeat(99)}${']'.repeat(99)}).`;
        const long = `h(X) <- p(X), X > 1${'+1'.repeat(999)}.`;
        const prefixes = `h(X) <- p(X), ${'!'.repeat(100)}X.`;
        expect(readProgram(`${deep}\n${long}\n${prefixes}`, 'main.rulelang').problems).toEqual([]);
    });
});

describe('files as they come', () => {
    test('a byte-order mark is skipped', () => {
        const { value, problems } = readProgram('\ufeffp(1).', 'main.rulelang');
        expect(problems).toEqual([]);
        expect(value.clauses[0]?.place).toEqual({ file: 'main.rulelang', offset: 1, line: 0, column: 1 });
    });

    test('lines may end with CRLF', () => {
        const { value, problems } = readProgram('%% about p\r\np(1).\r\nh(X) <-\r\n    p(X), % note\r\n    X > 0.\r\n', 'main.rulelang');
        expect(problems).toEqual([]);
        expect(value.clauses.map(({ place }) => [place.line, place.column])).toEqual([
            [1, 0],
            [2, 0],
        ]);
        expect(value.clauses[0]?.documentation).toBe('about p');
    });

    test('an empty file is an empty program', () => {
        expect(readProgram('', 'main.rulelang')).toEqual({ value: { file: 'main.rulelang', clauses: [] }, problems: [] });
        expect(readProgram('% only a comment', 'main.rulelang').value.clauses).toEqual([]);
    });
});
