import { describe, expect, test } from 'vitest';
import { elementTexts, JsonText, jsonOf, memberTexts } from '#server/protocol/json-text.ts';
import { fc } from '../../support/fast-check.ts';

describe('JSON as it is written', () => {
    test('keeps the order of members and all digits, and no blanks', () => {
        const { text, value } = new JsonText(' { "b" : 1.0, "10" : 9007199254740993 ,\n"a b": [ 1e2 , "x \\" y" , { } ] } ');
        expect(text).toBe('{"b":1.0,"10":9007199254740993,"a b":[1e2,"x \\" y",{}]}');
        expect(value).toEqual({ b: 1, 10: 2 ** 53, 'a b': [100, 'x " y', {}] });
    });

    test('stands in other values as it is', () => {
        expect(jsonOf({ a: [new JsonText('{"2":1,"1":2}'), null, undefined], b: undefined, c: 'é"', d: { e: 1.5 } })).toBe(
            '{"a":[{"2":1,"1":2},null,null],"c":"é\\"","d":{"e":1.5}}',
        );
    });

    test('is taken apart', () => {
        const members = memberTexts('\t{"a":{"b":[1,{"c":"}"}]},"\\u0061":2,"d\\\\":"\\\\","__proto__":[ ],"n": -1.0 }');
        expect([...members]).toEqual([
            ['a', '2'],
            ['d\\', '"\\\\"'],
            ['__proto__', '[ ]'],
            ['n', '-1.0'],
        ]);
        expect(elementTexts(' [1, [2,3] ,{"a":[4]},"],[" ]')).toEqual(['1', '[2,3]', '{"a":[4]}', '"],["']);
    });

    test.each(['1', '"{"', 'null', '{}', '[]', ' [ ] ', '{ }'])('%s has no parts', json => {
        expect(memberTexts(json).size).toBe(0);
        expect(elementTexts(json)).toEqual([]);
    });

    test('is what was written, whatever the blanks', () => {
        fc.assert(
            fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t', '\n '), (value, blanks) => {
                const written = JSON.stringify(value, undefined, blanks);
                const plain = JSON.stringify(value);
                expect(new JsonText(written).text).toBe(plain);
                expect(jsonOf(JSON.parse(written))).toBe(plain);
                if (Array.isArray(value)) expect(`[${elementTexts(written).map(text => new JsonText(text).text)}]`).toBe(plain);
                else if (typeof value === 'object' && value !== null) {
                    const members = Array.from(
                        memberTexts(written),
                        ([name, text]) => `${JSON.stringify(name)}:${new JsonText(text).text}`,
                    );
                    expect(`{${members}}`).toBe(plain);
                }
            }),
        );
    });

    test('long strings are no matter', () => {
        const long = JSON.stringify({ a: '\\"x'.repeat(1_000_000), b: 1 });
        expect(new JsonText(long).text).toBe(long);
        expect(memberTexts(long).get('b')).toBe('1');
    });
});
