import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { hasServices, lockDataDirectory, openDataDirectory, StoreUnavailable, sweepUnfinished } from '#server/store/data-directory.ts';

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

    test('that is a folder is told', () => {
        fs.mkdirSync(lock);
        expect(() => lockDataDirectory(folder)).toThrow(`'${lock}' is a folder; remove it`);
    });
});

test('services are not there where nothing or a file is, and a lock that cannot be read is told', () => {
    expect(hasServices(join(folder, 'absent'))).toBe(false);
    hold('');
    expect(hasServices(join(lock, 'below'))).toBe(false);
    fs.rmSync(lock);
    fs.mkdirSync(lock);
    expect(() => hasServices(folder)).toThrow("lock' cannot be read");
});

test('what is no file cannot be read, and is told by its name', () => {
    const data = openDataDirectory(folder);
    fs.mkdirSync(join(folder, 'auth/key'));
    expect(() => data.read('auth/key')).toThrow("'auth/key' cannot be read (EISDIR)");
    expect(() => data.read('auth/key')).toThrow(StoreUnavailable);
});

test('what writes of killed processes left is swept, and nothing else', () => {
    const data = openDataDirectory(folder);
    for (const name of [
        'engine/engine.properties.0123456789ab.tmp',
        'endpoints.json.0123456789ab.tmp',
        'lock.0f8fad5b-d9cb-469f-a165-70867728950e',
    ])
        data.write(name, 'half');
    data.write('engine/engine.properties', 'whole');
    data.write('disk/engine/own.0123456789ab.tmp', "the user's");
    sweepUnfinished(data);
    const left = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
    expect(left.map(({ name }) => name).sort()).toEqual(['engine.properties', 'own.0123456789ab.tmp']);
});
