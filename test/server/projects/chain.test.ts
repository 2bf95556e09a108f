import { describe, expect, test } from 'vitest';
import { type Chain, type ChainStep, planChain } from '#server/projects/chain.ts';
import type { Concept } from '#server/projects/concept-reading.ts';

type Given = string | Partial<Concept>;

function project(concepts: Readonly<Record<string, Given>>): Concept[] {
    return Object.entries(concepts).map(([name, given]) => ({
        name,
        type: 'logic',
        binds: [],
        scripts: {},
        definition: typeof given === 'string' ? given : '',
        ...(typeof given === 'string' ? {} : given),
    }));
}

function planned(concepts: Readonly<Record<string, Given>>, target: string, given: readonly string[] = []) {
    return planChain(project(concepts), target, new Set(given));
}

function chain(concepts: Readonly<Record<string, Given>>, target: string, given: readonly string[] = []): Chain {
    const result = planned(concepts, target, given);
    if (!result.ok) throw new Error(JSON.stringify(result));
    return result.chain;
}

const names = ({ steps }: Chain): string[] => steps.map(({ concept }) => concept);
const step = ({ steps }: Chain, name: string): ChainStep => {
    const found = steps.find(({ concept }) => concept === name);
    if (found === undefined) throw new Error(`no step '${name}'`);
    return found;
};
/** What the chain writes behind the definition. */
const added = (of: Chain, name: string): string[] => {
    const { text, ownLength } = step(of, name);
    return text
        .slice(ownLength)
        .split('\n')
        .filter(line => line !== '');
};

describe('dependencies', () => {
    test('come before what needs them, each once', () => {
        const diamond = {
            top: 'top(X) :- left(X), right(X).',
            left: 'left(X) :- base(X).',
            right: 'right(X) :- base(X), not left(X).',
            base: 'base(1).',
            other: 'other(1).',
        };
        expect(names(chain(diamond, 'top'))).toEqual(['base', 'left', 'right', 'top']);
        expect(names(chain(diamond, 'right'))).toEqual(['base', 'left', 'right']);
        expect(names(chain(diamond, 'base'))).toEqual(['base']);
    });

    test('what the definition derives or binds is its own', () => {
        const concepts = {
            a: '@bind("b", "csv", "/d", "b.csv"). c(1). a(X) :- b(X), c(X), d(X).',
            b: 'b(1).',
            c: 'c(2).',
            d: 'd(1).',
        };
        expect(names(chain(concepts, 'a'))).toEqual(['d', 'a']);
        const bound = { ...concepts, a: { definition: 'a(X) :- b(X).', binds: ['@bind("b", "csv", "/d", "b.csv").'] } };
        expect(names(chain(bound, 'a'))).toEqual(['a']);
    });

    test('are found in aggregates, negation, relation functions and queries', () => {
        const concepts = {
            a: 'a(X, S) :- b(X, Y), S = sum(Y), not c(X).\na(X, Y) :- #TC(d).',
            b: 'b(1, 2).',
            c: 'c(1).',
            d: 'd(1, 2).',
            q: { type: 'sql', definition: 'WITH w AS (SELECT * FROM B) SELECT * FROM w JOIN "c" ON true' },
        } as const;
        expect(names(chain(concepts, 'a'))).toEqual(['b', 'c', 'd', 'a']);
        expect(names(chain(concepts, 'q'))).toEqual(['b', 'c', 'q']);
        expect(step(chain(concepts, 'q'), 'q')).toMatchObject({
            kind: 'query',
            text: `q() <- ${concepts.q.definition}\n.\n@input("B").\n@input("c").\n@output("q").`,
            ownStart: 7,
        });
    });

    test('letter case counts but for tables', () => {
        const concepts = { a: 'a(X) :- cityList(X).', citylist: 'citylist(1).' };
        expect(names(chain(concepts, 'a'))).toEqual(['a']);
    });

    test('a predicate that is nowhere is empty, and told once', () => {
        const result = chain({ a: 'a(X) :- b(X), foo(X).', b: 'b(X) :- foo(X), not bar(X).' }, 'a');
        expect(result.warnings).toEqual([
            "Predicate 'foo' is not defined; treated as empty",
            "Predicate 'bar' is not defined; treated as empty",
        ]);
        expect(step(result, 'a').inputs).toEqual([{ predicate: 'b', concept: 'b' }, { predicate: 'foo' }]);
        expect(added(result, 'a')).toEqual(['@input("b").', '@input("foo").', '@output("a").']);
    });

    test('what is declared is not declared again', () => {
        const result = chain({ a: '@input("b"). @output("a"). a(X) :- b(X). % end', b: 'b(1).' }, 'a');
        expect(added(result, 'a')).toEqual([]);
        expect(names(result)).toEqual(['b', 'a']);
    });

    test('a concept that nobody reads may be a cycle', () => {
        const concepts = {
            a: 'a(1).',
            b: 'b(X) :- c(X), a(X).',
            c: 'c(X) :- d(X).',
            d: 'd(X) :- b(X).',
            e: 'e(X) :- b(X).',
            f: 'f(X) :- f(X).',
        };
        expect(names(chain(concepts, 'a'))).toEqual(['a']);
        expect(planned(concepts, 'b')).toEqual({ ok: false, fault: 'cycle', cycle: ['b', 'c', 'd', 'b'] });
        expect(planned(concepts, 'e')).toEqual({ ok: false, fault: 'cycle', cycle: ['b', 'c', 'd', 'b'] });
        expect(names(chain(concepts, 'f'))).toEqual(['f']);
    });

    test('long chains', () => {
        const long = Object.fromEntries(
            Array.from({ length: 500 }, (_, i) => [`c${i}`, i === 499 ? `c${i}(1).` : `c${i}(X) :- c${i + 1}(X).`]),
        );
        expect(names(chain(long, 'c0'))).toHaveLength(500);
    });
});

