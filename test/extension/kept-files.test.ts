import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keptFiles } from '#extension/runs/kept-files.ts';

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

test('a program stays as long as there are rows of it, pinned or not, and counts once', () => {
    const files = keptFiles(folder, { files: 10, bytes: 100 });
    files.prepare();
    for (const [at, name] of ['a', 'b', 'c'].entries()) write(`${name}.rows`, 20, at + 2);
    write('p.program', 30, 9);
    write('q.program', 5, 9);
    write('new.program', 5, 0);
    expect(['a', 'b'].map(name => files.belong(name, 'p'))).toEqual(['a-p', 'b-p']);
    expect(files.belong('c', 'q')).toBe('c-q');
    files.tidy();
    expect(left()).toEqual(['a-p.rows', 'b-p.rows', 'c-q.rows', 'new.program', 'p.program', 'q.program']);
    files.pin('b-p', true);
    files.remove('a-p');
    files.remove('c-q');
    expect(left()).toEqual(['b-p.pinned.rows', 'new.program', 'p.program']);
    files.pin('b-p', false);
    write('d-p.rows', 60, 0);
    files.tidy();
    expect(left()).toEqual(['d-p.rows', 'new.program', 'p.program']);
    files.clear();
    expect(left()).toEqual([]);
});

test('a pinned file stays, counts, and goes when all are removed', () => {
    const files = keptFiles(folder, { files: 2, bytes: 100 });
    files.prepare();
    write('a.rows', 40, 9);
    files.pin('a', true);
    for (const [at, name] of ['b', 'c', 'd'].entries()) write(`${name}.rows`, 40, at);
    files.tidy();
    expect(left()).toEqual(['a.pinned.rows', 'b.rows']);
    expect(files.has('a')).toBe(true);
    expect(files.path('a')).toMatch(/a\.pinned\.rows$/u);
    files.pin('a', false);
    files.pin('unknown', true);
    expect(left()).toEqual(['a.rows', 'b.rows']);
    files.pin('a', true);
    expect(files.clear()).toBe(2);
    expect(left()).toEqual([]);
});
