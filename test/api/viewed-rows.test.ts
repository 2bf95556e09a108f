import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from './calls.ts';
import { type Answered, type Services, startServices } from './services.ts';

let services: Services;
const { post, get, data } = callsTo(() => services);

interface Viewed {
    readonly execution_id: string;
    readonly columns: readonly string[];
    readonly types: readonly string[];
    readonly count: number;
    readonly matching: number;
    readonly numbers: readonly number[];
    readonly rows: readonly unknown[][];
}

const asked = (concept: string, query: Record<string, string | number | object> = {}): Promise<Answered> => {
    const params = new URLSearchParams({ concept_name: concept });
    for (const [name, value] of Object.entries(query)) params.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    return get(`/concepts/p/rows?${params}`);
};
const viewed = (concept: string, query: Record<string, string | number | object> = {}): Promise<Viewed> => data(asked(concept, query));
const MANY = 30_000;

beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'p', name: 'One' } }));
    const rows = [
        'v(1, "Rome", 2024-01-05, [1, "a"]).',
        'v(2, "ROMA", 2024-02-05, [2]).',
        'v(10, "Pisa", 2023-12-31, []).',
        'v(2.5, "été", 2024-01-05, [3]).',
        'v(1000, "a\\"b", 2025-01-01, [4]).',
        'v(-3, "=1+1", 2025-01-02, [5]).',
        'w(X, Y, D, L, N) :- v(X, Y, D, L).',
        '@output("w").',
    ];
    await data(post('/concepts/p/save', { definition: rows.join('\n') }));
    await data(post('/concepts/p/run/w', {}));
    await data(
        post('/concepts/p/save', {
            definition: `n(0). n(Y) :- n(X), Y = X + 1, Y < ${MANY}. many(X, Y) :- n(X), Y = ${MANY} - X. @output("many").`,
        }),
    );
    await data(post('/concepts/p/run/many', {}));
});
afterAll(() => services.stop());

