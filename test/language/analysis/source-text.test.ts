import { describe, expect, test } from 'vitest';
import { readPostText } from '#language/analysis/post-text.ts';
import { readSourceText } from '#language/analysis/source-text.ts';

describe('source texts', () => {
    test.each([
        ['csv', []],
        ["csv useHeaders=true, delimiter=';'", ['useHeaders=true', 'delimiter=;']],
        ["csv delimiter=',', useHeaders = true", ['delimiter=,', 'useHeaders=true']],
        ["csv delimiter=',' useHeaders='true'", ['delimiter=,', 'useHeaders=true (comma missing)']],
        ['csv useHeaders=true delimiter=x', ['useHeaders=true', 'delimiter=x (comma missing)']],
        ["excel dataAddress=''Sheet 1'!A1', useHeaders=true", ["dataAddress='Sheet 1'!A1", 'useHeaders=true']],
        ["csv\n\tdelimiter='\\t',\r\n nullString=''", ['delimiter=\t', 'nullString=']],
        ['csv selectedColumns=[0:2; 4, 5], x=f(a, b)', ['selectedColumns=[0:2; 4, 5]', 'x=f(a, b)']],
        ['csv headers="a:b,c:d", x=1', ['headers=a:b,c:d', 'x=1']],
        ["csv password='open", ['password=open']],
        ['csv useHeaders', ['useHeaders=']],
        ['', []],
    ])('%j', (text, options) => {
        const read = readSourceText(text);
        expect(
            read.options.map(({ key, value, commaMissing }) => `${key.text}=${value.text}${commaMissing ? ' (comma missing)' : ''}`),
        ).toEqual(options);
    });

    test('pieces know their places', () => {
        const text = "  csv  useHeaders = 'true'";
        const { type, options } = readSourceText(text);
        expect(text.slice(type.start, type.end)).toBe('csv');
        expect(options.map(({ key, value }) => [text.slice(key.start, key.end), text.slice(value.start, value.end)])).toEqual([
            ['useHeaders', 'true'],
        ]);
    });
});

describe('post directives', () => {
    test.each([
        ['limit(10)', { kind: 'limit', count: 10 }],
        [' certain ', { kind: 'certain' }],
        ['mmin(2, 3)', { kind: 'min', columns: [1, 2] }],
        ['argmax(3, <>)', { kind: 'argmax', column: 2, groups: [] }],
        [
            'orderby(-1,2)',
            {
                kind: 'orderby',
                keys: [
                    { column: 0, descending: true },
                    { column: 1, descending: false },
                ],
            },
        ],
    ])('%j', (text, directive) => expect(readPostText(text).directive).toEqual(directive));

    test.each(['limit', 'limit(x)', 'limit(-1)', 'min(-1)', 'argmin(1)', 'argmin(1, 2)', 'certain(1)', 'sorted', '', 'orderby()'])(
        '%j is malformed',
        text => {
            expect(readPostText(text).directive).toBeUndefined();
        },
    );
});
