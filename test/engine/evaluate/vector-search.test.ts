import { describe, expect, test } from 'vitest';
import type { Providers } from '#engine/contracts/providers.ts';
import { evaluate } from '#engine/engine.ts';
import { FlatIndex } from '#engine/search/flat-index.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { randomNumbers } from '../../language/document/random-edits.ts';
import { outcomeOf, runOptions } from '../../support/conformance.ts';
import { factsText } from '../../support/expected-facts.ts';

/** The cosine of an angle by its definition, and nearest rows by sorting all of them. */
function cosine(a: readonly number[], b: readonly number[]): number {
    const product = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, one, i) => sum + one * (y[i] ?? 0), 0);
    const lengths = Math.sqrt(product(a, a)) * Math.sqrt(product(b, b));
    return lengths === 0 ? 0 : product(a, b) / lengths;
}

const look = () => undefined;

describe('an index', () => {
    test('finds what comparing with every vector finds', () => {
        const below = randomNumbers(11);
        for (let round = 0; round < 60; round++) {
            const [rows, dimensions, limit] = [below(40), 1 + below(9), 1 + below(45)];
            // Small whole numbers: many are equally near, and some are zero.
            const vector = () => Array.from({ length: dimensions }, () => below(5) - 2);
            const vectors = Array.from({ length: rows }, vector);
            const asked = vector();
            const found = new FlatIndex(rows, dimensions, row => vectors[row] ?? []).nearest(asked, limit, (a, b) => a - b, look);
            expect(found).toHaveLength(Math.min(rows, limit));
            const wanted = vectors.map(one => cosine(asked, one));
            for (const { row, score } of found) expect(score).toBeCloseTo(wanted[row] ?? 2, 12);
            const scores = found.map(({ score }) => score);
            expect(scores).toEqual([...scores].sort((a, b) => b - a));
            const worst = scores.at(-1) ?? 1;
            const missed = wanted.filter((score, row) => score > worst + 1e-12 && !found.some(one => one.row === row));
            expect(missed).toEqual([]);
            for (const [i, one] of found.entries())
                if (found[i + 1]?.score === one.score) expect(one.row).toBeLessThan(found[i + 1]?.row ?? 0);
        }
    });

    test('of large numbers and of none', () => {
        const index = new FlatIndex(
            3,
            2,
            row =>
                [
                    [1e300, 1e300],
                    [0, 0],
                    [1e-300, 0],
                ][row] ?? [],
        );
        expect(index.nearest([1e200, 0], 3, (a, b) => a - b, look)).toEqual([
            { row: 2, score: 1 },
            { row: 0, score: expect.closeTo(Math.SQRT1_2) },
            { row: 1, score: 0 },
        ]);
        expect(new FlatIndex(0, 2, () => []).nearest([1, 2], 3, () => 0, look)).toEqual([]);
    });
});

/** The vector of a text: how often it has each of some letters. */
function vectorOf(text: string): number[] {
    return [...'aeiou'].map(letter => [...text].filter(one => one === letter).length);
}

async function answer(text: string, providers?: Providers) {
    const program = analyse(readProgram(text, 'test.rulelang').value);
    const problems = program.problems.map(({ code }) => code);
    const outcome = await evaluate(program, { ...runOptions('.'), ...(providers && { providers }) });
    return { problems, reports: outcome.reports, facts: outcome.ok ? factsText(outcomeOf(outcome).facts) : '' };
}

function host(asked: string[]): Providers {
    return {
        find: name =>
            name === 'embeddings:vectorize'
                ? async calls => {
                      asked.push(...calls.map(([text = '']) => text));
                      return calls.map(([text = '']) => JSON.stringify(vectorOf(text)));
                  }
                : undefined,
    };
}

