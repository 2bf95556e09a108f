import { expect, test } from 'vitest';
import { Dictionary } from '#engine/values/dictionary.ts';
import { pythonUnavailable } from '#server/python/python-unavailable.ts';
import { endedEarly, failureOf, type LastWord } from '#server/python/script-failures.ts';

const script = { text: 'def main():\n    return later()\n', file: 'fetch.py', path: '/w/fetch.py' };
const context = {
    call: { script: 'fetch', file: 'p', columns: ['City', 'Temp'], parameters: new Map(), dictionary: new Dictionary() },
    script,
    scripts: new Map([['fetch', script]]),
    printed: '',
    limits: { memory: 2 ** 30, processes: 256, fileSize: 1, seconds: 300 },
    use: { enabled: true, network: false, door: 'run' } as const,
    interpreter: '/usr/bin/python3',
    folders: { remedyFor: (path: string) => (path === '/data/x.csv' ? 'add --allow-read /data' : undefined) },
    isWalled: true,
};
const told = (last: Exclude<LastWord, { rows: number }>): string => failureOf(last, context).message;

test('a row with other keys is told with what is missing and what is besides', () => {
    const failed = failureOf({ fault: 'columns', row: 3, actual: ['City', 'temp'] }, context);
    expect(failed.message).toBe("returned columns that are not those of the head: row 3 lacks 'Temp' and has 'temp' besides");
    expect(failed.fault).toEqual({ kind: 'columns', row: 3, expected: ['City', 'Temp'], actual: ['City', 'temp'] });
    expect(told({ fault: 'columns', row: 1, actual: ['City'] })).toMatch("row 1 lacks 'Temp'");
    expect(told({ fault: 'columns', row: 1, actual: ['City', 'Temp', 'x'] })).toMatch("row 1 has 'x' besides");
});

test('other results are told with what they are', () => {
    expect(told({ fault: 'main' })).toBe("does not define 'main' with zero or one parameter");
    expect(told({ fault: 'result', kind: 'dict' })).toBe("must return a list of dictionaries from 'main', and returned 'dict'");
    expect(told({ fault: 'row', row: 2, kind: 'tuple' })).toBe("must return a list of dictionaries from 'main', and row 2 is 'tuple'");
});

test('an exception is told at the line of the script', () => {
    const traceback = 'Traceback (most recent call last):\n  File "fetch.py", line 2, in main\nNameError: x\n';
    const last = { fault: 'failed', reason: 'NameError: x', traceback, file: 'fetch.py', line: 2, missed: null } as const;
    const failed = failureOf(last, { ...context, printed: 'so far\n' });
    expect(failed.message).toBe('failed: NameError: x');
    expect(failed.shown.source).toEqual({ file: 'fetch.py', line: 2 });
    expect(failed.shown.at).toEqual({ file: '/w/fetch.py', line: 1, start: 4, end: 18 });
    expect(failed.shown.details).toEqual([...traceback.trimEnd().split('\n'), 'so far']);
});

test('a script that was refused the network is told how to have it', () => {
    const last = {
        fault: 'failed',
        reason: 'OSError',
        traceback: 'OSError: [Errno 101] Network is unreachable',
        file: null,
        line: null,
        missed: null,
    } as const;
    expect(failureOf(last, context).shown.remedy).toMatch('--python-net');
    expect(failureOf(last, { ...context, isWalled: false }).shown.remedy).toBeUndefined();
});

test('a file that a script does not see is told with what grants it', () => {
    const last = { fault: 'failed', reason: 'OSError', traceback: 'OSError', file: null, line: null } as const;
    const remedyOf = (kind: 'absent' | 'read-only', path: string, isWalled = true): string | undefined =>
        failureOf({ ...last, missed: { kind, path } }, { ...context, isWalled }).shown.remedy;
    expect(remedyOf('absent', '/data/x.csv')).toBe('add --allow-read /data');
    expect(remedyOf('absent', '/data/x.csv', false)).toBeUndefined();
    expect(remedyOf('absent', '/data/y.csv')).toBeUndefined();
    expect(remedyOf('read-only', '/data/x.csv')).toMatch('tempfile.gettempdir()');
});

test('switched off, absent and too old are told apart, each with its remedy', () => {
    expect(pythonUnavailable({ ...context.use, enabled: false }, '/')).toEqual({
        reason: 'Python is switched off',
        remedy: 'Add --allow-python if you trust the script: it is a program.',
    });
    expect(pythonUnavailable({ ...context.use, path: '/no/python3', door: 'editor' }, '/')).toEqual({
        reason: "there is no Python at '/no/python3'",
        remedy: 'Name Python 3.9 or later in the setting rulelang.python.path.',
    });
    expect(pythonUnavailable({ ...context.use, path: process.execPath }, '/')).toBeUndefined();
    const old = endedEarly({ kind: 'gone', code: 2 }, { ...context, printed: 'Unknown option: -I\n' });
    expect(old.message).toBe("is not run: '/usr/bin/python3' is no Python 3.9 or later");
});

test('a process that ends early is told with what it printed', () => {
    const failed = endedEarly({ kind: 'gone', code: 3 }, { ...context, printed: 'last words\n' });
    expect(failed.message).toBe("failed: its process ended before 'main' returned");
    expect(failed.shown.details).toEqual(['last words']);
    expect(endedEarly({ kind: 'limit', limit: 'time' }, context).message).toBe('failed: it ran for longer than 300 seconds');
});
