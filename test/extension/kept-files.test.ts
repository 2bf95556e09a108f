import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keptFiles } from '#extension/kept-files.ts';

let folder: string;

beforeEach(() => {
    folder = join(fs.mkdtempSync(join(tmpdir(), 'rulelang-kept-')), 'storage', 'rows');
});
afterEach(() => fs.rmSync(join(folder, '../..'), { recursive: true }));

/** Writes a file of some bytes, so many minutes old. */
function write(name: string, bytes: number, age: number): void {
    fs.writeFileSync(join(folder, name), new Uint8Array(bytes));
    const changed = new Date(Date.now() - age * 60_000);
    fs.utimesSync(join(folder, name), changed, changed);
}

const left = (): string[] => fs.readdirSync(folder).sort();

test('the folder is for its owner alone, also where it was there', () => {
    keptFiles(folder, { files: 2, bytes: 10 }).prepare();
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    fs.chmodSync(folder, 0o755);
    keptFiles(folder, { files: 2, bytes: 10 }).prepare();
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
});

test('the oldest files go when there are too many, or they are too large together', () => {
    const files = keptFiles(folder, { files: 3, bytes: 100 });
    files.prepare();
    for (const [at, name] of ['a', 'b', 'c', 'd', 'e'].entries()) write(`${name}.rows`, 10, at);
    files.tidy();
    expect(left()).toEqual(['a.rows', 'b.rows', 'c.rows']);
    write('b.rows', 95, 1);
    files.tidy();
    expect(left()).toEqual(['a.rows']);
    files.tidy();
    expect(left()).toEqual(['a.rows']);
});

test('what a killed process has left goes after a while, what is being written stays', () => {
    const files = keptFiles(folder, { files: 3, bytes: 100 });
    files.prepare();
    write('.rulelang-0a.tmp', 10, 2);
    write('.rulelang-0b.tmp', 10, 90);
    files.tidy();
    expect(left()).toEqual(['.rulelang-0a.tmp']);
});

test('all of them are removed, and files that are not there are no failure', () => {
    const files = keptFiles(folder, { files: 3, bytes: 100 });
    expect(files.clear()).toBe(0);
    files.tidy();
    files.remove('a');
    files.prepare();
    write('a.rows', 10, 0);
    write('b.rows', 10, 0);
    expect(files.has('a')).toBe(true);
    expect(files.clear()).toBe(2);
    expect(files.has('a')).toBe(false);
    expect(left()).toEqual([]);
});
