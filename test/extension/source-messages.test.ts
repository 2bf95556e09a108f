import { describe, expect, test } from 'vitest';
import { SOURCE } from '#extension/webviews/source/messages.ts';

const FROM_VIEW = [
    { kind: 'again' },
    { kind: 'stop' },
    { kind: 'login' },
    { kind: 'profile', column: 'part' },
    { kind: 'leaveProfile' },
    { kind: 'give', about: 'rows', title: 'Rows of parts', text: '| part |' },
];
const column = { name: 'part', type: 'string', shape: 'text' };
const FROM_HOST = [
    { kind: 'loading', name: 'parts' },
    { kind: 'rows', name: 'parts', columns: [column], rows: [['nut'], [null]], more: false, distinct: false },
    { kind: 'failed', name: 'parts', message: 'no', login: true },
    { kind: 'stopped', name: 'parts' },
    { kind: 'profiling', column: 'part' },
    { kind: 'unprofiled', column: 'part', message: 'no' },
    {
        kind: 'profile',
        profile: { column: 'part', type: 'string', rows: 2, more: false, distinctRows: false, nulls: 1, distinct: 1, top: [] },
    },
];

describe('the rows of a table and their host', () => {
    test.each(FROM_VIEW)('the host takes $kind of the view', message => expect(SOURCE.fromView(message)).toBe(true));
    test.each(FROM_HOST)('the view takes $kind of the host', message => expect(SOURCE.fromHost(message)).toBe(true));

    test('neither takes a message with anything else in it', () => {
        for (const message of FROM_VIEW) expect(SOURCE.fromView({ ...message, more: 1 })).toBe(false);
        for (const message of FROM_HOST) expect(SOURCE.fromHost({ ...message, password: 'x' })).toBe(false);
    });
});