describe('a search in a predicate of the program', () => {
    test('by vectors gives the rows that are nearest, without anybody else', async () => {
        const { problems, reports, facts } = await answer(`@model("doc", "['id:string', 'about:string', 'at:list<double>']").
doc("b", "ships", [1.0, 0.0]). doc("a", "boats", [2.0, 0.0]). doc("c", "cats", [0.0, 1.0]). doc("d", "docks", [1.0, 1.0]).
q([3.0, 0.0]). q([0.0, 5.0]).
near(Q, H) <- q(Q), H = ask(Q, "collection=doc, limit=2").
@output("near").`);
        expect([problems, reports]).toEqual([[], []]);
        const hit = (id: string, about: string, score: string) =>
            `{"__id__":"${id}","about":"${about}","id":"${id}","__score__":${score}}`.replaceAll('"', '""');
        expect(facts).toBe(`%! facts near
%!   [0.0,5.0], "[${hit('c', 'cats', '1')},${hit('d', 'docks', '0.7071067811865475')}]"
%!   [3.0,0.0], "[${hit('a', 'boats', '1')},${hit('b', 'ships', '1')}]"`);
    });

    test('by prompts over texts asks the host for each text once, and hits are taken apart', async () => {
        const asked: string[] = [];
        const { reports, facts } = await answer(
            `note(1, "aaa"). note(2, "eee"). note(3, "aae"). word("a"). word("ee").
near(W, N, S) <- word(W), H = as_list(ask("\${W}", "collection=note, limit=1"), "__id__:int, note_1:string"), E = collections:explode(H),
    N = struct:get("__id__", E), S = struct:get("note_1", E).
@output("near").`,
            host(asked),
        );
        expect(reports).toEqual([]);
        expect(facts).toBe('%! facts near\n%!   "a", 1, "aaa"\n%!   "ee", 2, "eee"');
        expect(asked.sort()).toEqual(['a', 'aaa', 'aae', 'ee', 'eee']);
    });

    test('searches what rules derive, completely, and what is derived from hits', async () => {
        const { problems, facts } = await answer(`raw("x", [1.0, 0.0], 1). raw("y", [0.0, 1.0], 2). raw("z", [0.5, 0.5], 3).
kept(N, V) <- raw(N, V, K), K > 1.
found(H) <- H = ask([1.0, 0.0], "collection=kept, limit=9").
@output("found").`);
        expect(problems).toEqual([]);
        expect(facts).toContain('""N"":""z""');
        expect(facts).not.toContain('""x""');
        expect((await answer('p([1.0]) <- q([1.0]), p([1.0]). found(H) <- H = ask([1.0], "collection=p"). @output("found").')).facts).toBe(
            '%! facts found\n%!   "[]"',
        );
    });

    test('a rule cannot search what it derives itself', async () => {
        const { problems } = await answer('p("a", [1.0]). p(H, [1.0]) <- H = ask([1.0], "collection=p"). @output("p").');
        expect(problems).toContain('RL7004');
    });

    test('vectors of other lengths, and rows without any', async () => {
        const lengths = await answer('p([1.0]). h(H) <- H = ask([1.0, 2.0], "collection=p"). @output("h").');
        expect(lengths.reports).toEqual([expect.objectContaining({ code: 'RT026', message: expect.stringContaining('2 and 1') })]);
        const numbers = await answer('p(1). h(H) <- H = ask([1.0], "collection=p"). @output("h").');
        expect(numbers.reports).toEqual([expect.objectContaining({ code: 'RT025' })]);
        const texts = await answer('p("a"). h(H) <- H = ask("b", "collection=p"). @output("h").');
        expect(texts.reports).toEqual([
            expect.objectContaining({ code: 'RT060', message: expect.stringContaining('embeddings:vectorize') }),
        ]);
    });

    test('another collection is one of the host', async () => {
        for (const options of ['collection=none', 'collection=p, host=h']) {
            const { problems, reports } = await answer(`p([1.0]). h(H) <- H = ask([1.0], "${options}"). @output("h").`);
            expect(problems).toContain('RL5021');
            expect(reports.map(({ code }) => code)).toEqual(['RT060']);
        }
    });
});
