import { describe, expect, test } from 'vitest';
import { WHAT_IF } from '#extension/webviews/what-if/messages.ts';

const changes = { without: ['edge("a", _)'], with: [], set: { most: 3 } };
const output = {
    key: 'path/2',
    name: 'path',
    columns: [{ name: 'x', type: 'string', shape: 'text' }],
    rows: 3,
    comes: 0,
    goes: 1,
    changed: [{ fate: 'goes', text: 'path("a","b")' }],
};
const whatIf = { number: 1, outputs: [output], milliseconds: 2 };
const show = { kind: 'show', run: 1, program: 'p.rulelang', changes };
const ask = (method: string, params: object) => ({ kind: 'ask', request: 2, method, params: { run: 1, ...params } });

const FROM_VIEW = [
    ask('rulelang/whatIfRows', { number: 1, output: 'path/2', offset: 200 }),
    ask('rulelang/whatIfExplain', { number: 1, output: 'path/2', row: 0, changed: true }),
    ask('rulelang/expand', { node: 4, all: true }),
    ask('rulelang/absence', { node: 4 }),
    { kind: 'giveUp', given: 2 },
    { kind: 'reveal', run: 1, node: 4, derivation: 0 },
    { kind: 'drop', of: 'without', text: 'edge("a", _)' },
    { kind: 'add' },
    { kind: 'again' },
];
const FROM_HOST = [
    show,
    { ...show, whatIf },
    { ...show, why: 'Rules make values equal' },
    { kind: 'answer', request: 1, result: [] },
    { kind: 'refusal', request: 1, message: 'no' },
];

describe.each([
    ['from the view', FROM_VIEW, WHAT_IF.fromView],
    ['from the host', FROM_HOST, WHAT_IF.fromHost],
] as const)('messages %s', (_, messages, check) => {
    test.each(messages.map(message => [message.kind, message] as const))('%s is understood, and nothing else in it', (_kind, message) => {
        expect(check(message)).toBe(true);
        expect(check({ ...message, path: '/etc/passwd' })).toBe(false);
        if ('params' in message) expect(check({ ...message, params: { ...message.params, uri: 'file:///etc/passwd' } })).toBe(false);
        for (const name of Object.keys(message)) {
            expect(check({ ...message, [name]: { toString: 'x' } }), name).toBe(name === 'result');
            const { [name]: _left, ...rest } = message as Record<string, unknown>;
            expect(check(rest), `without ${name}`).toBe(['derivation', 'whatIf', 'why'].includes(name));
        }
    });
});

test('other questions are dropped', () => {
    for (const method of ['rulelang/close', 'rulelang/export', 'rulelang/run', 'toString'])
        expect(WHAT_IF.fromView(ask(method, { node: 1, all: true })), method).toBe(false);
    expect(WHAT_IF.fromHost({ ...show, whatIf: { ...whatIf, outputs: [{ ...output, changed: [{ fate: 'stays', text: 'p' }] }] } })).toBe(
        false,
    );
});
