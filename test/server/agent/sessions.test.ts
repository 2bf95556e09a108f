import { describe, expect, test } from 'vitest';
import { sessions } from '#server/agent/sessions.ts';

const said = { role: 'user', content: 'hello' } as const;

describe('sessions', () => {
    test('are answered one message at a time, and forgotten on demand', () => {
        const all = sessions(2);
        const session = all.begin('ada', 'a');
        session?.add(said);
        expect(all.begin('ada', 'a')).toBeUndefined();
        expect(all.reset('ada', 'a')).toBe('busy');
        session?.end();
        all.begin('ada', 'a')?.end();
        expect(all.reset('bob', 'a')).toBeUndefined();
        expect(all.reset('ada', 'a')).toBe(1);
        expect(all.reset('ada', 'a')).toBeUndefined();
    });

    test('the one whose last use is longest ago makes place', () => {
        const all = sessions(2);
        for (const id of ['a', 'b', 'a', 'c']) {
            const session = all.begin('ada', id);
            session?.add(said);
            session?.end();
        }
        expect(['a', 'b', 'c'].map(id => all.reset('ada', id))).toEqual([2, undefined, 1]);
    });

    test('one that is being answered makes no place', () => {
        const all = sessions(1);
        const busy = all.begin('ada', 'a');
        expect(all.begin('ada', 'b')).toBeUndefined();
        busy?.end();
        expect(all.begin('ada', 'b')).toBeDefined();
    });

    test('remember the last 50 messages', () => {
        const all = sessions(1);
        const session = all.begin('ada', 'a');
        for (let i = 0; i < 60; i++) session?.add(said);
        session?.end();
        expect(all.reset('ada', 'a')).toBe(50);
    });
});
