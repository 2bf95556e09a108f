import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { lockDataDirectory, openDataDirectory } from '#server/store/data-directory.ts';

let folder: string;
let lock: string;

beforeEach(() => {
    folder = join(fs.mkdtempSync(join(tmpdir(), 'rulelang-lock-')), 'data');
    openDataDirectory(folder);
    lock = join(folder, 'lock');
});

const holder = (): Record<string, unknown> => JSON.parse(fs.readFileSync(lock, 'utf8'));
const hold = (text: string): void => fs.writeFileSync(lock, text, { mode: 0o600 });

describe('the lock', () => {
    test('is held by one, and given back', () => {
        const release = lockDataDirectory(folder);
        expect(() => lockDataDirectory(folder)).toThrow(`in use by process ${process.pid}`);
        expect(fs.statSync(lock).mode & 0o777).toBe(0o600);
        release();
        expect(fs.readdirSync(folder)).toEqual(['auth']);
        lockDataDirectory(folder)();
    });

    test('of a process that lives is left alone, whatever its id', () => {
        const release = lockDataDirectory(folder);
        const other = JSON.stringify({ ...holder(), id: 'other' });
        release();
        hold(other);
        expect(() => lockDataDirectory(folder)).toThrow('in use');
        expect(fs.readFileSync(lock, 'utf8')).toBe(other);
    });

    test.skipIf(process.platform !== 'linux')('of a process whose id another one has by now is taken over', () => {
        const release = lockDataDirectory(folder);
        const { id, ...rest } = holder();
        release();
        hold(JSON.stringify({ ...rest, id: 'gone', began: '1' }));
        lockDataDirectory(folder);
        expect(holder().id).not.toBe('gone');
        expect(holder().pid).toBe(process.pid);
    });

    test.each(['', '{', 'null', '{"pid":"x"}', '{"pid":4194303,"id":"dead"}'])("that says '%s' is taken over", text => {
        hold(text);
        lockDataDirectory(folder);
        expect(holder().pid).toBe(process.pid);
    });

    test('that another one took over is not given back', () => {
        const release = lockDataDirectory(folder);
        hold(JSON.stringify({ pid: process.pid, id: 'other' }));
        release();
        expect(holder().id).toBe('other');
    });
});
