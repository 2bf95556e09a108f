import { expect, test } from 'vitest';
import { databaseOfFile, isFileType, isOfOtherKind, kindOf, kindOfFile, SOURCE_KINDS } from '#extension/sources/source-kinds.ts';

test('texts and PDFs can be connected, under the names of the contract', () => {
    expect(SOURCE_KINDS.map(({ label, type }) => `${label}: ${type}`)).toEqual(expect.arrayContaining(['Text: text', 'PDF: binaryfile']));
    expect(kindOfFile('notes.md')?.label).toBe('Text');
    expect(kindOfFile('bill.pdf')?.label).toBe('PDF');
    expect(isFileType('binaryfile')).toBe(true);
    expect(isFileType('postgresql')).toBe(false);
});

test('a table may stand in a file whose name says text', () => {
    expect(isOfOtherKind('towns.txt', kindOf('csv'))).toBe(false);
    expect(isOfOtherKind('towns.txt', kindOf('json'))).toBe(true);
    expect(isOfOtherKind('towns', kindOf('json'))).toBe(false);
});

test('the options that a file needs are connected with it', () => {
    expect(databaseOfFile('/data/towns.tsv', 'csv')).toMatchObject({
        host: '/data',
        databaseName: 'towns.tsv',
        options: { delimiter: '\\t' },
    });
    expect(databaseOfFile('/data/towns.tsv', 'text')).not.toHaveProperty('options');
});
