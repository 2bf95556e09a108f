import { describe, expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { printType } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { buildBind, isPredicateName } from '#language/tools/build-bind.ts';
import { conceptDefinition } from '#language/tools/concept-definition.ts';
import { parseBinds } from '#language/tools/parse-binds.ts';
import { programInterface } from '#language/tools/program-interface.ts';
import { programParameters } from '#language/tools/program-parameters.ts';

function interfaceOf(text: string): unknown {
    const read = programInterface(text);
    return read.ok ? [read.value.headPredicates, read.value.inputPredicates] : read.problems.map(({ code }) => code);
}

describe('the interface of a program', () => {
    test.each([
        ['expensive(P) :- products(P,R), R > 100.', [['expensive'], ['products']]],
        ['', [[], []]],
        ['a(1). b(X) :- a(X).', [['a', 'b'], []]],
        [
            '@input("z"). b(X) :- c(X), not d(X), a(X). a(X) :- b(X).',
            [
                ['b', 'a'],
                ['z', 'c', 'd'],
            ],
        ],
        ['@bind("src","csv","/d","s.csv"). @output("out"). @bind("out","csv","/d","o.csv"). out(X) :- src(X).', [['out'], ['src']]],
        ['a(X), b(X) :- c(X).', [['a', 'b'], ['c']]],
        ['c(X) :- contains(X, "a"), p(X).', [['c'], ['p']]],
        ['reach(X,Y) :- #TC(edge).', [['reach'], ['edge']]],
        ['#F :- d(X), e(X).', [[], ['d', 'e']]],
        ['t(X) :- SELECT X FROM far f JOIN t ON f.x = t.x.', [['t'], ['far']]],
        ['t(1', ['RL0006']],
    ])('%s', (text, expected) => {
        expect(interfaceOf(text)).toEqual(expected);
    });
});

/** The columns of a predicate `r` with their types, as far as the text tells them. */
function columnsOf(text: string): unknown {
    const read = conceptDefinition(text);
    return read.ok && read.value.columns.get('r')?.map(({ name, type }) => (type === undefined ? name : `${name}: ${printType(type)}`));
}

describe('the columns of a concept', () => {
    test.each([
        ['r(C, P) :- city(C, P), P > 1. city("Rome", 2800000).', ['C: string', 'P: int']],
        ['@bind("c", "csv", "/d", "c.csv"). @model("c", "[\'a:string\', \'b:date\']"). r(B) :- c(A, B).', ['B: date']],
        ['@model("other", "[\'a:string\']"). r(X) :- other(X).', ['X: string']],
        ['@model("r", "[\'name:string\', \'size:int\']"). r(A, B) :- other(A), another(B, A).', ['name: string', 'size: int']],
        ['@param("n", 1.5). r(X) :- X = ?n.', ['X: double']],
    ])('have the types that the text tells: %s', (text, expected) => {
        expect(columnsOf(text)).toEqual(expected);
    });

    test.each([
        ['another concept', 'r(X) :- other(X). r(1).', ['X']],
        ['another concept with fewer columns', 'r(X, N) :- other(X, Y), other(X), N = mcount(Y). r(1, 1).', ['X', 'N: int']],
        ['an input', '@input("t"). t(1). r(X) :- t(X).', ['X']],
        ['a caller', 'r(X) :- X = ?n. r(1).', ['X']],
        ['a module', '@include("m"). r(1).', ['r_0']],
        ['a module, but for a model', '@include("m"). @model("r", "[\'a:int\']"). r(1).', ['a: int']],
        ['a query', 'r(X) <- SELECT a AS x FROM t. r(1).', ['X']],
        ['a script', 'r(A) :- python:run("f").', ['A']],
        ['values of several types', 'r(1). r("a").', ['r_0']],
    ])('have no type where it is up to %s', (_, text, expected) => {
        expect(columnsOf(text)).toEqual(expected);
    });
});

const CSV = '@bind("products","csv useHeaders=true","/data","products.csv").';

describe('binds of a program', () => {
    test('an input', () => {
        expect(parseBinds(`${CSV}\nexpensive(P) :- products(P,R), R > 100.`)).toEqual({
            ok: true,
            value: {
                code: 'expensive(P) :- products(P,R), R > 100.',
                binds: {
                    input: [
                        {
                            predicate: 'products',
                            annotation: CSV,
                            kind: 'bind',
                            source_type: 'csv',
                            options: { useHeaders: 'true' },
                            container: '/data',
                            target: 'products.csv',
                        },
                    ],
                    output: [],
                },
            },
        });
    });

    const directions = (text: string, output?: string): unknown => {
        const read = parseBinds(text, output);
        return read.ok && [read.value.binds.input.map(one => one.predicate), read.value.binds.output.map(one => one.predicate)];
    };

    test('an output has @output or is named', () => {
        expect(directions(`@output("products").\n${CSV} products(X) :- p(X).`)).toEqual([[], ['products']]);
        expect(directions(`@include("m").\n@output("products").\n${CSV}`)).toEqual([[], ['products']]);
    });

    test('an output that no rule and no fact fills is read', () => {
        expect(directions(`@output("products").\n${CSV}`)).toEqual([['products'], []]);
        expect(directions(CSV, 'products')).toEqual([['products'], []]);
        expect(directions(`${CSV} products(X) :- p(X).`, 'products')).toEqual([[], ['products']]);
        expect(directions(CSV, 'other')).toEqual([['products'], []]);
    });

    test('comments and rules stay, annotations and the lines that held them go', () => {
        const read = parseBinds(`% about a\n@output("a").\n\n\n\na(1). % one\n@post("a","limit(1)"). % the first\n\n\nb(2).\n`);
        expect(read.ok && read.value.code).toBe('% about a\n\na(1). % one\n% the first\n\nb(2).');
    });

    test('a bind whose parts cannot be read keeps its text', () => {
        const read = parseBinds('@bind("p", 5).');
        expect(read.ok && read.value.binds.input).toEqual([{ predicate: 'p', annotation: '@bind("p", 5).' }]);
    });

    test('a query', () => {
        const read = parseBinds('@qbind("p","postgresql host=\'h\'","db","select 1").');
        expect(read.ok && read.value.binds.input[0]).toMatchObject({ kind: 'qbind', query: 'select 1', options: { host: 'h' } });
    });

    test('an option may be called like a part of every object', () => {
        const read = parseBinds('@bind("p","csv __proto__=x","d","f.csv").');
        expect(read.ok && JSON.stringify(read.value.binds.input[0]?.options)).toBe('{"__proto__":"x"}');
    });

    test('syntax errors', () => expect(parseBinds('a(1')).toMatchObject({ ok: false }));
});

describe('building a bind', () => {
    test.each([
        [CSV, 'p', false, '@bind("p","csv useHeaders=true","/data","products.csv").'],
        [CSV, 'p', true, '@bind("p","csv useHeaders=true","/data","p.csv").'],
        [
            '  @bind( "a" , "postgresql host=\'h\'", "db", "orders" ) .  ',
            'n',
            true,
            '  @bind( "n" , "postgresql host=\'h\'", "db", "n" ) .  ',
        ],
        ['@bind("a","postgresql","db","s.orders").', 'n', true, '@bind("n","postgresql","db","n").'],
        ['@qbind("a","sqlite","db","select x from a").', 'n', true, '@qbind("n","sqlite","db","SELECT * FROM n").'],
        ['@bind("a","csv","d","x.csv")', 'n', false, '@bind("n","csv","d","x.csv")'],
    ])('%s', (text, predicate, isOutput, expected) => {
        expect(buildBind(text, predicate, isOutput)).toEqual({ ok: true, annotation: expected });
    });

    test.each(['', 'a(1).', '@output("a").', `${CSV}${CSV}`, `${CSV} a(1).`, '@bind("a"', '@bind(5,"csv","d","f").'])(
        '%s is refused',
        text => {
            expect(buildBind(text, 'p', false).ok).toBe(false);
        },
    );

    test('names of predicates', () => {
        expect(['p', 'aB_1'].filter(isPredicateName)).toEqual(['p', 'aB_1']);
        expect(['', 'X', '_x', 'a b', 'a(1)', '1a', 'a.b', '"a"', ' a', 'a:b', 'null', 'not'].filter(isPredicateName)).toEqual([]);
    });
});

test('the parameters of a program have the types of their defaults, which stand as one writes them', () => {
    const text = `@param("name", "O""Hara").  @param("least", -3).  @param("share", 0.5).  @param("strict", #T).
        @param("day", 2031-04-09).  @param("cities", ["Lyon","Oslo"]).
        p(X) <- q(X), X > ?least, X < ?most.`;
    expect(programParameters(analyse(readProgram(text, 'p.rulelang').value))).toEqual([
        { name: 'name', type: 'string', usual: 'O"Hara' },
        { name: 'least', type: 'int', usual: '-3' },
        { name: 'share', type: 'double', usual: '0.5' },
        { name: 'strict', type: 'boolean', usual: 'true' },
        { name: 'day', type: 'date', usual: '2031-04-09' },
        { name: 'cities', type: 'list<string>', usual: '["Lyon", "Oslo"]' },
        { name: 'most' },
    ]);
});
