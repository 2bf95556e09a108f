import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from '#server/workspace/list-files.ts';

test('files and folders are listed that begin as written, and nothing hidden or outside of the roots', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-list-'));
    mkdirSync(join(folder, 'data'));
    for (const name of ['a.csv', 'b.csv', '.secret', 'data/a.json']) writeFileSync(join(folder, name), '');
    expect(listFiles(folder, '', [folder]).sort()).toEqual(['a.csv', 'b.csv', 'data/']);
    expect(listFiles(folder, 'a', [folder])).toEqual(['a.csv']);
    expect(listFiles(folder, 'data/', [folder])).toEqual(['data/a.json']);
    expect(listFiles(folder, '../', [folder])).toEqual([]);
});
