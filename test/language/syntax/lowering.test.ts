import { describe, expect, test } from 'vitest';
import type { Clause, Expression, Rule } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';

function onlyClause(text: string): Clause {
    const [clause] = readProgram(text, 'main.rulelang').value.clauses;
    if (clause === undefined) throw new Error(`no clause in ${text}`);
    return clause;
}

function onlyRule(text: string): Rule {
    const clause = onlyClause(text);
    if (clause.kind !== 'rule') throw new Error(`${text} is a ${clause.kind}`);
    return clause;
}

function items(text: string) {
    const { body } = onlyRule(text);
    if (body.kind !== 'items') throw new Error(`${text} has a ${body.kind}`);
    return body.items;
}

/** The expression as fully parenthesised text. */
function tree(expression: Expression): string {
    switch (expression.kind) {
        case 'binary':
            return `(${tree(expression.left)} ${expression.operator} ${tree(expression.right)})`;
        case 'unary':
            return `(${expression.operator}${tree(expression.operand)})`;
        case 'variable':
            return expression.name;
        case 'integer':
            return String(expression.value);
        default:
            return expression.kind;
    }
}

function itemTree(text: string): string {
    const [item] = items(`h(X) <- ${text}.`);
    return item?.kind === 'expression' ? tree(item.expression) : String(item?.kind);
}

describe('precedence (2.2)', () => {
    test.each([
        ['A / B * 100', '((A / B) * 100)'],
        ['A - B - C', '((A - B) - C)'],
        ['A + B * C - D', '((A + (B * C)) - D)'],
        ['!A == B', '(!(A == B))'],
        ['!A && B', '((!A) && B)'],
        ['!!A == B || C', '((!(!(A == B))) || C)'],
        ['Z !in S | E', '(Z !in (S | E))'],
        ['A | B & C', '(A | (B & C))'],
        ['A & B + C', '(A & (B + C))'],
        ['A || B && C > 1', '(A || (B && (C > 1)))'],
        ['-A * B', '((-A) * B)'],
        ['A - -3', '(A - -3)'],
        ['A -3', '(A - 3)'],
        ['A-3', '(A - 3)'],
        ['A<-3', '(A < -3)'],
        ['A<-B + 1', '(A < ((-B) + 1))'],
        ['V = A == B', '(V = (A == B))'],
        ['V = !A && B', '(V = ((!A) && B))'],
        ['A <> B', '(A != B)'],
        ['(A + B) * C', '((A + B) * C)'],
        ['A == (B < C)', '(A == (B < C))'],
    ])('%s', (text, expected) => expect(itemTree(text)).toBe(expected));
});

describe('items', () => {
    test('name(…) alone is left to analysis as an atom, negated by not and ~', () => {
        expect(items('h(X) <- p(X), starts_with(X, "a"), not q(X), ~ r(X), count(X).').map(({ kind }) => kind)).toEqual(
            Array(5).fill('atom'),
        );
        expect(items('h(X) <- p(X), not q(X), ~ r(X).').map(item => item.kind === 'atom' && item.negated)).toEqual([false, true, true]);
    });

    test('! before a call and | between calls are expressions', () => {
        expect(items('h(X) <- !p(X), a(X) | b(X), dom(*).').map(({ kind }) => kind)).toEqual(['expression', 'expression', 'domain']);
    });

    test('spans are relative to the clause', () => {
        const text = '\n\n  @a("x") h(X) <- p(X), not q(Y), V = (X + 1) * msum(Z, <Y>).';
        const rule = onlyRule(text);
        const cut = ({ start, end }: { start: number; end: number }) => text.slice(rule.place.offset + start, rule.place.offset + end);
        expect(rule.place).toEqual({ file: 'main.rulelang', offset: 4, line: 2, column: 2 });
        expect(cut(rule.span)).toBe(text.trim());
        expect(rule.annotations.map(annotation => [cut(annotation.span), cut(annotation.nameSpan)])).toEqual([['@a("x")', 'a']]);
        expect(cut(rule.head.span)).toBe('h(X)');
        const { body } = rule;
        if (body.kind !== 'items') throw new Error(body.kind);
        expect(body.items.map(item => cut(item.span))).toEqual(['p(X)', 'not q(Y)', 'V = (X + 1) * msum(Z, <Y>)']);
        const [, negated, assignment] = body.items;
        expect(negated?.kind === 'atom' && [cut(negated.atom.span), cut(negated.atom.nameSpan)]).toEqual(['q(Y)', 'q']);
        if (assignment?.kind !== 'expression' || assignment.expression.kind !== 'binary') throw new Error('not an assignment');
        const product = assignment.expression.right;
        expect(cut(assignment.expression.operatorSpan)).toBe('=');
        if (product.kind !== 'binary' || product.right.kind !== 'aggregate') throw new Error(product.kind);
        expect([cut(product.left.span), cut(product.operatorSpan), cut(product.right.span)]).toEqual(['(X + 1)', '*', 'msum(Z, <Y>)']);
        expect(product.right.contributors?.map(variable => cut(variable.span))).toEqual(['Y']);
    });

    test('operators are found among comments', () => {
        const text = 'h(X) <- X % a\n + % b + c\n Y % d\n > 1.';
        const [item] = items(text);
        if (item?.kind !== 'expression' || item.expression.kind !== 'binary') throw new Error('not a comparison');
        expect(item.expression.operatorSpan.start).toBe(text.indexOf('>'));
        expect(item.expression.left.kind === 'binary' && item.expression.left.operatorSpan.start).toBe(text.indexOf('+'));
    });
});

