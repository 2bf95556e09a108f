import { describe, expect, test } from 'vitest';
import { printClause } from '#language/program/print.ts';
import { readProgram } from '#language/read-program.ts';

/** A broken clause, and the codes of its problems. */
const CASES: readonly (readonly [name: string, broken: string, codes: string])[] = [
    ['missing dot (rule)', 'p(X) <- q(X), r(X)', 'RL0001'],
    ['missing dot (fact)', 'p(1, "x")', 'RL0001'],
    ['missing dot (annotation)', '@output("p")', ''],
    ['missing ) in body', 'p(X) <- q(X, Y, r(Y).', 'RL0006'],
    ['missing ) in head', 'p(X <- q(X).', 'RL0005'],
    ['half-typed atom', 'p(X) <- q(X), r(', 'RL0006'],
    ['half-typed name', 'p(X) <- q(X), cust', 'RL0001'],
    ['trailing comma', 'p(X) <- q(X), .', 'RL0008'],
    ['double comma', 'p(X) <- q(X), , r(X).', 'RL0005'],
    ['empty body', 'p(X) <- .', 'RL0003'],
    ['arrow only', 'p(X) <-', 'RL0003'],
    ['unterminated string', 'p(X) <- q(X, "abc), r(X).', 'RL0020'],
    ['unterminated string, no dot', '@bind("p", "csv', 'RL0020'],
    ['missing arg', 'p(X,) <- q(,X).', 'RL0008'],
    ['bad char', 'p(X) <- q(X) ; r(X).', 'RL0032'],
    ['missing operand', 'p(X) <- q(X), X > .', 'RL0005'],
    ['missing comma', 'p(X) <- q(X) r(X).', 'RL0002'],
    ['two arrows', 'p(X) <- q(X) <- r(X).', 'RL0005'],
    ['unclosed param', 'p(X) <- q(X), X > ${thr.', 'RL0005'],
    ['unclosed list', 'p(X) <- q(X), X in [1,2.', 'RL0006'],
    ['= instead of <-', 'p(X) = q(X).', 'RL0005'],
    ['SQL body, no dot', 'p() <- SELECT a FROM t WHERE a = 1', 'RL7002'],
    ['extra )', 'p(X) <- q(X)).', 'RL0005'],
    ['variable as predicate', 'Foo(X) <- q(X).', 'RL0045'],
];

const BEFORE = ['a0("one", 1).', 'a1(X) <- a0(X, "two").'];
const RULES = [
    'b0(X) <- a0(X, Y), Y > 1.',
    'b1(X, S) <- a0(X, "v"), S = msum(X, <X>).',
    'b2("x", 2.5).',
    'b3(X) <- a0(X, "w"), not b2(X, _).',
    'b4(X, Y) <- a0(X, Y), Y < 3.',
    'b5("y").',
];
const FACTS = ['f0("x", 2.5).', 'f1(1).', 'f2("y").', 'f3(1, 2).', 'f4("z", "zz").', 'f5().'];
const MIXED = ['@output("b0").', ...RULES.slice(1)];

/** Together with the first clause after it, the broken text reads as one whole clause. */
function joinsNext(broken: string, after: readonly string[]): boolean {
    if (broken === '@output("p")') return after === MIXED;
    return after === FACTS && (broken === 'p(X) <-' || broken.includes('SELECT'));
}

describe.each([
    ['rules', RULES],
    ['facts', FACTS],
    ['an annotation and rules', MIXED],
])('all clauses around a broken one are kept: %s after it', (_name, after) => {
    test.each(CASES)('%s', (_case, broken, codes) => {
        const { value, problems } = readProgram([...BEFORE, broken, ...after].join('\n'), 'main.rulelang');
        const clauses = value.clauses.map(clause =>
            printClause({ ...clause, annotations: clause.kind === 'annotation' ? clause.annotations : [] }),
        );
        expect(clauses.slice(0, 2)).toEqual(BEFORE);
        const kept = after.filter(clause => clauses.includes(clause));
        const joined = joinsNext(broken, after);
        expect(kept).toEqual(after.slice(joined ? 1 : 0));
        if (!joined) expect(problems.map(problem => problem.code).join(' ')).toBe(codes);
    });
});

describe('the start of the next clause ends a clause without its dot', () => {
    test.each([
        ['a body that goes on at the left margin is one rule', 'h(X) <-\np(X),\nq(X).', ['rule']],
        ['several heads may stand on lines of their own', 'a(X),\nb(X)\n<- c(X).', ['rule']],
        ['annotations may stand above their clause', '@a("x")\n@b("y")\np(1).', ['fact']],
        ['a half-typed call before a fact', 'h(X) <- p(X), q(\nf(1).', ['broken', 'fact']],
        ['a half-typed rule before a rule', 'h(X) <- p(X),\ng(X) <- q(X).', ['broken', 'rule']],
        ['a half-typed rule before an equality', 'h(X) <- p(X),\nX = Y <- q(X, Y).', ['broken', 'rule']],
        ['a half-typed rule before a constraint', 'h(X) <- p(X),\n#F <- q(X).', ['broken', 'rule']],
        ['a half-typed rule before an annotation', 'h(X) <- p(X),\n@output("h").', ['broken', 'annotation']],
        ['two facts on one line', 'a(1).b(2).', ['fact', 'fact']],
        ['a comment with a dot inside a clause', 'h(X) <- p(X), % a. b(1).\n q(X).', ['rule']],
        ['a dot and an arrow inside a string', 'h(X) <- p(X, ". q(1) <- r(1)."), q(X).', ['rule']],
        ['a string over lines that holds clauses', 'h(X) <- p(X, "\nq(1).\nr(X) <- s(X).\n"), q(X).\ng(1).', ['rule', 'fact']],
        [
            'a query body over lines',
            "h() <- SELECT a.b, 1.5\nFROM t -- it's. a comment\nWHERE a = 'x. y' AND b IN (1, 2).\ng(1).",
            ['rule', 'fact'],
        ],
        ['an unterminated query and a blank line', 'h() <- SELECT (a FROM t\n\ng(1).', ['broken', 'fact']],
        ['a stray dot', 'a(1)..\nb(2).', ['fact', 'broken', 'fact']],
        ['a date before the dot', 'a(2031-04-09).b(2031-04-09 10:15:00.5).', ['fact', 'fact']],
    ])('%s', (_name, text, kinds) => {
        expect(readProgram(text, 'main.rulelang').value.clauses.map(clause => clause.kind)).toEqual(kinds);
    });
});
