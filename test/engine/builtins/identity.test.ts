import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { murmur3 } from '#engine/evaluate/builtins/murmur3.ts';
import { randomBelow, randomFraction, surroundings } from '#engine/evaluate/builtins/surroundings.ts';
import { build, ExpressionHarness } from '../../support/expression-harness.ts';
import { fc } from '../../support/fast-check.ts';
import { checkCalls, textOfCall } from './check-calls.ts';

const { integer, double, string, boolean, missing, list, call } = build;

describe('digests', () => {
    checkCalls([
        ['hash:md5', [string('')], '"d41d8cd98f00b204e9800998ecf8427e"'],
        ['hash:md5', [string('abc')], '"900150983cd24fb0d6963f7d28e17f72"'],
        ['hash:sha1', [string('abc')], '"a9993e364706816aba3e25717850c26c9cd0d89d"'],
        ['hash:sha1', [missing()], 'null'],
        ['hash:sha2', [string('abc'), missing()], 'null'],
        ['hash:sha2', [missing(), integer(256)], 'null'],
        ['hash:sha2', [string('abc'), integer(200)], 'null', ['RT024']],
        ['hash:sha2', [string('abc'), string('256')], 'null', ['RT024']],
    ]);

    it('are those of Node, over the text form', () => {
        const digest = (algorithm: string, text: string): string => `"${createHash(algorithm).update(text).digest('hex')}"`;
        expect(textOfCall('hash:md5', double(2))).toBe(digest('md5', '2.0'));
        expect(textOfCall('hash:sha1', list(integer(1), string('ä😀')))).toBe(digest('sha1', '[1,"ä😀"]'));
        for (const bits of [256, 384, 512]) {
            const expected = digest(`sha${bits}`, 'a\u001f1\u001ftrue');
            expect(textOfCall('hash:sha2', string('a'), missing(), integer(1), boolean(true), integer(bits))).toBe(expected);
        }
        expect(textOfCall('hash:sha2', string('x'), integer(0))).toBe(digest('sha256', 'x'));
    });
});

describe('hash:hash', () => {
    it('is Murmur3 as its author tested it', () => {
        const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
        expect(murmur3(bytes(''), 0)).toBe(0);
        expect(murmur3(bytes(''), 1)).toBe(0x514e28b7);
        expect(murmur3(bytes(''), -1) >>> 0).toBe(0x81f16f39);
        expect(murmur3(Uint8Array.of(0xff, 0xff, 0xff, 0xff), 0)).toBe(0x76293b50);
        expect(murmur3(Uint8Array.of(0x21, 0x43, 0x65, 0x87), 0) >>> 0).toBe(0xf55b516b);
        expect(murmur3(Uint8Array.of(0x21, 0x43, 0x65), 0)).toBe(0x7e4a8634);
        expect(murmur3(Uint8Array.of(0x21, 0x43), 0) >>> 0).toBe(0xa0f7b07a);
        expect(murmur3(Uint8Array.of(0x21), 0)).toBe(0x72661cf4);
        expect(murmur3(bytes('Hello, world!'), 0x9747b28c)).toBe(0x24884cba);
    });

    it('passes over unknown values, depends on the order and not on the type of a number', () => {
        expect(textOfCall('hash:hash', missing())).toBe('42');
        expect(textOfCall('hash:hash', string('a'), missing(), integer(1))).toBe(textOfCall('hash:hash', string('a'), double(1)));
        expect(textOfCall('hash:hash', string('a'), string('b'))).not.toBe(textOfCall('hash:hash', string('b'), string('a')));
    });
});

describe('uuid', () => {
    const FORM = /^"[0-9a-f]{8}-[0-9a-f]{4}-([45])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"$/u;

    it('of arguments is version 5 and always the same', () => {
        const value = textOfCall('uuid', string('a'), integer(1), missing());
        expect(FORM.exec(value)?.[1]).toBe('5');
        expect(value).toBe(textOfCall('uuid', string('a'), double(1), missing()));
        expect(value).not.toBe(textOfCall('uuid', string('a'), string('1'), missing()));
        expect(value).not.toBe(textOfCall('uuid', string('a'), integer(1)));
    });

    it('without arguments is version 4, random, and repeated by a seed', () => {
        const harness = new ExpressionHarness(surroundings());
        const first = harness.text(call('uuid'));
        expect(FORM.exec(first)?.[1]).toBe('4');
        expect(harness.text(call('uuid'))).not.toBe(first);
        const seeded = (seed: number): string => new ExpressionHarness(surroundings({ seed })).text(call('uuid'));
        expect(seeded(7)).toBe(seeded(7));
        expect(seeded(7)).not.toBe(seeded(8));
    });
});

