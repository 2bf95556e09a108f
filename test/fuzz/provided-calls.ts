import { expect } from 'vitest';
import type { ProvidedArguments, ProvidedReply, Providers } from '#engine/contracts/providers.ts';
import { evaluate } from '#engine/engine.ts';
import { PASSES, type PassName } from '#engine/plan/program-passes.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { randomNumbers } from '../language/document/random-edits.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { check, outcomeOf, runOptions } from '../support/conformance.ts';
import { factsText } from '../support/expected-facts.ts';
import type { Search } from './search.ts';

/** Functions of the host, and the calls that they got, in batches. */
const HOST = new Map<string, (args: ProvidedArguments) => ProvidedReply>([
    ['llm:generate', ([prompt]) => (prompt?.startsWith('small') ? small(prompt) : `${prompt}`.replace(/\D/gu, '') || 'no digits')],
    ['#LLM', ([prompt]) => `<${prompt}>`],
    ['embeddings:vectorize', texts => JSON.stringify(texts.map(text => text?.length))],
    ['anonymization:msu', ([, m]) => m],
    ['soundex', ([word]) => (word === 'none' ? undefined : `S${word}`)],
]);

/** The sum of the digits modulo 5, and nothing where that is 4. */
function small(prompt: string): ProvidedReply {
    const sum = [...prompt.replace(/\D/gu, '')].reduce((total, digit) => total + Number(digit), 0) % 5;
    return sum === 4 ? undefined : `${sum}`;
}

export function analysed(text: string) {
    const program = analyse(readProgram(text, 'test.rulelang').value);
    expect(program.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    return program;
}

/** Answers some time after it was asked, and notes each batch. */
export function host(batches: ProvidedArguments[][]): Providers {
    return {
        find: name => {
            const one = HOST.get(name);
            if (one === undefined) return undefined;
            return async calls => {
                batches.push([...calls]);
                await new Promise(resolve => setImmediate(resolve));
                return calls.map(one);
            };
        },
    };
}

/** Answers with all passes, without those of them that are named, and as the reference evaluator does. */
export async function answer(text: string, withouts: readonly PassName[] = PASSES) {
    const program = analysed(text);
    const batches: ProvidedArguments[][] = [];
    const options = { ...runOptions('.'), heights: true };
    const outcome = await evaluate(program, { ...options, providers: host(batches) });
    const observed = outcomeOf(outcome);
    const naive = await evaluateNaive(program, { ...options, provided: name => HOST.get(name) });
    expect(factsText(outcomeOf(naive).facts)).toBe(factsText(observed.facts));
    for (const pass of withouts) {
        const without = await evaluate(program, { ...options, providers: host([]), disabledPasses: new Set([pass]) });
        expect(factsText(outcomeOf(without).facts), pass).toBe(factsText(observed.facts));
    }
    return { outcome, batches, reports: observed.reports, facts: factsText(observed.facts) };
}

/** Programs with calls of the host mean the same as where each call is answered in its place. */
export const providedCalls: Search<true> = {
    name: 'provided-calls',
    text: seed => randomProgram(randomNumbers(seed)),
    async check(text, seed) {
        if (check(text).errors.length > 0) return undefined;
        await answer(
            text,
            PASSES.filter((_, i) => i % 8 === seed % 8),
        );
        return true;
    },
};

/** Rules over two relations of small numbers, with calls in assignments, conditions, heads and recursions, before and after aggregation. */
function randomProgram(below: (most: number) => number): string {
    const pick = (...texts: readonly string[]): string => texts[below(texts.length)] ?? '';
    const some = (count: number, make: () => string): string[] => Array.from({ length: count }, make);
    const call = (...names: readonly string[]): string => {
        const values = some(1 + below(2), () => pick(...names, `${names[0]} + ${below(3)}`));
        const prompt = `small ${below(4)} ${values.map((_, i) => `{arg_${i + 1}}`).join(' ')}`;
        return `llm:generate("${prompt}", "output_type=int", ${values.join(', ')})`;
    };
    const body = (): string =>
        [
            pick('a(X, Y)', 'b(X, Y)', 'a(X, Y), b(Y, W)', 'a(X, X2), b(X2, Y)'),
            ...some(below(2), () =>
                pick('X < Y', 'X != Y', 'not b(Y, X)', 'not a(X, 3)', `${call('X', 'Y')} > 0`, `N = X + Y, ${call('N')} < 3`),
            ),
        ].join(', ');
    const rules = [
        ...some(2, () => `h(X, V) <- ${body()}, V = ${call('X', 'Y')}.`),
        `g(X, ${call('X', 'Y')}) <- ${body()}.`,
        `t(X, T) <- ${body()}, V = ${call('X', 'Y')}, T = ${pick('msum(V, <Y>)', 'mcount(V)', 'mmax(V)')}.`,
        `u(X, V) <- ${body()}, T = ${pick('msum(Y)', 'mcount(Y)', 'mmin(Y)')}, V = ${call('X', 'T')}.`,
        `r(X, Y) <- a(X, Y), ${call('X')} != 1.`,
        `r(X, V) <- r(X, Y), ${pick('h(Y, W)', 'b(Y, W)', 'a(Y, W)')}, V = ${call('Y', 'W')}${pick('', ', not b(X, W)', ', V > 0')}.`,
        `e(X, Z) <- ${body()}, L = [X, Y, ${below(4)}], Z = collections:explode(L), ${call('Z')} ${pick('> 0', '= 2', '!= X')}.`,
        `n(X) <- a(X, _), V = ${call('X')}, not h(X, V).`,
        `k(V, W) <- h(X, V), g(X, W), ${call('V', 'W')} < ${call('X')}.`,
    ];
    const facts = ['a', 'b'].flatMap(name => some(2 + below(5), () => `${name}(${below(4)}, ${below(4)}).`));
    const outputs = ['g', 't', 'u', 'r', 'e', 'n', 'k'].filter(() => below(4) > 0);
    return [...facts, ...rules, ...['h', ...outputs].map(name => `@output("${name}").`)].join('\n');
}
