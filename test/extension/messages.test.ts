import { describe, expect, test } from 'vitest';
import { missingQuestion } from '#extension/surfaces/grid/missing-question.ts';
import { RESULTS, requestIn } from '#extension/webviews/results/messages.ts';
import { readViewState } from '#extension/webviews/results/view-state.ts';
import { isExplanation, isResultPage } from '#server/protocol/runs.ts';
import { isAbsence, isWhyNotAnswer } from '#server/protocol/why-not.ts';

const view = {
    output: 'p/2',
    sort: [{ column: 1, descending: true }],
    filters: [{ column: 0, operator: 'equals', value: 'a' }],
    search: 'x',
};
const show = { kind: 'show', panel: 'a1', program: 'p.rulelang', run: 1, stale: false, density: 'compact', arranged: [] };
const column = { name: 'x', type: 'int', shape: 'number' };

const ask = (method: string, params: object) => ({ kind: 'ask', request: 2, method, params });

const FROM_VIEW = [
    ask('rulelang/page', { run: 1, view, offset: 0, limit: 200 }),
    ask('rulelang/cell', { run: 1, view: { output: 'p/2' }, row: 3, column: 0 }),
    ask('rulelang/explain', { run: 1, view, row: 3, all: false }),
    ask('rulelang/expand', { run: 1, node: 4, all: true }),
    ask('rulelang/whyNot', { run: 1, question: 'p(_)' }),
    ask('rulelang/absence', { run: 1, node: 4 }),
    ask('rulelang/namesAmong', { run: 1, words: ['a'] }),
    ask('rulelang/tell', { run: 1, view, row: 3 }),
    ask('rulelang/export', { run: 1, view, format: 'csv' }),
    { kind: 'askMissing', question: 'p(_)' },
    { kind: 'reveal', run: 1, node: 4 },
    { kind: 'reveal', run: 1, node: 4, derivation: 0 },
    { kind: 'notice', run: 1, index: 0 },
    { kind: 'change', run: 1, index: 0 },
    { kind: 'copy', text: 'a\tb' },
    { kind: 'give', about: 'rows', title: 'Rows of p', text: '| x |' },
    {
        kind: 'arranged',
        arranged: { output: 'p/2', columns: [{ name: '__proto__', width: 80 }], order: ['b', 'a'], hidden: [], frozen: 1 },
    },
    { kind: 'whatIf', run: 1, view, row: 3, otherwise: true },
    { kind: 'runAgain' },
    { kind: 'stop' },
    { kind: 'showOutput' },
    { kind: 'openParameters' },
    { kind: 'openSetting' },
    { kind: 'runWith', values: [{ name: 'majority', written: '60' }] },
    { kind: 'keepSet', values: [{ name: 'majority', written: '60' }], name: '' },
    { kind: 'forgetSet', name: 'strict' },
];

