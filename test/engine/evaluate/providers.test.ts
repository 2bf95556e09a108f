import { describe, expect, test } from 'vitest';
import { ProvidedFailed, type Providers } from '#engine/contracts/providers.ts';
import { evaluate } from '#engine/engine.ts';
import { explainFact } from '#engine/explain/explain.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { analysed, answer, host, providedCalls } from '../../fuzz/provided-calls.ts';
import { searched } from '../../fuzz/search.ts';
import { runOptions } from '../../support/conformance.ts';

describe('what the host answers', () => {
    test('prompts are filled, and replies get the type that the options name', async () => {
        const { facts, reports } = await answer(`p("a7"). p("b12"). p("c").
number(X, N) <- p(X), N = llm:generate("Digits of {arg_1}", "output_type=int", X).
text(X, N) <- p(X), N = llm:generate("Digits of \${Y}, not \${arg_1}.", "x9"), Y = substring(X, 2).
@output("number"). @output("text").`);
        expect(facts).toBe(`%! facts number
%!   "a7", 7
%!   "b12", 12
%!   "c", z1
%! facts text
%!   "a7", "79"
%!   "b12", "129"
%!   "c", "9"`);
        expect(reports).toEqual(['RT021']);
    });

    test('a model over the rows of a relation', async () => {
        const { facts } = await answer(`e("a", 2). e("b", 3).
all(X, N, S, T) <- #LLM(e, "prompt_1=Say {arg_1}, please, prompt_2={arg_2}").
some(T, X) <- #LLM(e, "prompts=prompt_1:one;prompt_2:two {arg_2}, projected_columns=llm_2:arg_1").
@output("all"). @output("some").`);
        expect(facts).toBe(`%! facts all
%!   "a", 2, "<Say a, please>", "<2>"
%!   "b", 3, "<Say b, please>", "<3>"
%! facts some
%!   "<two 2>", "a"
%!   "<two 3>", "b"`);
    });

    test('vectors, unknown arguments, and functions of the program', async () => {
        const { facts, outcome } = await answer(`@implement("soundex", "python", "lib.py").
p("ab"). p(null). p("none").
vector(V) <- p(X), V = embeddings:vectorize(X, "c"), is_not_null(V).
sound(X, S) <- p(X), S = soundex(X), is_not_null(S).
count(N) <- N = anonymization:msu("a", 3, 2).
@output("vector"). @output("sound"). @output("count").`);
        expect(facts).toContain('%!   [2.0,1.0]');
        expect(facts).toContain('%!   "ab", "Sab"');
        expect(facts).toContain('%! facts count\n%!   3');
        if (!outcome.ok) throw new Error('it runs');
        const { database } = outcome;
        const predicate = predicateKey('sound', 2);
        const row = database.relation(predicate)?.find([database.dictionary.string('ab'), database.dictionary.string('Sab')]) ?? -1;
        const { derivations } = explainFact(database, { predicate, row }, { label: nullLabels(database.dictionary) });
        expect(derivations[0]?.premises.map(premise => premise.fact)).toEqual(['p("ab")', 'soundex("ab") = "Sab"']);
    });

    test('a call is made once for each value, in one batch, after all that is known without it', async () => {
        const { batches, facts } = await answer(`p("a1", 1). p("b2", 2). p("c3", 3). p("a1", 4). p("d4", 5). q("a1"). q("b2"). q("c3").
h(X, N, V) <- p(X, N), q(X), not r(X), N != 2, starts_with(X, "a"), V = llm:generate("\${X}").
@output("h"). r("c3").`);
        expect(batches).toEqual([[['a1']]]);
        expect(facts).toBe('%! facts h\n%!   "a1", 1, "1"\n%!   "a1", 4, "1"');
    });

    test('a condition on an answer comes before other calls, and a call in a call after the inner one', async () => {
        const { batches, facts } = await answer(`p("a1"). p("b2").
h(X, V) <- p(X), V = llm:generate("second 7\${X}"), llm:generate("first \${X}") == "1".
n(V) <- p(X), V = llm:generate("{arg_1}9", llm:generate(X)).
@output("h"). @output("n").`);
        expect(facts).toBe('%! facts h\n%!   "a1", "71"\n%! facts n\n%!   "19"\n%!   "29"');
        expect(batches).toEqual([[['first a1'], ['first b2']], [['second 7a1']], [['a1'], ['b2']], [['19'], ['29']]]);
    });

    test('a recursion asks in rounds', async () => {
        const { batches, facts } = await answer(`e("a1", "b2"). e("b2", "c3"). e("c3", "a1"). s("a1", "1").
s(Y, N) <- s(X, _), e(X, Y), N = llm:generate(Y).
@output("s").`);
        expect(batches).toEqual([[['b2']], [['c3']], [['a1']]]);
        expect(facts).toBe('%! facts s\n%!   "a1", "1"\n%!   "b2", "2"\n%!   "c3", "3"');
    });

    test('a recursion with aggregates is refused where it asks for what it finds itself', async () => {
        const program = analysed(
            `e("a1", 1). s(X, T) <- e(X, N), T = msum(N, <X>). s(Y, T) <- s(X, N), Y = llm:generate(X), T = msum(N, <X>). @output("s").`,
        );
        const { reports } = await evaluate(program, { ...runOptions('.'), providers: host([]) });
        expect(reports).toEqual([expect.objectContaining({ code: 'RT065', message: expect.stringContaining('of s, with values') })]);
    });

    test('values that chance decides are no arguments', async () => {
        const program = analysed(`p(1). h(V) <- p(_), N = math:rand(), V = llm:generate("{arg_1}", N). @output("h").`);
        const { reports } = await evaluate(program, { ...runOptions('.'), providers: host([]) });
        expect(reports).toEqual([expect.objectContaining({ code: 'RT065', message: expect.stringContaining('that chance decides') })]);
    });

    test('aggregates of answers, answers for aggregates, elements of collections, constraints and calls without values', async () => {
        const { facts, reports } = await answer(`p("a1", 1). p("a1", 2). p("b2", 3). l([1,2]). l([2,3]).
total(T) <- p(X, _), N = llm:generate(X, "output_type=int"), T = msum(N, <X>).
told(X, V) <- p(X, N), T = msum(N), V = llm:generate("sum {arg_1}", "output_type=int", T), V > 2.
each(X, V) <- l(L), X = collections:explode(L), V = llm:generate("\${X}").
once(V) <- V = llm:generate("on 5").
head(llm:generate("8{arg_1}", X)) <- p(X, _).
#F <- p(X, _), llm:generate(X) == "9".
@output("total"). @output("told"). @output("each"). @output("once"). @output("head").`);
        expect(reports).toEqual([]);
        expect(facts).toMatchInlineSnapshot(`
          "%! facts each
          %!   1, "1"
          %!   2, "2"
          %!   3, "3"
          %! facts head
          %!   "81"
          %!   "82"
          %! facts once
          %!   "5"
          %! facts told
          %!   "a1", 3
          %!   "b2", 3
          %! facts total
          %!   3"
        `);
    });

    test('a violated constraint of an answer', async () => {
        const program = analysed('p("a1"). p("b9"). #F <- p(X), llm:generate(X) == "9". @output("p").');
        const { reports } = await evaluate(program, { ...runOptions('.'), providers: host([]) });
        expect(reports).toEqual([expect.objectContaining({ code: 'RT041' })]);
    });

    test('nulls made equal: a program with equality heads asks with known values only', async () => {
        const known = analysed('p("a1"). q(X, V, Z) <- p(X), V = llm:generate(X). Y = Z <- q(X, _, Y), q(X, _, Z). @output("q").');
        expect((await evaluate(known, { ...runOptions('.'), providers: host([]) })).ok).toBe(true);
        const unknown = analysed(
            'p("a1"). q(X, Z) <- p(X). Y = Z <- q(X, Y), q(X, Z). v(V) <- q(X, Z), V = llm:generate("{arg_1}", Z). @output("v").',
        );
        const { reports } = await evaluate(unknown, { ...runOptions('.'), providers: host([]) });
        expect(reports).toEqual([expect.objectContaining({ code: 'RT065', message: expect.stringContaining('equality heads') })]);
    });

    test('a host that fails is told at the call', async () => {
        const program = analysed('p("a1").\nh(V) <- p(X), V = llm:generate(X).\n@output("h").');
        const failing: Providers = { find: () => () => Promise.reject(new ProvidedFailed('it answered with 401', 'Set the key.')) };
        const { reports } = await evaluate(program, { ...runOptions('.'), providers: failing });
        expect(reports).toEqual([
            expect.objectContaining({
                code: 'RT092',
                message: "'llm:generate' was not answered: it answered with 401",
                remedy: 'Set the key.',
            }),
        ]);
        expect(reports[0]?.location?.place).toBe(program.rules[0]?.rule.place);
    });

    test('on random programs the same as where each call is answered in its place', () => searched(providedCalls, 1, 3));

    test('an explanation names the calls of a match with their answers, and nothing below them', async () => {
        const { outcome } = await answer(`p("a1"). p("b2"). q("x").
h(X, V) <- p(X), q(Y), W = substring(X, 2), V = llm:generate("{arg_1}9", llm:generate("\${W} of \${X}")), llm:generate("on 5") == "5".
@output("h").`);
        if (!outcome.ok) throw new Error('it runs');
        const { database } = outcome;
        const predicate = predicateKey('h', 2);
        const row = database.relation(predicate)?.find([database.dictionary.string('b2'), database.dictionary.string('229')]) ?? -1;
        const { derivations } = explainFact(database, { predicate, row }, { label: nullLabels(database.dictionary) });
        expect(derivations[0]?.premises.map(premise => premise.fact)).toEqual([
            'p("b2")',
            'q("x")',
            'llm:generate("on 5") = "5"',
            'llm:generate("{arg_1} of {arg_2}", "2", "b2") = "22"',
            'llm:generate("{arg_1}9", "22") = "229"',
        ]);
    });

    test('without the host the place of the call and what to do', async () => {
        const program = analyse(readProgram('p("a").\nq(V) <- p(X), V = llm:generate(X).\n@output("q").', 'test.rulelang').value);
        const { reports } = await evaluate(program, runOptions('.'));
        expect(reports).toEqual([
            expect.objectContaining({
                code: 'RT060',
                message: "Function 'llm:generate' needs a provider, and none is installed",
                remedy: expect.stringContaining('provider of the function is configured'),
            }),
        ]);
    });
});
