import { describe, expect, test } from 'vitest';
import { LEVELS } from '#language/program/precedence.ts';
import { printClause, printExpression, printProgram, printRuleText } from '#language/program/print.ts';
import type { BinaryOperator, Expression, Program } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { fc } from '../../support/fast-check.ts';
import { SAMPLE_TEXTS } from './sample-texts.ts';

function read(text: string): Program {
    const { value, problems } = readProgram(text, 'main.rulelang');
    expect(problems.filter(problem => problem.severity === 'error')).toEqual([]);
    return value;
}

const POSITIONS: ReadonlySet<string> = new Set(['place', 'span', 'nameSpan', 'operatorSpan', 'places']);

/** A part of a program without its positions. */
function bare(part: unknown): unknown {
    const text = JSON.stringify(part, (key, value) => {
        if (POSITIONS.has(key)) return undefined;
        if (typeof value === 'bigint') return `${value}n`;
        return Object.is(value, -0) ? '-0' : value;
    });
    return text === undefined ? undefined : JSON.parse(text);
}

/** The printed form of the only clause of a text. */
function printed(text: string): string {
    return printProgram(read(text)).trimEnd();
}

describe('printing a program', () => {
    test.each(SAMPLE_TEXTS)('gives a text of the same meaning, and stays as it is: %#', text => {
        const program = read(text);
        const once = printProgram(program);
        expect(bare(read(once).clauses)).toEqual(bare(program.clauses));
        expect(printProgram(read(once))).toBe(once);
    });

    test.each([
        ['h(X):-p(X),~q(X),X<>3.', 'h(X) <- p(X), not q(X), X != 3.'],
        ['h(X) <- p(X), ((X + 1) * 2) - (3 - (4 - 5)) > ((2)).', 'h(X) <- p(X), (X + 1) * 2 - (3 - (4 - 5)) > 2.'],
        ['h(X) <- p(X), !(X == 3) && (!(A) == B) || (A || B) && C.', 'h(X) <- p(X), !X == 3 && !A == B || (A || B) && C.'],
        ['h(X) <- p(X), (!A) == B, !(A && B), !!A, -(-X) > - 3.', 'h(X) <- p(X), (!A) == B, !(A && B), !!A, --X > -3.'],
        ['h(X) <- p(X), (A < B) == C, X in (A | B) & C, X in A | B & C.', 'h(X) <- p(X), (A < B) == C, X in (A | B) & C, X in A | B & C.'],
        ['h(X) <- p(X), Ok = A > 3, S=msum(X,<Y,Z>), N = mcount(<>).', 'h(X) <- p(X), Ok = A > 3, S = msum(X, <Y, Z>), N = mcount(<>).'],
        ['h(X) <- p(X), (contains(X, "a")), X < -3.', 'h(X) <- p(X), (contains(X, "a")), X < -3.'],
        ['p("a\\"b\\\\ \\d \\u00e9",\'it\'\'s\', "x\ny").', 'p("a""b\\\\ \\\\d é", "it\'s", "x\\ny").'],
        ['p(1.0, 1e21, 1.5e-7, 100000.0, 007, -0, -0.0).', 'p(1.0, 1.0E21, 1.5E-7, 100000.0, 7, 0, -0.0).'],
        ['p(9007199254740993,-9223372036854775808).', 'p(9007199254740993, -9223372036854775808).'],
        ['p(2031-04-09T10:15:00.250, 1969-12-31 23:59:59, 0001-01-01).', 'p(2031-04-09 10:15:00.25, 1969-12-31 23:59:59, 0001-01-01).'],
        [`@a() @b(x,"y") p(\${q}).`, '@a @b(x, "y") p(?q).'],
        ['p() <- SELECT 1 -- one\n.', 'p() <- SELECT 1 -- one\n.'],
        ['%% one\n%%\n%%  two\np(1).', '%% one\n%%\n%%  two\np(1).'],
        ['M = -1 <- p(M). #F<-p(_).', 'M = -1 <- p(M).\n#F <- p(_).'],
    ])('%j', (text, expected) => expect(printed(text)).toBe(expected));

    test('a broken clause is left out', () => {
        const { value } = readProgram('p(1). q(. r(2).', 'main.rulelang');
        expect(value.clauses.map(printClause)).toEqual(['p(1).', '', 'r(2).']);
        expect(printProgram(value)).toBe('p(1).\nr(2).\n');
    });
});