const FROM_HOST = [
    { ...show, shown: { kind: 'none' } },
    {
        kind: 'parameters',
        parameters: [{ name: 'majority', type: 'int', usual: '50', written: '60' }, { name: 'most' }],
        sets: [{ name: 'strict', values: [{ name: 'majority', written: '90' }] }],
    },
    { ...show, shown: { kind: 'running', phase: 'loading', stratum: 0, strata: 2, facts: 0, milliseconds: 3 } },
    {
        ...show,
        shown: {
            kind: 'running',
            phase: 'evaluating',
            stratum: 1,
            strata: 2,
            facts: 7,
            filling: { name: 'p', rows: 5 },
            milliseconds: 3,
        },
    },
    {
        ...show,
        shown: {
            kind: 'finished',
            outputs: [{ key: 'p/1', name: 'p', rows: 2, columns: [column] }],
            facts: 9,
            milliseconds: 1.5,
            notices: [{ code: '', severity: 'warning', message: 'no', parameter: 'majorty', setting: true }],
            parameters: [{ name: 'majority', text: '80', given: true }],
        },
    },
    {
        ...show,
        shown: {
            kind: 'finished',
            outputs: [{ key: 'p/1', name: 'p', rows: 2, columns: [column], difference: { added: 1, removed: 1, changed: 0 } }],
            facts: 9,
            milliseconds: 1.5,
            notices: [],
            parameters: [],
            kept: 5,
            compared: {
                before: 4,
                after: 5,
                difference: {
                    changes: [
                        { kind: 'parameter', name: 'majority', after: '80' },
                        { kind: 'changed', before: 'p(1).', after: 'p(2).', module: 'm.rulelang' },
                        { kind: 'clauses', subject: 'p', added: 12, removed: 0, changed: 14 },
                    ],
                    sources: [
                        { name: 'own.csv', kind: 'changed', before: 3, after: 4 },
                        { name: 'shop', kind: 'unknown' },
                    ],
                    known: true,
                },
            },
        },
    },
    {
        ...show,
        shown: {
            kind: 'failed',
            milliseconds: 2,
            notices: [
                { code: 'RL1001', severity: 'error', message: 'no', details: ['p(1)'], source: { file: 'a.csv', line: 2 } },
                { code: 'RT064', severity: 'error', message: 'no', bound: { type: 'csv', name: 'a.csv' } },
            ],
        },
    },
    { ...show, shown: { kind: 'stopped', milliseconds: 2 } },
    { ...show, shown: { kind: 'crashed', message: 'gone' } },
    { ...show, shown: { kind: 'gone' } },
    { ...show, shown: { kind: 'none' }, withoutModels: true },
    { kind: 'stale', stale: true },
    { kind: 'density', density: 'comfortable' },
    { kind: 'act', action: 'explain' },
    { kind: 'answer', request: 1, result: { rows: 1 } },
    { kind: 'refusal', request: 1, message: 'no' },
    { kind: 'open', view, row: 0 },
    { kind: 'missing', question: 'p("a", _)' },
];

describe.each([
    ['from the view', FROM_VIEW, RESULTS.fromView],
    ['from the host', FROM_HOST, RESULTS.fromHost],
] as const)('messages %s', (_, messages, check) => {
    test.each(messages.map(message => [message.kind, message] as const))('%s is understood', (_kind, message) => {
        expect(check(message)).toBe(true);
    });

    test.each(messages.map(message => [message.kind, message] as const))('%s with anything else in it is dropped', (_kind, message) => {
        expect(check({ ...message, path: '/etc/passwd' })).toBe(false);
        expect(check({ ...message, command: 'workbench.action.terminal.new' })).toBe(false);
        if ('params' in message) expect(check({ ...message, params: { ...message.params, path: '/etc/passwd' } })).toBe(false);
        for (const name of Object.keys(message)) {
            expect(check({ ...message, [name]: { toString: 'x' } }), name).toBe(name === 'result' && 'result' in message);
            const { [name]: _left, ...rest } = message as Record<string, unknown>;
            const mayLack = ['derivation', 'sets', 'withoutModels'].includes(name) || (name === 'row' && message.kind === 'open');
            expect(check(rest), `without ${name}`).toBe(mayLack);
        }
    });
});

test('hostile messages are dropped', () => {
    const wrong = [
        undefined,
        null,
        'ready',
        [],
        { kind: 'run', uri: 'file:///etc/passwd' },
        ask('rulelang/page', { run: 1, view: { output: 'p/1', sort: [{ column: -1, descending: true }] }, offset: 0, limit: 1 }),
        ask('rulelang/page', { run: 1, view: { output: 'p/1' }, offset: Number.NaN, limit: 1 }),
        ask('rulelang/page', { run: 1, node: 4, all: true }),
        ask('rulelang/export', { run: 1, view, format: 'sh' }),
        ask('rulelang/export', { run: 1, view, format: 'csv', uri: 'file:///etc/passwd' }),
        ask('rulelang/cell', { run: 1.5, view, row: 0, column: 0 }),
        ask('rulelang/close', { run: 1 }),
        ask('toString', { run: 1 }),
        { kind: 'picture', name: 'p', format: 'html', content: new Uint8Array(1) },
        { kind: 'picture', name: 'p', format: 'svg', content: '<svg/>' },
        JSON.parse('{ "kind": "ready", "__proto__": { "kind": "stop" } }'),
    ];
    for (const message of wrong) expect(RESULTS.fromView(message), JSON.stringify(message)).toBe(false);
});