it('monotonically_increasing_id counts from 0 over all its places', () => {
    const harness = new ExpressionHarness();
    const id = call('monotonically_increasing_id');
    expect(harness.text(list(id, id, id))).toBe('[0,1,2]');
});

describe('random numbers', () => {
    it('lie in their range and are reproduced by a seed', () => {
        fc.assert(
            fc.property(fc.double({ noNaN: true }), fc.integer({ min: 1, max: 2 ** 31 }), (seed, end) => {
                const { word } = surroundings({ seed });
                const again = surroundings({ seed }).word;
                for (let i = 0; i < 5; i++) {
                    const below = randomBelow(end, word);
                    expect(Number.isInteger(below) && below >= 0 && below < end).toBe(true);
                    expect(randomBelow(end, again)).toBe(below);
                    const fraction = randomFraction(word);
                    expect(fraction >= 0 && fraction < 1).toBe(true);
                    expect(randomFraction(again)).toBe(fraction);
                }
            }),
        );
    });

    it('come up equally often', () => {
        const { word } = surroundings({ seed: 3 });
        const counts = [0, 0, 0, 0, 0, 0];
        for (let i = 0; i < 60_000; i++) {
            const face = randomBelow(6, word);
            counts[face] = (counts[face] ?? 0) + 1;
        }
        for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
    });

    checkCalls([
        ['math:uniform', [integer(1)], '0'],
        ['math:uniform', [missing()], 'null'],
        ['math:uniform', [double(1.5)], 'null', ['RT024']],
    ]);

    it('stop where there is nothing to draw from', () => {
        for (const end of [0, -1, 2 ** 31 + 1]) expect(() => textOfCall('math:uniform', integer(end))).toThrow(/cannot take/u);
        expect(Number(textOfCall('math:rand'))).toBeLessThan(1);
    });
});

describe('mask', () => {
    const text = string('Straße 12-Ä😀');
    checkCalls([
        ['mask', [text], '"Xxxxxx nn-X😀"'],
        ['mask', [text, string('A'), string('a'), string('0'), string('.')], '"Aaaaaa.00.A."'],
        ['mask', [text, missing(), string('*')], '"S***** nn-Ä😀"'],
        ['mask', [text, string('😀')], '"😀xxxxx nn-😀😀"'],
        ['mask', [text, string('AB')], 'null', ['RT024']],
        ['mask', [text, string('')], 'null', ['RT024']],
        ['mask', [string('')], '""'],
        ['mask', [missing()], 'null'],
    ]);
});

describe('utils:phone_number', () => {
    checkCalls([
        ['utils:phone_number', [string('(213) 373-4253')], '"+1 213 373 4253"'],
        ['utils:phone_number', [string('030 901820'), string('DE')], '"+49 30 901820"'],
        ['utils:phone_number', [string('030 901820'), string('de')], '"+49 30 901820"'],
        ['utils:phone_number', [string('+44 20 7946 0018'), string('DE')], '"+44 20 7946 0018"'],
        ['utils:phone_number', [string('hello')], 'null'],
        ['utils:phone_number', [string('12')], 'null'],
        ['utils:phone_number', [string('')], 'null'],
        ['utils:phone_number', [missing()], 'null'],
        ['utils:phone_number', [string('030 901820'), string('XX')], 'null', ['RT024']],
    ]);
});

it('functions of providers say that they need one', () => {
    for (const name of ['llm:generate', 'embeddings:vectorize', 'ask', 'anonymization:msu']) {
        expect(() => textOfCall(name, string('a'), integer(1), integer(2))).toThrow(/needs a provider/u);
    }
});