const AT = { start: 0, end: 0 };
const OPERATORS = (Object.keys(LEVELS) as BinaryOperator[]).filter(operator => operator !== '=');

const EXPRESSIONS = fc.letrec<{ expression: Expression }>(tie => ({
    expression: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<Expression>(
            { kind: 'variable', name: 'X', span: AT },
            { kind: 'integer', value: -3, span: AT },
            { kind: 'double', value: 2, span: AT },
            { kind: 'parameter', name: 'p', span: AT },
            { kind: 'boolean', value: true, span: AT },
            { kind: 'set', items: [], span: AT },
        ),
        fc.string().map((value): Expression => ({ kind: 'string', value, span: AT })),
        fc.array(tie('expression'), { maxLength: 2 }).map((items): Expression => ({ kind: 'list', items, span: AT })),
        fc
            .array(tie('expression'), { maxLength: 2 })
            .map((items): Expression => ({ kind: 'call', name: 'math:f', arguments: items, nameSpan: AT, span: AT })),
        fc
            .tuple(fc.constantFrom('-' as const, '!' as const), tie('expression'))
            .map(([operator, operand]): Expression => ({ kind: 'unary', operator, operand, span: AT })),
        fc
            .tuple(fc.constantFrom(...OPERATORS), tie('expression'), tie('expression'))
            .map(([operator, left, right]): Expression => ({ kind: 'binary', operator, left, right, operatorSpan: AT, span: AT })),
    ),
})).expression;

describe('printing an expression', () => {
    test('gives a text of the same meaning with the parentheses it needs', () => {
        fc.assert(
            fc.property(EXPRESSIONS, expression => {
                const text = `h(X) <- V = ${printExpression(expression)}.`;
                const [rule] = read(text).clauses;
                const item = rule?.kind === 'rule' && rule.body.kind === 'items' ? rule.body.items[0] : undefined;
                const value = item?.kind === 'expression' && item.expression.kind === 'binary' ? item.expression.right : undefined;
                expect(bare(value), text).toEqual(bare(expression));
                const [again] = read(`${printRuleText(rule?.kind === 'rule' ? rule : never())}.`).clauses;
                expect(bare(again), text).toEqual(bare(rule));
            }),
            { numRuns: 600 },
        );
    });
});

function never(): never {
    throw new Error('not a rule');
}

describe('the text of a rule', () => {
    test.each([
        ['h(X, Y) <- b(X, Z), Z > 0, S = msum(Z).', 'h(X,Y) <- b(X,Z), Z>0, S=msum(Z)'],
        ['@a("x") h(X), g(X) <- b(X, "a"), not c(X), X !in [1, 2], X < -1.', 'h(X), g(X) <- b(X,"a"), not c(X), X !in [1,2], X< -1'],
        ['X = Y <- p(X, Y).', 'X=Y <- p(X,Y)'],
        ['#F <- p(X), dom(*).', '#F <- p(X), dom(*)'],
        ['t(X, Y) <- #TC(e, "a=1").', 't(X,Y) <- #TC(e,"a=1")'],
        ['s() <- SELECT a,\n   b FROM t.', 's() <- SELECT a, b FROM t'],
        ['share(X, S) <- own(X, Q), S = msum(Q, <X, Q>).', 'share(X,S) <- own(X,Q), S=msum(Q,<X,Q>)'],
    ])('%j', (text, expected) => {
        const [rule] = read(text).clauses;
        expect(rule?.kind === 'rule' && printRuleText(rule)).toBe(expected);
    });
});
