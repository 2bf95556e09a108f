import { describe, expect, it } from 'vitest';
import { typeOfExpression } from '#language/library/expression-type.ts';
import { readLambda } from '#language/library/lambda/read-lambda.ts';
import { MIXED, printType } from '#language/program/types.ts';
import { build, ExpressionHarness } from '../../support/expression-harness.ts';
import { fc } from '../../support/fast-check.ts';
import { checkCalls, textOfCall } from './check-calls.ts';

const { integer, double, string, boolean, missing, list, set, call, variable } = build;

const integers = (...numbers: number[]) => list(...numbers.map(integer));
const numbers = integers(1, 2, 3);
const words = list(string(' Ab '), string('c😀'), missing());

/** The value of an expression of the lambda language for one element. */
const row = (body: string, element = integer(7), expected = '', codes: readonly string[] = []) =>
    ['collections:transform', [list(element), string(`x -> ${body}`)], `[${expected}]`, codes] as const;

describe('transform', () => {
    checkCalls([
        ['collections:transform', [numbers, string('x -> x * 2')], '[2,4,6]'],
        ['collections:transform', [numbers, string('(x, i) -> x * 10 + i')], '[10,21,32]'],
        ['collections:transform', [numbers, string('( x )->x')], '[1,2,3]'],
        ['collections:transform', [list(), string('x -> x')], '[]'],
        ['collections:transform', [missing(), string('x -> x')], 'null'],
        ['collections:transform', [set(integer(1)), string('x -> x')], 'null', ['RT024']],
        ['collections:transform', [words, string('x -> upper(trim(x))')], '["AB","C😀",null]'],
        ['collections:transform', [words, string("x -> coalesce(x, 'none')")], '[" Ab ","c😀","none"]'],
    ]);
});

describe('filter', () => {
    checkCalls([
        ['collections:filter', [numbers, string('x -> x >= 2')], '[2,3]'],
        ['collections:filter', [numbers, string('(x, i) -> i <> 1')], '[1,3]'],
        ['collections:filter', [words, string('x -> length(x) = 2')], '["c😀"]'],
        ['collections:filter', [numbers, string('x -> null')], '[]'],
        ['collections:filter', [numbers, string('x -> x')], '[]'],
        ['collections:filter', [missing(), string('x -> true')], 'null'],
    ]);
});

describe('the expressions of lambdas', () => {
    const pair = call('struct', string('a'), integer(1), string('n'), list(integer(5), integer(6)));
    checkCalls([
        row('1 + 2 * 3 - 4', undefined, '3'),
        row('10 - 2 - 3', undefined, '5'),
        row('7 / 2', undefined, '3.5'),
        row('-x % 4', undefined, '-3'),
        row('- -x', undefined, '7'),
        row('(1 + 2) * 3', undefined, '9'),
        row("'it''s ' + x", undefined, '"it\'s 7"'),
        row('1.5e2', undefined, '150'),
        row('9223372036854775807', undefined, '9223372036854775807'),
        row('not x = 7', undefined, '#F'),
        row('!(x < 7) and x <= 7', undefined, '#T'),
        row('x > 7 or x == 7 && x != 8', undefined, '#T'),
        row('true or false and false', undefined, '#T'),
        row('!true || not false', undefined, '#T'),
        row("case when x < 5 then 'low' when x < 10 then 'mid' else 'high' end", undefined, '"mid"'),
        row("case when x < 5 then 'low' end", undefined, 'null'),
        row('x.a', pair, '1'),
        row('x.n[1] + x.n[0]', pair, '11'),
        row('x.n[2]', pair, 'null'),
        row('x.n[-1]', pair, 'null'),
        row('x.z', pair, 'null'),
        row('array(x, 1, array())', undefined, '[7,1,[]]'),
        row("struct('a', x)", undefined, 'struct(a=7)'),
        row('size(array(1, 2))', undefined, '2'),
        row('abs(round(-2.5))', undefined, '3'),
        row('round(2.345, 2)', undefined, '2.35'),
        row("concat(lower('AB'), 1)", undefined, '"ab1"'),
        row('coalesce(null, x)', undefined, '7'),
        row('x + null', undefined, 'null'),
        row('lower(x)', undefined, 'null', ['RT024']),
    ]);

    it('have types, by which numbers show', () => {
        const harness = new ExpressionHarness();
        const type = (lambda: string): string => {
            const expression = call('collections:transform', list(integer(1)), string(lambda));
            return printType(typeOfExpression(expression, { variable: () => MIXED, parameter: () => MIXED }));
        };
        expect(type('x -> x + 1')).toBe('list<int>');
        expect(type('x -> x / 2')).toBe('list<double>');
        expect(type('(x, i) -> i = 0')).toBe('list<boolean>');
        expect(type("x -> struct('a', x).a")).toBe('list<int>');
        expect(type('x => x')).toBe('list<mixed>');
        const four = harness.variable('L', harness.value(integers(4)), { kind: 'list', element: { kind: 'int' } });
        expect(harness.text(call('as_string', call('collections:transform', four, string("x -> '' + x / 2"))))).toBe('"[""2.0""]"');
    });

    it('give equal results for equal lists', () => {
        const harness = new ExpressionHarness();
        const nulls = call('collections:transform', integers(1, 2), string('x -> null'));
        expect(harness.value(nulls)).toBe(harness.value(nulls));
    });
});

