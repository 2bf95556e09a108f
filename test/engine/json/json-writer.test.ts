import { expect, test } from 'vitest';
import { type JsonOutput, writeJson } from '#engine/sources/json-writer.ts';
import type { OutputRows } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { MIXED } from '#language/program/types.ts';

const dictionary = new Dictionary();
const { list, string, struct, number } = {
    list: dictionary.list.bind(dictionary),
    string: dictionary.string.bind(dictionary),
    struct: dictionary.struct.bind(dictionary),
    number: dictionary.number.bind(dictionary),
};

function written(rows: number[][], names: string[], output: JsonOutput = { multiline: true }): string {
    const columns = names.map(name => ({ name, type: name === 'd' ? ({ kind: 'double' } as const) : MIXED, cast: false }));
    const source: OutputRows = { dictionary, columns, count: rows.length, at: (row, column) => rows[row]?.[column] ?? 0 };
    const pieces: string[] = [];
    writeJson(
        source,
        output,
        bytes => pieces.push(new TextDecoder().decode(bytes)),
        () => undefined,
    );
    return pieces.join('');
}

test('one array, one object per line', () => {
    const rows = [
        [string('Ann "A" \n'), number(3), list([number(1), dictionary.freshNull('test')])],
        [dictionary.freshNull('test'), number(2.5), struct([string('$null'), string('z1')])],
    ];
    expect(written(rows, ['na"me', 'd', 'l'])).toBe(
        '[\n{"na\\"me":"Ann \\"A\\" \\n","d":3.0,"l":[1,null]},\n{"na\\"me":null,"d":2.5,"l":{"$null":"z1"}}\n]\n',
    );
});

test('integers keep their digits; dates are strings', () => {
    expect(written([[dictionary.bigint(9223372036854775807n), dictionary.date(0), dictionary.boolean(true)]], ['a', 'b', 'c'])).toBe(
        '[\n{"a":9223372036854775807,"b":"1970-01-01","c":true}\n]\n',
    );
});

test('no rows, and rows without columns', () => {
    expect(written([], ['a'])).toBe('[]\n');
    expect(written([], ['a'], { multiline: false })).toBe('');
    expect(written([[]], [])).toBe('[\n{}\n]\n');
});

test('lines', () => {
    expect(written([[number(1)], [number(2)]], ['a'], { multiline: false })).toBe('{"a":1}\n{"a":2}\n');
});

test('behind other rows', () => {
    expect(written([[number(1)], [number(2)]], ['a'], { multiline: true, continues: 'further' })).toBe(',\n{"a":1},\n{"a":2}\n]\n');
    expect(written([[number(1)]], ['a'], { multiline: true, continues: 'first' })).toBe('\n{"a":1}\n]\n');
    expect(written([], ['a'], { multiline: true, continues: 'further' })).toBe('\n]\n');
});

test('more text than one piece', () => {
    const text = written(
        Array.from({ length: 9000 }, (_, i) => [number(i)]),
        ['a'],
    );
    expect((JSON.parse(text) as { a: number }[]).map(({ a }) => a)).toEqual(Array.from({ length: 9000 }, (_, i) => i));
});
