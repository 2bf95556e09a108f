import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { Provided } from '#engine/providers.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { evaluateNaive } from '../../naive/naive.ts';
import { outcomeOf, runOptions } from '../../support/conformance.ts';
import { factsText } from '../../support/expected-facts.ts';

const HOST = new Map<string, Provided>([
    ['llm:generate', ([prompt]) => `${prompt}`.replace(/\D/gu, '') || 'no digits'],
    ['#LLM', ([prompt]) => `<${prompt}>`],
    ['embeddings:vectorize', texts => JSON.stringify(texts.map(text => text?.length))],
    ['anonymization:msu', ([, m]) => m],
    ['soundex', ([word]) => (word === 'none' ? undefined : `S${word}`)],
]);

async function answer(text: string) {
    const program = analyse(readProgram(text, 'test.rulelang').value);
    expect(program.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const options = { ...runOptions('.'), providers: { find: (name: string) => HOST.get(name) }, heights: true };
    const outcome = await evaluate(program, options);
    const observed = outcomeOf(outcome);
    expect(factsText(outcomeOf(await evaluateNaive(program, options)).facts)).toBe(factsText(observed.facts));
    return { outcome, reports: observed.reports, facts: factsText(observed.facts) };
}

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
        expect(derivations[0]?.premises.map(premise => premise.fact)).toEqual(['p("ab")']);
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