describe('modules', () => {
    test('bring their rules and what these read', () => {
        const concepts = {
            a: '@include("m"). a(X) :- helper(X).',
            lib: '% the library\n@module("m"). helper(X) :- base(X). lib(1).',
            base: 'base(1).',
        };
        const result = chain(concepts, 'a');
        expect(names(result)).toEqual(['base', 'a']);
        expect(step(result, 'a').modules).toEqual([concepts.lib]);
        expect(step(chain(concepts, 'base'), 'base').modules).toEqual([]);
    });

    test('a module that is nowhere is told by the evaluation', () => {
        expect(names(chain({ a: '@include("m"). a(1).' }, 'a'))).toEqual(['a']);
    });
});

describe('binds', () => {
    const bind = '@bind("b", "csv", "/d", "b.csv").';
    test('stand behind the definition once', () => {
        const once = chain({ a: { definition: 'a(X) :- b(X). % reads', binds: [bind, '  @bind("c","csv","/d","c.csv")'] } }, 'a');
        expect(step(once, 'a').text).toBe(`a(X) :- b(X). % reads\n${bind}\n@bind("c","csv","/d","c.csv").\n@output("a").`);
        const said = chain({ a: { definition: `@bind( "b" ,"csv","/d","b.csv"). a(X) :- b(X).`, binds: [bind] } }, 'a');
        expect(added(said, 'a')).toEqual(['@output("a").']);
    });
});

describe('parameters', () => {
    test('come from the nearest declaration', () => {
        const concepts = {
            target: '@param("p", 1). target(X) :- near(X), far(X).',
            near: '@param("p", 2). @param("q", "near"). near(?p). near(?q).',
            far: 'far(X) :- farther(X, ?q).',
            farther: '@param("q", "farther"). @param("r", 2024-05-01). farther(?p, ?q). farther(?r, 1).',
        };
        const result = chain(concepts, 'target');
        expect(result.parameters).toEqual(['p', 'q', 'r']);
        expect(added(result, 'near')).toEqual(['@param("p", 1).', '@param("r", 2024-05-01).', '@output("near").']);
        expect(step(result, 'near').overridden).toEqual(['p']);
        expect(step(result, 'farther').overridden).toEqual(['q']);
        expect(added(result, 'farther')).toContain('@param("q", "near").');
        expect(step(result, 'target').overridden).toEqual([]);
    });

    test('of two that are equally near, the first by name counts', () => {
        const result = chain({ t: 't(X) :- b(X), a(X).', a: '@param("p", 1). a(?p).', b: '@param("p", 2). b(?p).' }, 't');
        expect(added(result, 'b')).toContain('@param("p", 1).');
        expect(step(result, 'a').overridden).toEqual([]);
    });

    test('a declaration without default is none to others', () => {
        const result = chain({ t: '@param("p"). t(X) :- a(X, ?p).', a: '@param("p", "x\\"y"). a(1, ?p).' }, 't');
        expect(added(result, 't').some(line => line.startsWith('@param("p", "x'))).toBe(true);
        expect(step(result, 't').overridden).toEqual(['p']);
    });

    test('without value anywhere they are missing, all of them', () => {
        const concepts = {
            t: 't(X) :- a(X, ?z).',
            a: '@param("known", 1). a(?known, ?b).',
            q: { type: 'sql', definition: 'SELECT * FROM a WHERE x = ?w' },
        } as const;
        expect(planned(concepts, 't')).toEqual({ ok: false, fault: 'parameters', names: ['b', 'z'], concept: 'a' });
        expect(planned(concepts, 't', ['z'])).toEqual({ ok: false, fault: 'parameters', names: ['b'], concept: 'a' });
        expect(planned(concepts, 't', ['z', 'b', 'surplus']).ok).toBe(true);
        expect(planned(concepts, 'q', ['b'])).toEqual({ ok: false, fault: 'parameters', names: ['w'], concept: 'q' });
    });

    test('in the text of a bind they are used', () => {
        expect(planned({ t: `@bind("b", "csv", "/d", "$\{file}.csv"). t(X) :- b(X).` }, 't')).toMatchObject({
            fault: 'parameters',
            names: ['file'],
        });
    });
});

test('scripts are told apart', () => {
    const definition = 'w(City) :- python:run("fetch"). @output("w").';
    const result = chain({ w: { definition, scripts: { fetch: 'def main(): return []' } }, a: 'a(X) :- w(X).' }, 'a');
    expect(result.steps.map(({ concept, kind }) => [concept, kind])).toEqual([
        ['w', 'script'],
        ['a', 'rules'],
    ]);
});
