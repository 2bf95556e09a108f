import { describe, expect, test } from 'vitest';
import { RunStopped, report } from '#engine/reports/reports.ts';
import type { Connectors, RowTarget } from '#engine/sources/source.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { run } from './run-program.ts';

/** Rows of small integers for every bind, with line numbers from 2. */
function rows(values: readonly (readonly number[])[], load?: (target: RowTarget) => void): Connectors {
    return {
        source: bind => ({
            name: `${bind.outer}/${bind.inner}`,
            load: target => {
                load?.(target);
                for (const [i, row] of values.entries()) {
                    target.add(
                        Int32Array.from(row, value => target.dictionary.number(value)),
                        i + 2,
                    );
                }
            },
        }),
        sink: () => undefined,
    };
}

const PROGRAM = `
    @input("e"). @bind("e", "csv", "data", "e.csv"). @model("e", "['from:int', 'to:int']").
    t(X, Y) <- e(X, Y).
    t(X, Z) <- t(X, Y), e(Y, Z).`;

describe('sources', () => {
    test('rows that differ in columns which are not read are told as what they are', async () => {
        const connectors = rows([
            [1, 2],
            [1, 2],
        ]);
        const mapped = '@mapping("e", 0, "from", "int"). @mapping("e", 1, "to", "int").';
        for (const text of [
            '@bind("e", "csv useHeaders=true, selectedColumns=[0; 1]", "data", "e.csv").',
            `@bind("e", "csv", "data", "e.csv"). ${mapped}`,
        ]) {
            const { messages } = await run(`${text} t(X, Y) <- e(X, Y). @output("t").`, { connectors });
            expect(messages).toEqual(['1 row equals another in the columns that are read, and was merged with it']);
        }
    });

    test('are united with facts, and duplicates are counted per source', async () => {
        const { facts, codes, messages, outcome } = await run(`${PROGRAM} e(9, 1).`, {
            connectors: rows([
                [1, 2],
                [2, 3],
                [1, 2],
                [9, 1],
            ]),
        });
        expect(facts('e')).toEqual(['1, 2', '2, 3', '9, 1']);
        expect(facts('t')).toHaveLength(6);
        expect(codes).toEqual(['RT072']);
        expect(messages).toEqual(['2 duplicate rows were merged']);
        expect(outcome.reports[0]?.source).toEqual({ file: 'data/e.csv' });
        if (!outcome.ok) return;
        const relation = outcome.database.relation(predicateKey('e', 2));
        expect(Array.from(relation?.notes?.lines?.subarray(0, 3) ?? [])).toEqual([0, 2, 3]);
    });

    test('may load in their own time', async () => {
        const connectors: Connectors = {
            source: bind => ({
                name: bind.inner,
                load: async target => {
                    await Promise.resolve();
                    target.add(Int32Array.of(target.dictionary.number(1), target.dictionary.number(2)), 0);
                },
            }),
            sink: () => undefined,
        };
        expect((await run(PROGRAM, { connectors })).facts('t')).toEqual(['1, 2']);
    });

    test('without a connector or rows end the run', async () => {
        const none = await run(PROGRAM);
        expect(none.codes).toEqual(['RT061']);
        expect(none.outcome.reports[0]?.location).toBeDefined();
        const input = await run('@input("e"). t(X) <- e(X, _).');
        expect(input.codes).toEqual(['RT070']);
    });

    test('that nothing needs are not read', async () => {
        const { codes } = await run(`${PROGRAM} f(1). g(X) <- f(X). @output("g").`);
        expect(codes).toEqual([]);
    });

    test('end the run with what they throw and what they report', async () => {
        const stopped = report('RT064', {}, 'e.csv', 'cannot be read');
        const { codes } = await run(PROGRAM, {
            connectors: rows([], target => {
                target.report(report('RT071', {}, 2, 'few', 2));
                throw new RunStopped(stopped);
            }),
        });
        expect(codes).toEqual(['RT071', 'RT064']);
    });

    test('are stopped by limits and by cancellation while they load', async () => {
        const many = rows(Array.from({ length: 10_000 }, (_, i) => [i, i + 1]));
        const limits = { maxMemory: 2 ** 30, maxRounds: 10, maxNullDepth: 200, isoDepth: 3, maxFacts: 5000 };
        const limited = await run(PROGRAM, { connectors: many, limits });
        expect(limited.messages).toEqual(["The limit of 5,000 facts was reached; 'e' grew most"]);
        let asked = 0;
        const cancelled = await run(PROGRAM, { connectors: many, cancelled: () => (asked++ > 1 ? 'the user' : undefined) });
        expect(cancelled.codes).toEqual(['RT032']);
    });
});