describe('bodies that are one thing', () => {
    test.each([
        [
            't(X, Y) <- #TC(e).',
            { name: 'TC', input: { kind: 'predicate', text: 'e', span: { start: 15, end: 16 } }, span: { start: 11, end: 17 } },
        ],
        [
            't(X) <- #PATHS("SELECT 1", "a=1").',
            {
                name: 'PATHS',
                input: { kind: 'query', text: 'SELECT 1', span: { start: 15, end: 25 } },
                options: { kind: 'string', value: 'a=1', span: { start: 27, end: 32 } },
                span: { start: 8, end: 33 },
            },
        ],
    ])('relation function %s', (text, call) => expect(onlyRule(text).body).toEqual({ kind: 'relation-function', call, span: call.span }));

    test('a script run', () => {
        expect(onlyRule('w(C) <- python:run("fetch").').body).toEqual({ kind: 'script', script: 'fetch', span: { start: 8, end: 27 } });
        expect(onlyRule('w(C) <- python:run("a", "b").').body.kind).toBe('items');
        expect(onlyRule('w(C) <- python:run("a"), p(C).').body.kind).toBe('items');
    });

    test.each([
        ['SELECT a FROM t', 'sql'],
        ['select a from t', 'sql'],
        ['WITH t AS (SELECT 1) SELECT 1', 'sql'],
        ['with t(a, b) as (SELECT 1) SELECT 1', 'sql'],
        ['WITH 1 AS x MATCH (n) RETURN n', 'cypher'],
        ['MATCH (n) RETURN n.name', 'cypher'],
        ['MATCH(n) RETURN n', 'cypher'],
        ['optional match (n) RETURN n[0..3]', 'cypher'],
        ['UNWIND [1.5, 2] AS x RETURN x', 'cypher'],
        ['SELECT "what is it?" FROM docs', 'vector'],
        ['ASK "what is it?" FROM docs', 'vector'],
        ['CREATE (n)', 'cypher'],
        ["SELECT 'a. b''s. c', \"x. y\", `z. ` -- d. e\n , /* f. g */ 1.5 FROM t.b", 'sql'],
    ])('query body %s', (query, language) => {
        const { body } = onlyRule(`h() <- ${query}.`);
        expect(body).toEqual({ kind: 'query', language, text: query, span: { start: 7, end: 7 + query.length } });
    });

    test.each(['match(X)', 'select(X), p(X)', 'selection(X)', 'p(X), match(X)', 'with_x(X)'])('%s is no query', body => {
        expect(onlyRule(`h(X) <- ${body}.`).body.kind).toBe('items');
    });
});

describe('heads', () => {
    test('atoms, equality, falsity', () => {
        expect(onlyRule('a(X), b(Y, _) <- p(X).').head).toMatchObject({ kind: 'atoms', atoms: [{ predicate: 'a' }, { predicate: 'b' }] });
        expect(onlyRule('X = Y <- p(X, Y).').head).toMatchObject({
            kind: 'equality',
            left: { name: 'X' },
            right: { kind: 'variable', name: 'Y' },
        });
        expect(onlyRule('X = -1 <- p(X).').head).toMatchObject({ kind: 'equality', right: { kind: 'integer', value: -1 } });
        expect(onlyRule('#F <- p(X).').head).toMatchObject({ kind: 'falsity', span: { start: 0, end: 2 } });
        expect(onlyRule('h(X + 1, f(X)) <- p(X).').head).toMatchObject({ atoms: [{ arguments: [{ kind: 'binary' }, { kind: 'call' }] }] });
    });
});

