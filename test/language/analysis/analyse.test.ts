import { describe, expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import type { AnalysisOptions } from '#language/analysis/program-facts.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { printType } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';

function analysed(text: string, options?: AnalysisOptions): AnalysedProgram {
    const read = readProgram(text, 'test.rulelang');
    expect(read.problems).toEqual([]);
    return analyse(read.value, options);
}

function columnsOf(program: AnalysedProgram, key: string): string[] | undefined {
    const predicate = [...program.predicates.values()].find(candidate => candidate.key === key);
    return predicate?.columns.map(column => `${column.name}: ${printType(column.type)}${column.cast ? ' (cast)' : ''}`);
}

function codesOf(program: AnalysedProgram): string[] {
    return program.problems.map(problem => problem.code);
}

describe('predicates', () => {
    test('names that objects have already are names like others', () => {
        const program = analysed(
            'constructor(1). toString(X) <- constructor(X). hasOwnProperty(X) <- toString(X). @output("hasOwnProperty").',
        );
        expect([...program.predicates.keys()]).toEqual(['constructor/1', 'toString/1', 'hasOwnProperty/1']);
        expect(codesOf(program)).toEqual([]);
    });

    test('fewer terms mean the leading columns of the one larger arity', () => {
        const program = analysed('p(1, 2). @output("h"). h(X) <- p(X).');
        expect(program.rules[0]?.literals.map(literal => literal.predicate)).toEqual(['p/2']);
    });

    test('a bound predicate has the columns of its source, else those of its widest use', () => {
        const text = '@bind("p", "csv", "data", "p.csv"). @output("h"). h(X) <- p(X, Y, _), p(Y).';
        const guessed = analysed(text);
        expect(columnsOf(guessed, 'p/3')).toEqual(['p_0: string', 'p_1: string', 'p_2: string']);
        expect(guessed.schemaNeeds.map(bind => bind.predicate)).toEqual(['p']);
        const schemas = new Map([['p', { columns: [{ name: 'id' }, { name: 'name' }, { name: 'id' }, {}] }]]);
        const told = analysed(text, { schemas });
        expect(columnsOf(told, 'p/4')).toEqual(['id: string', 'name: string', 'id_2: string', 'p_3: string']);
        expect(told.schemaNeeds).toEqual([]);
        expect(codesOf(told)).toEqual(['RL1104', 'RL1104']);
    });

    test('outputs keep the order of their annotations', () => {
        const program = analysed('p(1). a(X) <- p(X). b(X) <- p(X). @output("b"). @output("a").');
        expect(program.outputs).toEqual(['b/1', 'a/1']);
    });

    test('post directives count columns from zero', () => {
        const program = analysed('p(1, 2). @output("h"). @post("h", "argmax(2, <1>)"). @post("h", "orderby(-2, 1)"). h(X, Y) <- p(X, Y).');
        const post = [...program.predicates.values()].find(predicate => predicate.name === 'h')?.post;
        expect(post).toEqual([
            { kind: 'argmax', column: 1, groups: [0] },
            {
                kind: 'orderby',
                keys: [
                    { column: 1, descending: true },
                    { column: 0, descending: false },
                ],
            },
        ]);
    });
});

describe('column names', () => {
    test('come from the model, else from the first rule with a variable there', () => {
        const program = analysed(`@model("m", "['key(ID):int', 'text:string']"). m(1, "a"). p(1, 2).
            @output("h"). h(X, 1) <- p(X, _). h(Y, Y) <- p(Y, _), m(Y, _).`);
        expect(columnsOf(program, 'm/2')).toEqual(['key: int (cast)', 'text: string (cast)']);
        expect(columnsOf(program, 'h/2')).toEqual(['X: int', 'Y: int']);
    });

    test('are made distinct', () => {
        const program = analysed('p(1). @output("h"). h(X, X, X_2) <- p(X), X_2 = X.');
        expect(columnsOf(program, 'h/3')).toEqual(['X: int', 'X_2: int', 'X_2_2: int']);
    });
});

describe('types', () => {
    test.each([
        ['q(1). q(2.5).', 'q/1', ['q_0: double']],
        ['q(1). q(3000000000).', 'q/1', ['q_0: long']],
        ['q(1). q("a").', 'q/1', ['q_0: mixed']],
        ['q(null). q(2031-04-09).', 'q/1', ['q_0: date']],
        ['q([1]). q([2.5]). q([]).', 'q/1', ['q_0: list<double>']],
        ['p(1). q(Y) <- p(X), Y = 7 / 2.', 'q/1', ['Y: double']],
        ['p(1). q(S) <- p(X), S = msum(X).', 'q/1', ['S: int']],
        ['p(1). q(S) <- p(X), S = avg(X).', 'q/1', ['S: double']],
        ['p(1, "a"). q(X, S) <- p(X, Y), S = Y + X.', 'q/2', ['X: int', 'S: string']],
        ['p(1). q(X) <- p(X). q(Y) <- q(X), Y = X / 2, X > 1.', 'q/1', ['X: double']],
        ['p(1). r(1.5). q(X) <- p(X), r(X).', 'q/1', ['X: int']],
        ['p(1). q(B) <- p(X), B = X > 3.', 'q/1', ['B: boolean']],
        ['p("a"). q(L) <- p(X), L = split(X, ",").', 'q/1', ['L: list<string>']],
        ['p(1). q(L) <- p(X), L = {} | X.', 'q/1', ['L: set<int>']],
        ['@param("n", 2.5). p(1). q(Y) <- p(X), Y = X * ?n.', 'q/1', ['Y: double']],
        ['p(1). q(E) <- p(_).', 'q/1', ['E: unknown']],
        ['p(1). q(X + 1, "a") <- p(X).', 'q/2', ['q_0: int', 'q_1: string']],
    ])('%s', (text, key, columns) => expect(columnsOf(analysed(text), key)).toEqual(columns));

    test('collections that grow in recursion have an end', () => {
        expect(columnsOf(analysed('p(1). p(L) <- p(X), L = [X].'), 'p/1')).toEqual(['L: mixed']);
        expect(columnsOf(analysed('p([]). p(L) <- p(X), L = [X].'), 'p/1')?.[0]).toMatch(/^L: list<list</u);
    });

    test('variables of a rule have the narrowest type of their columns', () => {
        const program = analysed('p(1, "a"). @output("h"). h(X, Z) <- p(X, Y), Z = Y + "b".');
        expect([...(program.rules[0]?.types ?? [])].map(([name, type]) => `${name}: ${printType(type)}`)).toEqual([
            'X: int',
            'Y: string',
            'Z: string',
        ]);
    });
});

describe('strata', () => {
    test('what others need comes first', () => {
        const program = analysed(
            'e(1, 2). @output("far"). far(X) <- e(X, _), not t(X, 3). t(X, Y) <- e(X, Y). t(X, Z) <- t(X, Y), e(Y, Z).',
        );
        const found = program.strata.map(({ predicates, rules, recursive }) => ({ predicates, rules, recursive }));
        expect(found).toEqual([
            { predicates: ['e/2'], rules: [], recursive: false },
            { predicates: ['t/2'], rules: [1, 2], recursive: true },
            { predicates: ['far/1'], rules: [0], recursive: false },
        ]);
    });

    test('a chain of thousands of rules is no trouble', () => {
        const rules = Array.from({ length: 3000 }, (_, i) => `p${i}(X) <- p${i + 1}(X).`);
        const program = analysed(`${rules.join('\n')} p3000(1). @output("p0").`);
        expect(program.strata).toHaveLength(3001);
        expect(program.strata[0]?.predicates).toEqual(['p3000/1']);
    });

    test.each([
        ['n(1). n(Y) <- n(X), Y = X + 1.', true],
        ['n(1). n(Y) <- n(X), Y = X + 1, Y < 10.', false],
        ['n(1). n(Y) <- n(X), Y = X + 1, X > 0.', true],
        ['n(1). n(Y) <- n(X), Y = X - 1, X > 0.', false],
        ['n(1). e(1, 2). n(Y) <- n(X), e(X, Y).', false],
        ['n(1). l(2). n(Y) <- n(X), l(Y), Y == X + 1.', false],
        ['n(1). n(Y) <- n(X), Y = X.', false],
        ['n(1). n(X + 1) <- n(X).', true],
        ['f(1, 2). p(X, Z, V) <- f(X, Z), V = {} | X | Z. p(X, Z, V) <- p(X, Y, W), f(Y, Z), Z !in W, V = W | Z.', false],
        ['n(1). m(Y) <- n(X), Y = X + 1. n(X) <- m(X).', true],
        ['l(1, 2, 3). d(X, Y, D) <- l(X, Y, W), D = mmin(W). d(X, Z, D) <- d(X, Y, A), l(Y, Z, W), D = mmin(A + W).', false],
    ])('%s grows: %s', (text, growing) => expect(analysed(text).strata.some(stratum => stratum.growing)).toBe(growing));
});

describe('rules', () => {
    test('assignments stand in the order in which they can be computed', () => {
        const [rule] = analysed('p(1). @output("h"). h(C) <- p(X), C = B + 1, B = A + 1, A = X * 2.').rules;
        expect(rule?.assignments.map(assignment => assignment.variable.name)).toEqual(['A', 'B', 'C']);
    });

    test('the first equation that can be bound assigns, others compare', () => {
        const [rule] = analysed('p(1). @output("h"). h(A) <- p(X), A = B + 1, A = X, B = X * 2.').rules;
        expect(rule?.assignments.map(assignment => [assignment.variable.name, assignment.value.kind])).toEqual([
            ['B', 'binary'],
            ['A', 'binary'],
        ]);
        expect(rule?.conditions).toHaveLength(1);
    });

    test('conditions on aggregates come after them', () => {
        const [rule] = analysed('p(1, 2). @output("h"). h(X) <- p(X, Y), Y > 1, N = mcount(), M = N * 2, M >= 2.').rules;
        expect(rule?.conditions.map(condition => condition.afterAggregation)).toEqual([false, true]);
        expect(rule?.assignments.map(assignment => [assignment.variable.name, assignment.afterAggregation])).toEqual([
            ['N', true],
            ['M', true],
        ]);
    });

    test('aggregated columns are those that depend on an aggregate', () => {
        const program = analysed('p(1, 2). @output("h"). h(X, S, S + 1) <- p(X, Y), S = msum(Y).');
        expect([...program.predicates.values()].find(predicate => predicate.name === 'h')?.aggregatedColumns).toEqual([1, 2]);
    });

    test('the older forms of aggregates mean what they say', () => {
        const [rule] = analysed('p("a", 1, 2). @output("h"). h(K, S) <- p(K, X, Y), S = msum(X, [K], [Y]).').rules;
        const [aggregate] = rule?.assignments[0]?.aggregates ?? [];
        expect(aggregate?.arguments).toHaveLength(1);
        expect(aggregate?.contributors?.map(variable => variable.name)).toEqual(['Y']);
        expect(rule?.assignments[0]?.value).toBe(aggregate);
    });

    test('a name is an atom when a predicate has it, else a condition', () => {
        const program = analysed('p("a"). @output("h"). h(X) <- p(X), starts_with(X, "a"), is_empty(X).');
        expect(program.rules[0]?.conditions.map(condition => condition.expression.kind)).toEqual(['call', 'call']);
        const shadowed = analysed('p("a"). is_empty("b"). @output("h"). h(X) <- p(X), is_empty(X).');
        expect(shadowed.rules[0]?.literals.map(literal => literal.predicate)).toEqual(['p/1', 'is_empty/1']);
    });

    test('unbound head variables are existential, anonymous ones not listed', () => {
        const program = analysed('p(1). @output("h"). h(X, E, _) <- p(X).');
        expect(program.rules[0]?.existential).toEqual(['E']);
    });
});

describe('binds', () => {
    test('options keep their texts, aliases are resolved', () => {
        const program = analysed(
            String.raw`@bind("p", "POSTGRES host='a b', delimiter='\t', port=5432", "db", "t"). @output("h"). h(X) <- p(X).`,
        );
        const [bind] = program.binds;
        expect(bind).toMatchObject({ type: 'postgresql', direction: 'input', outer: 'db', inner: 't' });
        expect([...(bind?.options ?? [])]).toEqual([
            ['host', 'a b'],
            ['delimiter', '\t'],
            ['port', '5432'],
        ]);
    });

    test('an output predicate makes an output bind', () => {
        const program = analysed('p(1). @bind("h", "csv", "data", "h.csv"). @output("h"). h(X) <- p(X).');
        expect(program.binds.map(bind => bind.direction)).toEqual(['output']);
    });
});

describe('concepts and modules', () => {
    test('a caller may supply what a concept lacks', () => {
        const program = analysed('h(X) <- p(X), X > ?floor.', { concept: true });
        expect(program.problems.map(({ code, severity }) => [code, severity])).toEqual([
            ['RL1101', 'information'],
            ['RL8001', 'information'],
        ]);
    });

    test('parameters that the host supplies need no declaration', () => {
        const program = analysed('p(1). @output("h"). h(X) <- p(X), X > ?floor.', { suppliedParameters: new Map([['floor', 1]]) });
        expect(codesOf(program)).toEqual([]);
        expect([...program.parameters.keys()]).toEqual(['floor']);
    });
});

describe('annotations before a clause', () => {
    const read = readProgram('p(1).\n@output("h")\nh(X) <- p(X).', 'test.rulelang').value;
    const written = (sameLine: boolean): AnalysedProgram => {
        const clauses = read.clauses.map(clause => ({ ...clause, annotations: clause.annotations.map(one => ({ ...one, sameLine })) }));
        return analyse({ ...read, clauses });
    };

    test('count like clauses of their own', () => expect(written(true).outputs).toEqual(['h/1']));

    test('lack their dot when the clause begins on another line', () => {
        expect(codesOf(written(false))).toEqual(['RL6003']);
        expect(codesOf(written(true))).toEqual([]);
    });
});
