import { describe, expect, test } from 'vitest';
import { openDocument, rangeOf } from '#language/document/open-document.ts';
import { formatText } from '#language/editing/format-edits.ts';
import { ignores, quickFixes } from '#language/editing/quick-fixes.ts';
import type { Problem } from '#language/program/problem.ts';
import { ignoreComments } from '#language/reporting/ignore-comments.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { fixedSeverity, readSeverities, type Severities } from '#language/reporting/severities.ts';
import { fc } from '../../support/fast-check.ts';
import { applied } from '../editing/editing-markers.ts';

function reported(text: string, severities: Severities = new Map()): readonly Problem[] {
    const document = openDocument(text, 'p.rulelang');
    return reportedProblems({ ...document, clauses: document.analysed.program.clauses }, severities);
}

/** `CODE line severity` of each problem, lines from 1. */
function told(text: string, severities?: Severities): string[] {
    return reported(text, severities).map(problem => `${problem.code} ${text.slice(0, rangeOf(problem).start).split('\n').length}`);
}

const OUTPUT = '@output("h").\np(1, 2).\n';

describe('comments that ignore problems', () => {
    test.each([
        ['without one', 'h(X) <- p(X, Y).', ['RL9001 3']],
        ['above the line', '% rulelang-ignore RL9001\nh(X) <- p(X, Y).', []],
        ['at the end of the line', 'h(X) <- p(X, Y). % rulelang-ignore RL9001', []],
        ['with a remark', '%rulelang-ignore RL9001 the second column is not needed\nh(X) <- p(X, Y).', []],
        ['above a clause of several lines', '% rulelang-ignore RL9001\nh(X) <-\n    p(X, Y),\n    p(X, Z).', []],
        ['behind a clause of several lines', 'h(X) <-\n    p(X, Y),\n    p(X, Z). % rulelang-ignore RL9001', []],
        ['inside a clause, for the line below', 'h(X) <-\n    % rulelang-ignore RL9001\n    p(X, Y),\n    p(X, Z).', ['RL9001 6']],
        ['inside a clause, for its own line', 'h(X) <-\n    p(X, Y), % rulelang-ignore RL9001\n    p(X, Z).', ['RL9001 5']],
        ['above documentation', '% rulelang-ignore RL9001\n%% About h.\nh(X) <- p(X, Y).', []],
        ['several codes', '% rulelang-ignore RL9002, RL9001\nh(X) <- p(X, Y), p(Z, Z).', []],
        [
            'not the line after the next',
            '% rulelang-ignore RL9001\nh(X) <- p(X, 1).\nh(X) <- p(X, Y).',
            ['RL9040 3', 'RL1115 4', 'RL9001 5'],
        ],
        ['not behind an empty line', '% rulelang-ignore RL9001\n\nh(X) <- p(X, Y).', ['RL9040 3', 'RL9001 5']],
        ['for the file, wherever it stands', 'h(X) <- p(X, Y).\n% rulelang-ignore-file RL9001', []],
        ['documentation is not a request', '%% rulelang-ignore RL9001\nh(X) <- p(X, Y).', ['RL9001 4']],
        ['text is not a request', 'h(X) <- p(X, Y), concat(X) != "% rulelang-ignore RL9001".', ['RL9001 3']],
        ['other words are not a request', '% rulelang-ignored RL9001\nh(X) <- p(X, Y).', ['RL9001 4']],
        ['nothing to ignore', '% rulelang-ignore RL9001\nh(X) <- p(X, _).', ['RL9040 3']],
        ['no code', '% rulelang-ignore\nh(X) <- p(X, _).', ['RL9041 3']],
        ['an unknown code', '% rulelang-ignore RL1\nh(X) <- p(X, _).', ['RL9041 3']],
        ['errors stay', '% rulelang-ignore RL2002\nh(X) <- p(X, X), Z > 1.', ['RL9041 3', 'RL2002 4']],
    ])('%s', (_, text, expected) => {
        expect(told(OUTPUT + text)).toEqual(expected);
        expect(told((OUTPUT + text).replaceAll('\n', '\r\n'))).toEqual(expected);
    });

    test('the comment of one code of several can go alone', () => {
        const text = `${OUTPUT}% rulelang-ignore RL9002, RL9001 because\nh(X) <- p(X, Y).`;
        const document = openDocument(text, 'p.rulelang');
        const [idle] = reported(text);
        expect(idle?.code).toBe('RL9040');
        const [fix] = idle === undefined ? [] : quickFixes(document, idle);
        expect(fix && applied(text, fix.edits)).toBe(`${OUTPUT}% rulelang-ignore RL9001 because\nh(X) <- p(X, Y).`);
    });

    test.each([
        'h(X) <- p(X, Y). % rulelang-ignore RL9002',
        '% rulelang-ignore RL9002\nh(X) <- p(X, Y).',
        '% rulelang-ignore-file\nh(X) <- p(X, Y).',
    ])('the fix of %j leaves no comment', text => {
        const whole = OUTPUT + text;
        const idle = reported(whole).find(({ code }) => code.startsWith('RL904'));
        const [fix] = idle === undefined ? [] : quickFixes(openDocument(whole, 'p.rulelang'), idle);
        expect(fix && applied(whole, fix.edits)).toBe(`${OUTPUT}h(X) <- p(X, Y).`);
    });
});

