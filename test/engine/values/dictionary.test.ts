import { describe, expect, test } from 'vitest';
import { Dictionary, smallInteger } from '#engine/values/dictionary.ts';
import { compareValues } from '#engine/values/order.ts';
import { fc } from '../../support/fast-check.ts';

describe('dictionary', () => {
    test('gives equal numbers one id, whatever they were read as', () => {
        const dictionary = new Dictionary();
        expect(dictionary.number(3)).toBe(dictionary.bigint(3n));
        expect(dictionary.number(-0)).toBe(dictionary.number(0));
        expect(dictionary.number(2 ** 60)).toBe(dictionary.bigint(2n ** 60n));
        expect(dictionary.bigint(2n ** 60n + 1n)).not.toBe(dictionary.number(2 ** 60));
        expect(dictionary.bigintOf(dictionary.bigint(2n ** 60n + 1n))).toBe(2n ** 60n + 1n);
    });

    test('keeps the edges of the small integers apart', () => {
        const dictionary = new Dictionary();
        const edges = [-(2 ** 30) - 1, -(2 ** 30), -1, 0, 1, 2 ** 30 - 1, 2 ** 30];
        const ids = edges.map(edge => dictionary.number(edge));
        expect(new Set(ids).size).toBe(edges.length);
        expect(ids.map(id => dictionary.numberOf(id))).toEqual(edges);
        expect(ids.map(id => id < 0)).toEqual([false, true, true, true, true, true, false]);
    });

    test('reads back every number and string, through growth', () => {
        fc.assert(
            fc.property(
                fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 3000 }),
                fc.array(fc.string({ unit: 'binary' })),
                (numbers, strings) => {
                    const dictionary = new Dictionary();
                    const numberIds = numbers.map(value => dictionary.number(value));
                    const stringIds = strings.map(value => dictionary.string(value));
                    expect(numberIds.map(id => dictionary.numberOf(id))).toEqual(numbers.map(value => (value === 0 ? 0 : value)));
                    expect(stringIds.map(id => dictionary.stringOf(id))).toEqual(strings);
                    expect(strings.map(value => dictionary.string(value))).toEqual(stringIds);
                },
            ),
            { numRuns: 30 },
        );
    });

    test('a midnight is the value of its date', () => {
        const dictionary = new Dictionary();
        expect(dictionary.timestamp(-86_400_000_000n)).toBe(dictionary.date(-1));
        expect(dictionary.daysOf(dictionary.timestamp(-1n))).toBe(-1);
        expect(dictionary.microsOf(dictionary.date(2))).toBe(172_800_000_000n);
    });

    test('instants have one id each, near and far from today', () => {
        const day = 86_400_000_000n;
        fc.assert(
            fc.property(fc.bigInt({ min: -(2n ** 58n), max: 2n ** 58n }), fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), (far, near) => {
                const dictionary = new Dictionary();
                for (const micros of [far, BigInt(near), (far / day) * day, BigInt(near) * day, 2n ** 53n, 2n ** 53n - 1n, -(2n ** 53n)]) {
                    const id = dictionary.timestamp(micros);
                    expect(dictionary.timestamp(micros)).toBe(id);
                    expect(dictionary.microsOf(id)).toBe(micros);
                    expect(BigInt(dictionary.daysOf(id))).toBe((micros - (((micros % day) + day) % day)) / day);
                    expect(dictionary.kind(id)).toBe(micros % day === 0n ? 'date' : 'timestamp');
                }
                expect(dictionary.instant(near)).toBe(dictionary.timestamp(BigInt(near)));
            }),
        );
    });

    test('labelled nulls have an identity', () => {
        const dictionary = new Dictionary();
        expect(dictionary.freshNull('a')).not.toBe(dictionary.freshNull('a'));
        expect(dictionary.labelledNull('f', [1, 2], true)).toBe(dictionary.labelledNull('f', [1, 2], true));
        expect(dictionary.labelledNull('f', [1, 2], true)).not.toBe(dictionary.labelledNull('f', [1, 2], false));
        const ofRule = (rule: number) => dictionary.nullOfSource(dictionary.nullSource({ invented: true, rule, name: 'f' }), [1, 2]);
        expect(new Set([ofRule(1), ofRule(2), ofRule(1), dictionary.labelledNull('f', [1, 2], true)]).size).toBe(3);
    });

    test('labelled nulls are found again through growth, with their origin', () => {
        const dictionary = new Dictionary();
        const source = dictionary.nullSource({ invented: true, rule: 7, name: 'Z' });
        const made = Array.from({ length: 5000 }, (_, i) => {
            dictionary.freshNull('cell');
            return dictionary.nullOfSource(source, i % 2 === 0 ? [smallInteger(i)] : [smallInteger(i), smallInteger(i + 1)]);
        });
        const before = dictionary.size;
        for (const [i, id] of made.entries()) {
            const args = i % 2 === 0 ? [smallInteger(i)] : [smallInteger(i), smallInteger(i + 1)];
            expect(dictionary.nullOfSource(source, Int32Array.from(args))).toBe(id);
            expect(dictionary.nullOf(id)).toEqual({ source: { invented: true, rule: 7, name: 'Z' }, arguments: args });
        }
        expect(dictionary.size).toBe(before);
    });

    test('the depth of nulls counts Skolem constants, through collections and functions', () => {
        const dictionary = new Dictionary();
        const one = dictionary.labelledNull('#f', [smallInteger(1)], true);
        expect(dictionary.deepestNull).toBe(1);
        const inside = dictionary.labelledNull('upper', [dictionary.list([one])], false);
        expect(dictionary.deepestNull).toBe(1);
        dictionary.labelledNull('#f', [inside, smallInteger(1)], true);
        expect(dictionary.deepestNull).toBe(2);
    });
});

