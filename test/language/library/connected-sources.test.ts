import { describe, expect, test } from 'vitest';
import {
    CONNECTED_TYPES,
    connectedSource,
    contractName,
    isFileType,
    readEndings,
    sourceOfFile,
} from '#language/library/connected-sources.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';

describe('a file tells its type by its name', () => {
    test.each(CONNECTED_TYPES.flatMap(type => (connectedSource(type)?.endings ?? []).map(ending => [ending, type] as const)))(
        '.%s is %s',
        (ending, type) => {
            expect(sourceOfFile(`folder.d/Data.${ending.toUpperCase()}`)?.type).toBe(type);
        },
    );

    test('no ending is that of two types', () => {
        expect([...new Set(readEndings())]).toEqual([...readEndings()]);
    });

    test('packed files have their ending before the last, if their type may be packed', () => {
        expect(sourceOfFile('a.csv.gz')?.type).toBe('csv');
        expect(sourceOfFile('a.jsonl.ZST')?.type).toBe('json');
        expect(sourceOfFile('a.parquet.gz')).toBeUndefined();
        expect(sourceOfFile('a.tar.gz')).toBeUndefined();
        expect(sourceOfFile('csv')).toBeUndefined();
    });

    test('options that files of an ending need come with it', () => {
        expect(sourceOfFile('a.tsv')?.options).toEqual({ delimiter: '\\t' });
        expect(sourceOfFile('a.ndjson.gz')?.options).toEqual({ multiline: 'false' });
        expect(sourceOfFile('a.json')?.options).toEqual({});
    });
});

test('the language knows each connected type by its name and by that of the contract', () => {
    for (const type of CONNECTED_TYPES) {
        expect(dataSourceNamed(type)?.type).toBe(type);
        expect(dataSourceNamed(contractName(type))?.type).toBe(type);
        expect(dataSourceNamed(type)?.isFile).toBe(isFileType(type));
    }
});