describe('a text', () => {
    const problemOf = (text: string): string => {
        const read = readLambda(text, { start: 0, end: 1 });
        return read.ok ? 'none' : `${read.problem.kind} at ${read.problem.offset}: ${read.problem.words}`;
    };

    it.each([
        ['x => x', "syntax at 2: '->' is expected"],
        ['', 'syntax at 0: a parameter name is expected'],
        ['1 -> 1', 'syntax at 0: a parameter name is expected'],
        ['and -> 1', 'syntax at 0: a parameter name is expected'],
        ['(x, x) -> x', "syntax at 7: 'x' names both parameters"],
        ['(x, i, j) -> x', "syntax at 5: ')' is expected"],
        ['x ->', 'syntax at 4: an expression is expected'],
        ['x -> x +', 'syntax at 8: an expression is expected'],
        ['x -> x x', "syntax at 7: 'x' is not expected here"],
        ['x -> 1 < 2 < 3', "syntax at 11: '<' is not expected here"],
        ['x -> (x', "syntax at 7: ')' is expected"],
        ["x -> 'a", "syntax at 5: ''' is not expected here"],
        ['x -> x.1', 'syntax at 7: a field name is expected'],
        ['x -> case end', "syntax at 10: 'when' is expected"],
        ['x -> end', "syntax at 5: 'end' is not expected here"],
        ['x -> abs(x, x)', "syntax at 5: 'abs' does not take 2 arguments"],
        ['x -> 9223372036854775808', 'syntax at 24: the number does not fit 64 bits'],
        ['x -> y', 'unknown name at 5: y'],
        ['x -> x + toString(x)', 'unknown name at 9: toString'],
        ['x -> abs', 'unknown name at 5: abs'],
        [`x -> ${'('.repeat(100)}x${')'.repeat(100)}`, 'syntax at 69: it is nested too deeply'],
        [`x -> ${'-'.repeat(100)}x`, 'syntax at 69: it is nested too deeply'],
        ['x -> x', 'none'],
    ])('%s', (text, expected) => {
        expect(problemOf(text)).toBe(expected);
    });

    it('never makes the reader throw', () => {
        const noise = fc.array(
            fc.constantFrom(
                'x',
                '->',
                '(',
                ')',
                ',',
                'i',
                "'a'",
                '1',
                '.',
                '[',
                ']',
                'case',
                'when',
                'then',
                'end',
                'not',
                '-',
                '=',
                'abs',
                '§',
            ),
            {
                maxLength: 12,
            },
        );
        fc.assert(
            fc.property(noise, tokens => problemOf(`x -> ${tokens.join(' ')}`).length > 0),
            { numRuns: 1000 },
        );
    });

    it('that is computed or broken ends the run', () => {
        expect(() => textOfCall('collections:filter', numbers, string('x => x'))).toThrow(/'->' is expected/u);
        expect(() => textOfCall('collections:filter', numbers, string('x -> y'))).toThrow(/'y' stands for nothing/u);
        expect(() => textOfCall('collections:filter', numbers, call('concat', string('x -> x')))).toThrow(/constant string/u);
    });
});

it('arithmetic in lambdas is that of the rule language', () => {
    const term: fc.Arbitrary<string> = fc.letrec<{ term: string }>(tie => ({
        term: fc.oneof(
            { depthSize: 'small' },
            fc.integer({ min: 0, max: 9 }).map(String),
            fc.tuple(tie('term'), fc.constantFrom('+', '-', '*'), tie('term')).map(([a, operator, b]) => `${a} ${operator} ${b}`),
            tie('term').map(inner => `(${inner})`),
            tie('term').map(inner => `-(${inner})`),
        ),
    })).term;
    fc.assert(
        fc.property(term, text => {
            // The text has digits, parentheses and the three operators alone.
            const expected = new Function(`return ${text} + 0`)() as number;
            expect(textOfCall('collections:transform', list(boolean(true), double(0)), string(`x -> ${text}`))).toBe(
                `[${expected},${expected}]`,
            );
        }),
    );
});

it('variables of the rule are no names in a lambda', () => {
    const harness = new ExpressionHarness();
    harness.variable('Y', harness.value(integer(1)));
    expect(() => harness.value(call('collections:transform', list(variable('Y')), string('x -> Y')))).toThrow(/'Y' stands for nothing/u);
});