test('a request that asks too much has a number, by which it is refused', () => {
    const filters = Array.from({ length: 300 }, () => ({ column: 0, condition: { kind: 'contains', text: 'a' } }));
    const large = { ...ask('rulelang/page', { run: 1, view: { ...view, filters }, offset: 0, limit: 1 }), request: 7 };
    expect([RESULTS.fromView(large), requestIn(large)]).toEqual([false, 7]);
    expect([{ kind: 'ready' }, { kind: 'ask', request: -1 }, 'ask', null].map(requestIn)).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
    ]);
});

test('answers of the run process are checked', () => {
    const page = {
        rows: 3,
        matching: 3,
        offset: 0,
        cells: [
            ['a', { null: 'z1' }],
            [{ text: 'ab', length: 900 }, ''],
        ],
    };
    expect(isResultPage(page)).toBe(true);
    expect(isResultPage({ ...page, cells: [[1]] })).toBe(false);
    expect(isResultPage({ ...page, cells: [[{ null: 'z1', html: '<b>' }]] })).toBe(false);
    const fact = { node: 0, kind: 'fact', text: 'p(1)', verbalization: '', deferred: false, expandable: true };
    const derivation = { rule: 'p(X) <- q(X)', place: 'a:1', premises: [{ ...fact, origin: { label: 'a.csv:2', kind: 'source' } }] };
    expect(isExplanation({ fact, derivations: [derivation], words: 'because' })).toBe(true);
    expect(isExplanation({ fact, derivations: [{ ...derivation, uri: 'file:///x' }], words: '' })).toBe(false);
});

test('answers about missing facts are checked', () => {
    const fact = { node: 0, kind: 'fact', text: 'p(1)', verbalization: '', deferred: false, expandable: true };
    const place = { node: 1, label: 'a.rulelang:3', kind: 'clause' };
    const lack = { words: 'X > 3 does not hold', places: [place], near: [{ words: 'p(2)', place }], node: 5 };
    const reason = { rule: { text: 'q(X) <- p(X)', place }, holds: [{ text: 'p(1)', note: '2 matches', fact }], lacks: [lack] };
    const absence = { fact: 'q(_)', kind: 'empty', reasons: [reason, { holds: [], lacks: [] }], limits: ['the search ended'] };
    expect(isAbsence(absence)).toBe(true);
    expect(isAbsence({ ...absence, kind: 'gone' })).toBe(false);
    expect(isAbsence({ ...absence, reasons: [{ ...reason, lacks: [{ ...lack, places: [{ ...place, uri: 'file:///x' }] }] }] })).toBe(false);
    expect(isWhyNotAnswer({ kind: 'absent', absence, first: { words: 'X > 3', places: [place] } })).toBe(true);
    expect(isWhyNotAnswer({ kind: 'absent', absence })).toBe(true);
    expect(isWhyNotAnswer({ kind: 'present', facts: [fact], count: 1 })).toBe(true);
    expect(isWhyNotAnswer({ kind: 'present', absence })).toBe(false);
});

test('a question about a missing row takes what filters say that columns equal', () => {
    const columns = (['text', 'number', 'boolean', 'time', 'collection'] as const).map(shape => ({ name: shape, type: shape, shape }));
    const output = { key: 'p/5', name: 'p', rows: 0, columns };
    const equals = (column: number, value: string) => ({ column, operator: 'equals', value }) as const;
    expect(missingQuestion(output)).toBe('p(_, _, _, _, _)');
    const all = [equals(0, 'a "b"'), equals(1, '-2.5'), equals(2, 'true'), equals(3, '2024-01-31'), equals(4, '[1]')];
    expect(missingQuestion(output, all)).toBe(String.raw`p("a \"b\"", -2.5, #T, 2024-01-31, _)`);
    expect(missingQuestion(output, [{ column: 0, operator: 'contains', value: 'a' }])).toBe('p(_, _, _, _, _)');
});

test('a saved state of another version is forgotten', () => {
    const state = { panel: 'a', filterRow: true, outputs: [] };
    expect(readViewState(state)).toEqual(state);
    expect(readViewState({ ...state, outputs: [{ output: 'p/1' }] })).toBeUndefined();
    expect(readViewState('x')).toBeUndefined();
});