describe('constants', () => {
    test.each([
        ['"a""b\\"c\\\\d\\n\\t\\r\\u0041\\d"', { kind: 'string', value: 'a"b"c\\d\n\t\rA\\d' }],
        ['"\\ud83d\\ude00"', { kind: 'string', value: '\u{1f600}' }],
        ['""', { kind: 'string', value: '' }],
        ['""""', { kind: 'string', value: '"' }],
        ["'it''s \"x\"'", { kind: 'string', value: 'it\'s "x"' }],
        ['"a\nb"', { kind: 'string', value: 'a\nb' }],
        ['007', { kind: 'integer', value: 7 }],
        ['-2147483648', { kind: 'integer', value: -2147483648 }],
        ['9007199254740991', { kind: 'integer', value: 9007199254740991 }],
        ['9007199254740993', { kind: 'integer', value: 9007199254740993n }],
        ['9223372036854775807', { kind: 'integer', value: 9223372036854775807n }],
        ['-9223372036854775808', { kind: 'integer', value: -9223372036854775808n }],
        ['1.50', { kind: 'double', value: 1.5 }],
        ['1e3', { kind: 'double', value: 1000 }],
        ['#T', { kind: 'boolean', value: true }],
        ['#F', { kind: 'boolean', value: false }],
        ['1970-01-02', { kind: 'date', days: 1 }],
        ['1969-12-31', { kind: 'date', days: -1 }],
        ['1970-01-01 00:00:01.5', { kind: 'timestamp', micros: 1500000n }],
        ['1969-12-31T23:59:59.999999', { kind: 'timestamp', micros: -1n }],
        ['NULL', { kind: 'null' }],
        ['?x', { kind: 'parameter', name: 'x' }],
        [`\${x}`, { kind: 'parameter', name: 'x' }],
        [
            '[-1, {}]',
            {
                kind: 'list',
                items: [
                    { kind: 'integer', value: -1 },
                    { kind: 'set', items: [] },
                ],
            },
        ],
        ['struct("a", 1)', { kind: 'call', name: 'struct' }],
    ])('%s', (text, constant) => {
        const fact = onlyClause(`p(${text}, "x").`);
        expect(fact.kind === 'fact' && fact.atom.arguments[0]).toMatchObject({ ...constant, span: { start: 2, end: 2 + text.length } });
    });
});

describe('annotations and documentation', () => {
    test('all kinds of arguments', () => {
        const clause = onlyClause('@a("x", -1, 2.5, #T, 2031-04-09, [1], {2}, ?p, name, null) @b @c().');
        expect(clause.kind).toBe('annotation');
        const kinds = clause.annotations.map(({ name, arguments: values }) => [name, values.map(value => value.kind)]);
        const all = ['string', 'integer', 'double', 'boolean', 'date', 'list', 'set', 'parameter', 'name', 'null'];
        expect(kinds).toEqual([
            ['a', all],
            ['b', []],
            ['c', []],
        ]);
    });

    test.each([
        ['%% one\n%% two\np(1).', 'one\ntwo'],
        ['%% one\n\n%% two\np(1).', 'two'],
        ['%% one\n\np(1).', undefined],
        ['%% one\n% two\np(1).', undefined],
        ['   %%@term {int} X\n  p(1).', '@term {int} X'],
        ['%% one\n@output("p").', 'one'],
    ])('documentation in %j', (text, documentation) => expect(onlyClause(text).documentation).toBe(documentation));

    test('a comment behind a clause documents nothing', () => {
        const { value } = readProgram('p(1). %% one\nq(1). r(1).\n%% two\ns(1).', 'main.rulelang');
        expect(value.clauses.map(clause => clause.documentation)).toEqual([undefined, undefined, undefined, 'two']);
    });
});

describe('broken clauses', () => {
    test('mention the predicates that they seem to have', () => {
        expect(onlyClause('h(X) <- p(X) q(X, f(Y)), not p(Z).')).toMatchObject({ kind: 'broken', mentions: ['h', 'p', 'q', 'f'] });
    });

    test('mention the predicates that their annotations name', () => {
        expect(onlyClause('@output("p"')).toMatchObject({ kind: 'broken', mentions: ['p'] });
    });

    test('are not annotations that only lack a dot between them', () => {
        expect(onlyClause('@output("p") @output("q").')).toMatchObject({
            kind: 'annotation',
            annotations: [{ name: 'output' }, { name: 'output' }],
        });
    });

    test('a forgotten % explains a missing dot', () => {
        const [problem] = readProgram('h(Y) <- p(X), Y = X % 2.\nq(1).', 'main.rulelang').problems;
        expect(problem).toMatchObject({ code: 'RL0001', remedy: "insert '.', or write 'math:mod(X, 2)'" });
    });

    test('interval facts are reported once', () => {
        expect(readProgram('p(1)@[1,2).\np(2)@[1,2).', 'main.rulelang').problems.map(({ code }) => code)).toEqual(['RL6002']);
    });
});