describe('stored rows are looked at', () => {
    test('with their numbers, and nulls that have one name in all answers', async () => {
        const whole = await viewed('w');
        expect(whole).toMatchObject({ count: 6, matching: 6, numbers: [0, 1, 2, 3, 4, 5] });
        expect(whole.rows.map(row => row[0])).toEqual([-3, 1, 2, 2.5, 10, 1000]);
        expect(new Set(whole.rows.map(row => row[4])).size).toBe(6);
        const turned = await viewed('w', { order_by: '0:desc', offset: 1, limit: 2 });
        expect(turned).toMatchObject({ numbers: [4, 3], execution_id: whole.execution_id, matching: 6 });
        expect(turned.rows).toEqual([whole.rows[4], whole.rows[3]]);
        expect((await viewed('w', { offset: 6 })).rows).toEqual([]);
    });

    test.each([
        ['equals', 0, '2', [2]],
        ['equals', 0, '2.0', [2]],
        ['equals', 0, 'x', []],
        ['differs', 0, '2', [-3, 1, 2.5, 10, 1000]],
        ['less', 0, '2', [-3, 1]],
        ['greater', 0, '2.5', [10, 1000]],
        ['greater', 0, 'Pisa', []],
        ['contains', 0, '0', [10, 1000]],
        ['starts', 0, '2', [2, 2.5]],
        ['contains', 1, 'rom', [1, 2]],
        ['starts', 1, 'É', [2.5]],
        ['equals', 1, 'Rome', [1]],
        ['equals', 1, 'a"b', [1000]],
        ['equals', 1, '=1+1', [-3]],
        ['greater', 1, 'Rom', [1, 2.5, 1000]],
        ['equals', 2, '2024-01-05', [1, 2.5]],
        ['less', 2, '2024-01-05', [10]],
        ['greater', 2, '2024-12-31', [-3, 1000]],
        ['contains', 2, '2024', [1, 2, 2.5]],
        ['equals', 3, '[2]', [2]],
        ['contains', 3, '"a"', [1]],
        ['unknown', 4, '', [-3, 1, 2, 2.5, 10, 1000]],
        ['known', 4, '', []],
        ['contains', 4, 'n', []],
        ['unknown', 0, '', []],
        ['atMost', 0, '2', [-3, 1, 2]],
        ['atLeast', 0, '2.5', [2.5, 10, 1000]],
        ['atLeast', 2, '2025-01-01', [-3, 1000]],
        ['lacks', 1, 'rom', [-3, 2.5, 10, 1000]],
        ['ends', 1, 'E', [1]],
        ['matches', 1, '^R[oO]', [1, 2]],
        ['missing', 4, '', []],
        ['labelled', 4, '', [-3, 1, 2, 2.5, 10, 1000]],
        ['labelled', 4, 'z2', [1]],
    ])('that %s in column %d: %s', async (operator, column, value, expected) => {
        const found = await viewed('w', { filters: [{ column, operator, value }] });
        expect(found.rows.map(row => row[0])).toEqual(expected);
        expect([found.matching, found.count]).toEqual([expected.length, 6]);
    });

    test('exactly, though a double could not tell them apart', async () => {
        await data(post('/concepts/p/save', { definition: 'big(9007199254740992). big(9007199254740993). @output("big").' }));
        await data(post('/concepts/p/run/big', {}));
        const found = (operator: string, value: string) => viewed('big', { filters: [{ column: 0, operator, value }] });
        expect((await found('equals', '9007199254740993')).rows).toEqual([['9007199254740993']]);
        expect((await found('less', '9007199254740993')).rows).toEqual([['9007199254740992']]);
        expect((await found('greater', '9007199254740992.0')).rows).toEqual([['9007199254740993']]);
    });

    test('that pass all filters and the search, in an order', async () => {
        const filters = [{ column: 2, operator: 'greater', value: '2024-01-01' }];
        const found = await viewed('w', { filters, search: 'ROM', order_by: '0:desc' });
        expect([found.numbers, found.rows.map(row => row[1])]).toEqual([
            [2, 1],
            ['ROMA', 'Rome'],
        ]);
        expect((await viewed('w', { search: '2024-01-05' })).matching).toBe(2);
        expect((await viewed('w', { search: '', filters: '' })).matching).toBe(6);
    });

    test('among many, page by page', async () => {
        const filters = [{ column: 0, operator: 'contains', value: '99' }];
        const numbers = Array.from({ length: MANY }, (_, i) => i).filter(i => String(i).includes('99'));
        const found = await viewed('many', { filters, order_by: '1', offset: 100, limit: 50 });
        expect([found.matching, found.numbers]).toEqual([numbers.length, numbers.toReversed().slice(100, 150)]);
        expect(found.rows.map(row => row[0])).toEqual(found.numbers);
        expect((await viewed('many', { filters, limit: 3 })).numbers).toEqual(numbers.slice(0, 3));
        expect((await viewed('many', { order_by: '0:desc', offset: 25_000, limit: 2 })).numbers).toEqual([4999, 4998]);
    });
});

test('a later run is seen at once', async () => {
    const filters = [{ column: 0, operator: 'less', value: '3' }];
    await data(post('/concepts/p/save', { definition: 'few(1). few(5). @output("few").' }));
    await data(post('/concepts/p/run/few', {}));
    const before = await viewed('few', { filters });
    await data(post('/concepts/p/save', { definition: 'few(1). few(2). few(5). @output("few").' }));
    expect(await viewed('few', { filters })).toEqual(before);
    await data(post('/concepts/p/run/few', {}));
    const after = await viewed('few', { filters });
    expect(after.rows).toEqual([[1], [2]]);
    expect(after.execution_id).not.toBe(before.execution_id);
});

test.each([
    ['filters', '{'],
    ['filters', '{}'],
    ['filters', [{ column: 5, operator: 'equals', value: '' }]],
    ['filters', [{ column: 0, operator: 'like', value: '' }]],
    ['filters', [{ column: 0, operator: 'equals' }]],
    ['filters', [{ column: 1, operator: 'matches', value: '(' }]],
    ['filters', [{ column: 1, operator: 'matches', value: '(?=a)b' }]],
    ['filters', Array.from({ length: 101 }, () => ({ column: 0, operator: 'known', value: '' }))],
    ['limit', '1001'],
])('%s cannot be %j', async (name, value) => {
    expect((await asked('w', { [name]: value })).body).toMatchObject({ code: 'validation_error', details: { fields: [{ path: name }] } });
});

test('orders and concepts that are not there', async () => {
    expect((await asked('w', { order_by: 'nowhere' })).body.code).toBe('invalid_order_by');
    expect((await asked('nowhere')).body.code).toBe('concept_not_found');
    await data(post('/concepts/p/save', { definition: 'never(1). @output("never").' }));
    expect((await asked('never')).body.code).toBe('results_not_found');
});