describe('fixes that ignore a problem', () => {
    test.each([
        ['h(X) <- p(X, Y).', '% rulelang-ignore RL9001\nh(X) <- p(X, Y).'],
        ['  h(X) <-\n p(X, Y).', '  % rulelang-ignore RL9001\n  h(X) <-\n p(X, Y).'],
        ['%% About h.\nh(X) <- p(X, Y).', '% rulelang-ignore RL9001\n%% About h.\nh(X) <- p(X, Y).'],
        ['% rulelang-ignore RL9002 why\nh(X) <- p(X, Y).', '% rulelang-ignore RL9002, RL9001 why\nh(X) <- p(X, Y).'],
    ])('%j on its line', (text, expected) => {
        const whole = OUTPUT + text;
        const problem = reported(whole).find(({ code }) => code === 'RL9001');
        const fixes = problem === undefined ? [] : ignores(openDocument(whole, 'p.rulelang'), problem);
        expect(fixes.map(({ title }) => title)).toEqual(['Ignore RL9001 on this line', 'Ignore RL9001 in this file']);
        expect(fixes.map(({ edits }) => applied(whole, edits))[0]).toBe(OUTPUT + expected);
        for (const { edits } of fixes) expect(told(applied(whole, edits))).not.toContainEqual(expect.stringMatching('RL9001'));
    });

    test('none for errors', () => {
        const whole = `${OUTPUT}h(X) <- p(X, X), Z > 1.`;
        const document = openDocument(whole, 'p.rulelang');
        expect(document.problems.flatMap(problem => ignores(document, problem))).toEqual([]);
    });
});

describe('severities', () => {
    test('of a project', () => {
        const { severities, complaints } = readSeverities({ RL9001: 'error', RL9002: 'off' });
        expect(complaints).toEqual([]);
        expect(reported(`${OUTPUT}h(X) <- p(X, Y), p(Z, Z).`, severities).map(({ code, severity }) => [code, severity])).toEqual([
            ['RL9001', 'error'],
        ]);
    });

    test('errors stay errors, and what cannot be is said', () => {
        const { severities, complaints } = readSeverities({ RL2002: 'off', RL1: 'hint', RL9001: 'loud' });
        expect(complaints).toEqual([
            "The severity of 'RL2002' stays as it is: 'RL2002' is an error, which stops a run",
            "The severity of 'RL1' stays as it is: no problem has the code 'RL1'",
            "The severity of 'RL9001' is one of off, hint, information, warning, error",
        ]);
        expect(severities.size).toBe(0);
        expect(readSeverities({ __proto__: null, RL2002: 'error' }).complaints).toEqual([]);
        expect(readSeverities([]).complaints).toHaveLength(1);
        expect(fixedSeverity('toString')).toBe("no problem has the code 'toString'");
    });

    test('settings that are changed from elsewhere cannot silence an error', () => {
        expect(told(`${OUTPUT}h(X) <- p(X, X), Z > 1.`, new Map([['RL2002', 'off']]))).toEqual(['RL2002 3']);
    });
});

test('laying a program out keeps what its comments ignore', () => {
    const clause = fc.constantFrom(
        'h(X) <- p(X, Y).',
        'h(X) <- p(X, LongNameOfAVariableThatFillsLines), p(X, AnotherLongNameThatFillsTheLine), p(X, OneMore).',
        'h(X) <-\n  p(X, Y),\n\n  p(X, Z).',
        'p(3, 4).',
    );
    const part = fc.record({
        above: fc.constantFrom('', '% rulelang-ignore RL9001\n', '% rulelang-ignore RL9002, RL9001\n%% About.\n'),
        clause,
        behind: fc.constantFrom('', ' % rulelang-ignore RL9001'),
    });
    fc.assert(
        fc.property(fc.array(part, { maxLength: 6 }), parts => {
            const text = OUTPUT + parts.map(({ above, clause: written, behind }) => `${above}${written}${behind}\n`).join('');
            const codes = (of: string): string[] => reported(of).map(({ code }) => code);
            expect(codes(formatText(text))).toEqual(codes(text));
        }),
    );
});

test('no text makes reading comments throw', () => {
    const piece = fc.constantFrom(
        '%',
        'rulelang-ignore',
        '-file',
        ' RL9001',
        ',',
        '\n',
        '\r',
        '"',
        '.',
        'h(X) <- p(X)',
        ' ',
        '@output("h").',
        '%%',
    );
    fc.assert(
        fc.property(fc.array(piece, { maxLength: 25 }), pieces => {
            const text = pieces.join('');
            const { clauses } = openDocument(text, 'p.rulelang').analysed.program;
            for (const { range, codes } of ignoreComments(text, clauses)) {
                expect(text.charAt(range.start)).toBe('%');
                for (const { code, range: own } of codes) expect(text.slice(own.start, own.end)).toBe(code);
            }
            reported(text);
        }),
        { numRuns: 500 },
    );
});