describe('the total order', () => {
    test('ranks kinds, numbers by value and strings by code point', () => {
        const dictionary = new Dictionary();
        const inOrder = [
            dictionary.boolean(false),
            dictionary.boolean(true),
            dictionary.number(-(2 ** 62)),
            dictionary.number(-5),
            dictionary.number(0.5),
            dictionary.number(3),
            dictionary.number(2 ** 53),
            dictionary.bigint(2n ** 53n + 1n),
            dictionary.number(2 ** 53 + 2),
            dictionary.date(-1),
            dictionary.timestamp(5n),
            dictionary.date(1),
            dictionary.string(''),
            dictionary.string('Z'),
            dictionary.string('a'),
            dictionary.string('ab'),
            dictionary.string('\uffff'),
            dictionary.string('\u{1f600}'),
            dictionary.list([]),
            dictionary.list([dictionary.number(1)]),
            dictionary.list([dictionary.number(1), dictionary.number(1)]),
            dictionary.set([dictionary.number(1)]),
            dictionary.nullOfSource(dictionary.nullSource({ invented: true, rule: 9, name: 'B' }), [dictionary.number(2)]),
            dictionary.nullOfSource(dictionary.nullSource({ invented: true, rule: 9, name: 'B' }), [dictionary.string('a')]),
            dictionary.nullOfSource(dictionary.nullSource({ invented: true, rule: 10, name: 'A' }), [dictionary.number(1)]),
            dictionary.nullOfSource(dictionary.nullSource({ invented: true, rule: 10, name: 'B' }), []),
            dictionary.labelledNull('#0001', [], true),
            dictionary.freshNull('x'),
        ];
        const shuffled = [...inOrder].reverse().sort((left, right) => compareValues(dictionary, left, right));
        expect(shuffled).toEqual(inOrder);
    });
});

test('tells which texts are values', () => {
    const dictionary = new Dictionary();
    const texts = Array.from({ length: 5000 }, (_, i) => `text ${i}`);
    for (const text of texts) dictionary.string(text);
    expect(texts.filter(text => !dictionary.hasString(text))).toEqual([]);
    expect(['', 'text', 'text 5000', 'Text 1'].filter(text => dictionary.hasString(text))).toEqual([]);
    dictionary.string('');
    expect([dictionary.hasString(''), dictionary.size]).toEqual([true, new Dictionary().size + 5001]);
});