describe('parameters', () => {
    const BIG = '@param("floor", 10). v(5). v(15). big(X) <- v(X), X > ?floor. @output("big").';
    const given = (value: unknown) => ({ parameters: new Map([['floor', value]]) });

    test('have their default or the given value in its type', async () => {
        expect((await run(BIG)).facts('big')).toEqual(['15']);
        for (const value of [1, '1', ' 1 ', 1n]) expect((await run(BIG, given(value))).facts('big')).toEqual(['5', '15']);
    });

    test.each([['x'], [1.5], ['7.9'], [true], [null], [[1]], [{ a: 1 }], [Number.NaN]])('refuse %j for an integer', async value => {
        const { codes, messages } = await run(BIG, given(value));
        expect(codes).toEqual(['RT080']);
        expect(messages[0]).toContain("Parameter 'floor' must be int");
    });

    test.each([
        ['"a"', 7, '"7"'],
        ['"a"', 'x,y', '"x,y"'],
        ['1.0', 3, '3.0'],
        ['1.0', '2.5', '2.5'],
        ['#T', 'no', '#F'],
        ['#T', false, '#F'],
        ['2031-01-01', '2030-02-03', '2030-02-03'],
        ['[1]', [3, '4'], '[3,4]'],
        ['{1}', [4, 3, 4], '{3,4}'],
        ['["a"]', ['b', 1], '["b","1"]'],
        ['[1]', '[3, 9007199254740993]', undefined],
        ['[9007199254740993]', '[3, -9007199254740995]', '[3,-9007199254740995]'],
        ['{"a"}', '["b", "c", "b"]', '{"b","c"}'],
        ['["a"]', '["12345678901234567"]', '["12345678901234567"]'],
        ['[1]', '3, 4', undefined],
    ])('with the default %s take %j', async (value, override, expected) => {
        const { facts, codes } = await run(`@param("p", ${value}). q(X) <- one(_), X = ?p. one(1).`, {
            parameters: new Map([['p', override]]),
        });
        if (expected === undefined) expect(codes).toEqual(['RT080']);
        else expect(facts('q')).toEqual([expected]);
    });

    test.each([
        ['12', '12'],
        ['1.5', '1.5'],
        ['#T', '#T'],
        ['2030-02-03', '2030-02-03'],
        ['abc', '"abc"'],
        ['"12"', '"12"'],
        [true, '#T'],
        [[1, 'a'], '[1,"a"]'],
    ])('without a default read %j as a literal', async (value, expected) => {
        const { facts } = await run('q(X) <- one(_), X = ?p. one(1).', { parameters: new Map([['p', value]]) });
        expect(facts('q')).toEqual([expected]);
    });

    test('without any value end the run', async () => {
        expect((await run('q(X) <- one(_), X = ?p. one(1).')).codes).toEqual(['RT080']);
    });

    test('stand in facts, atoms, heads and texts', async () => {
        const { facts } = await run(
            `@param("n", "ada"). who(\${n}, 1). who("bo", 2). is(X) <- who(?n, X). hi("hello \${n}", ?n) <- who("bo", _).`,
            { parameters: new Map([['n', 'eve']]) },
        );
        expect(facts('is')).toEqual(['1']);
        expect(facts('hi')).toEqual(['"hello eve", "eve"']);
    });
});

test('tens of thousands of facts load fast enough to be written inline', async () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `e(${i}, "s${i % 977}", ${i % 13}.5).`).join('\n');
    const { outcome } = await run(`${text}\nn(N) <- e(_, _, _), N = mcount().`);
    expect(outcome.ok && outcome.statistics.facts).toBe(20_001);
});
