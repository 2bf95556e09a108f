import { describe, expect, it } from 'vitest';
import { build } from '../../support/expression-harness.ts';
import { fc } from '../../support/fast-check.ts';
import { checkCalls, textOfCall } from './check-calls.ts';

const { integer, double, string, missing, list } = build;

const NAMES = ['levenshtein_sim', 'jaro_winkler', 'jaccard'].map(name => `similarity:${name}`);

describe('texts', () => {
    checkCalls([
        ['similarity:levenshtein', [string('kitten'), string('sitting')], '3'],
        ['similarity:levenshtein', [string(''), string('abc')], '3'],
        ['similarity:levenshtein', [string('a😀b'), string('ab')], '1'],
        ['similarity:levenshtein', [string('ab'), string('ba')], '2'],
        ['similarity:levenshtein', [string('a'), missing()], 'null'],
        ['similarity:levenshtein', [string('a'), integer(1)], 'null', ['RT024']],
        ['similarity:levenshtein_sim', [string('abcd'), string('abc')], '0.75'],
        ['similarity:levenshtein_sim', [string(''), string('')], '1'],
        ['similarity:levenshtein_sim', [string('😀'), string('a')], '0'],
        ['similarity:jaro_winkler', [string(''), string('')], '1'],
        ['similarity:jaro_winkler', [string(''), string('a')], '0'],
        ['similarity:jaro_winkler', [string('a'), string('b')], '0'],
        ['similarity:jaccard', [string('the cat sat'), string('the  dog sat')], '0.5'],
        ['similarity:jaccard', [string('Cat'), string('cat')], '0'],
        ['similarity:jaccard', [string(' \t'), string('')], '1'],
        ['similarity:jaccard', [string('a'), string('')], '0'],
        ['similarity:jaccard', [string('a a b'), string('b\u00a0a')], '1'],
    ]);

    it.each([
        ['MARTHA', 'MARHTA', 0.9611],
        ['DWAYNE', 'DUANE', 0.84],
        ['DIXON', 'DICKSONX', 0.8133],
        ['JELLYFISH', 'SMELLYFISH', 0.8963],
    ])('jaro_winkler of %s and %s is as published', (a, b, expected) => {
        expect(Number(textOfCall('similarity:jaro_winkler', string(a), string(b)))).toBeCloseTo(expected, 4);
    });

    it('are as alike one way as the other, wholly alike themselves, and from 0 to 1', () => {
        const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '😀'), maxLength: 8 });
        fc.assert(
            fc.property(text, text, fc.constantFrom(...NAMES), (a, b, name) => {
                const value = Number(textOfCall(name, string(a), string(b)));
                expect(value).toBeGreaterThanOrEqual(0);
                expect(value).toBeLessThanOrEqual(1);
                expect(Number(textOfCall(name, string(b), string(a)))).toBeCloseTo(value, 12);
                expect(Number(textOfCall(name, string(a), string(a)))).toBe(1);
            }),
        );
    });

    it('have distances that obey the triangle inequality', () => {
        const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 6 });
        const distance = (a: string, b: string): number => Number(textOfCall('similarity:levenshtein', string(a), string(b)));
        fc.assert(
            fc.property(text, text, text, (a, b, c) => {
                expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c));
                expect(distance(a, b) === 0).toBe(a === b);
            }),
        );
    });
});

describe('vectors', () => {
    const vector = (...numbers: number[]) => list(...numbers.map(double));
    checkCalls([
        ['similarity:cosine_sim', [vector(1, 0), vector(0, 1)], '0'],
        ['similarity:cosine_sim', [vector(1, 0), vector(2, 0)], '1'],
        ['similarity:cosine_sim_udf', [vector(1, 0), vector(-1, 0)], '-1'],
        ['embeddings:cosine_sim', [vector(0, 0), vector(1, 0)], '0'],
        ['similarity:cosine_sim', [vector(), vector()], '0'],
        ['similarity:cosine_sim', [vector(1e300, 0), vector(1e-300, 0)], '1'],
        ['similarity:cosine_sim', [list(missing()), vector(1)], 'null'],
        ['similarity:cosine_sim', [list(string('a')), vector(1)], 'null', ['RT024']],
        ['similarity:cosine_sim', [missing(), vector(1)], 'null'],
    ]);

    it('of different length end the run', () => {
        expect(() => textOfCall('similarity:cosine_sim', vector(1), vector(1, 2))).toThrow(/1 and 2/u);
    });
});
