import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo, V1 } from './calls.ts';
import { type Answered, type Services, startServices } from './services.ts';

let services: Services;
const { call, post, get, data } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'p', name: 'One' } }));
    await data(post('/projects/save', { project: { id: 'q', name: 'Two' } }));
    await data(post('/projects/save', { project: { id: 'o', name: 'Three', scope: 'organization' } }));
});
afterAll(() => services.stop());

interface Dashboard {
    readonly id: string;
    readonly project_id: string;
    readonly name: string;
    readonly created_at: string;
    readonly updated_at: string;
    readonly definition?: unknown;
}

const save = async (project: string, dashboard: object, more: object = {}): Promise<string> =>
    (await data<{ id: string }>(post(`/dashboards/${project}/save`, { dashboard, ...more }))).id;
const load = (project: string, id: string): Promise<Dashboard> => data(get(`/dashboards/${project}/${id}`));
const remove = (project: string, id: string, scope = 'user'): Promise<Answered> =>
    call('DELETE', `${V1}/dashboards/${project}/${id}?scope=${scope}`);

test('one is made, read, changed and deleted', async () => {
    const definition = { tiles: [{ concept: 'big_city', z: 1, a: [null, true, 1.5, 'ü'] }], b: {}, a: [] };
    const { status, body } = await post('/dashboards/p/save', { dashboard: { name: 'Sales', definition } });
    const { id } = body.data as Dashboard;
    expect([status, body.message, body.data]).toEqual([200, 'Dashboard saved', { id: expect.stringMatching(/^[0-9a-f-]{36}$/u) }]);
    const made = await get(`/dashboards/p/${id}`);
    const first = made.body.data as Dashboard;
    expect(made.body.message).toBe('Dashboard retrieved');
    expect(first).toEqual({ id, project_id: 'p', name: 'Sales', created_at: first.created_at, updated_at: first.created_at, definition });
    expect(made.text).toContain(JSON.stringify(definition));
    expect(await save('p', { id, name: null, definition: { x: 1 } })).toBe(id);
    const second = await load('p', id);
    expect(second).toMatchObject({ name: 'Sales', definition: { x: 1 }, created_at: first.created_at });
    await save('p', { id, name: 'Other' });
    const third = await load('p', id);
    expect(third).toMatchObject({ name: 'Other', definition: { x: 1 } });
    expect(first.updated_at < second.updated_at && second.updated_at < third.updated_at).toBe(true);
    const gone = await remove('p', id);
    expect([gone.status, gone.body.message, gone.body.data]).toEqual([200, 'Dashboard deleted', { id }]);
    for (const again of [
        await remove('p', id),
        await get(`/dashboards/p/${id}`),
        await post('/dashboards/p/save', { dashboard: { id, name: 'x' } }),
    ])
        expect([again.status, again.body.code, again.body.message]).toEqual([
            404,
            'dashboard_not_found',
            `Dashboard '${id}' does not exist in project 'p'`,
        ]);
});

test('lists have no definitions, and the oldest first', async () => {
    const ids = [
        await save('q', { name: 'same' }),
        await save('q', { name: 'same', definition: { a: 1 } }),
        await save('p', { name: 'x' }),
    ];
    const other = await save('o', { name: 'y' }, { scope: 'organization' });
    const all = await get('/dashboards/list');
    expect(all.body.message).toBe('All dashboards listed');
    expect((all.body.data as Dashboard[]).map(({ id }) => id)).toEqual(ids);
    expect(Object.keys((all.body.data as Dashboard[])[0] ?? {})).toEqual(['id', 'project_id', 'name', 'created_at', 'updated_at']);
    const some = await get('/dashboards/q/list');
    expect(some.body.message).toBe('Dashboards listed');
    expect(some.body.data).toEqual((all.body.data as Dashboard[]).slice(0, 2));
    expect((await data<Dashboard[]>(get('/dashboards/list?scope=organization'))).map(({ id }) => id)).toEqual([other]);
    await save('q', { id: ids[0], name: 'later' });
    expect((await data<Dashboard[]>(get('/dashboards/q/list'))).map(({ id }) => id)).toEqual(ids.slice(0, 2));
});

test('a dashboard belongs to one project and one scope', async () => {
    const id = await save('p', { name: 'mine' });
    const foreign = [
        await get(`/dashboards/q/${id}`),
        await remove('q', id),
        await post('/dashboards/q/save', { dashboard: { id } }),
        await get(`/dashboards/p/no-uuid`),
    ];
    for (const { status, body } of foreign) expect([status, body.code]).toEqual([404, 'dashboard_not_found']);
    const nowhere = [
        await get('/dashboards/o/list'),
        await get('/dashboards/nope/list'),
        await get(`/dashboards/p/${id}?scope=organization`),
        await remove('p', id, 'organization'),
        await post('/dashboards/nope/save', { dashboard: { name: 'x' } }),
        await post('/dashboards/p/save', { dashboard: { id, name: 'x' }, scope: 'organization' }),
    ];
    for (const { status, body } of nowhere) expect([status, body.code]).toEqual([404, 'project_not_found']);
    expect((await get('/dashboards/list?scope=x')).body.code).toBe('invalid_scope');
});

test.each([
    [{}, 'dashboard', 'missing'],
    [{ dashboard: 5 }, 'dashboard', 'wrong_type'],
    [{ dashboard: {} }, 'dashboard.name', 'missing'],
    [{ dashboard: { name: '' } }, 'dashboard.name', 'missing'],
    [{ dashboard: { name: 'x'.repeat(201) } }, 'dashboard.name', 'too_long'],
    [{ dashboard: { name: 'x', definition: [] } }, 'dashboard.definition', 'wrong_type'],
    [{ dashboard: { name: 'x', definition: 'x' } }, 'dashboard.definition', 'wrong_type'],
    [{ dashboard: { name: 'x', id: 5 } }, 'dashboard.id', 'wrong_type'],
])('%j is refused', async (body, path, issue) => {
    const { status, body: answer } = await post('/dashboards/p/save', body);
    expect([status, answer.code, answer.details?.fields?.map(field => [field.path, field.issue])]).toEqual([
        400,
        'validation_error',
        [[path, issue]],
    ]);
});

test('a definition has at most a mebibyte', async () => {
    const frame = JSON.stringify({ t: '' }).length;
    const id = await save('p', { name: 'full', definition: { t: 'x'.repeat(1024 * 1024 - frame) } });
    expect(JSON.stringify((await load('p', id)).definition)).toHaveLength(1024 * 1024);
    const { status, body } = await post('/dashboards/p/save', { dashboard: { id, definition: { t: 'x'.repeat(1024 * 1024) } } });
    expect([status, body.code, body.message]).toEqual([413, 'payload_too_large', 'dashboard.definition exceeds 1048576 bytes']);
});

test('a body that comes with a deletion is not looked at', async () => {
    const id = await save('p', { name: 'x' });
    const { status } = await call('DELETE', `${V1}/dashboards/p/${id}`, { text: '{broken', headers: { 'content-type': 'text/plain' } });
    expect(status).toBe(200);
    expect((await call('DELETE', `${V1}/dashboards/p/list`)).status).toBe(405);
});

test('tiles show a concept under its new name, and all else stays as it is written', async () => {
    await data(post('/concepts/p/save', { concept_name: 'sold', definition: 'sold(X) <- X = 1.' }));
    const definition =
        '{"tiles":[{"kind":"rows","concept":"sold"},{"kind":"text","text":"sold"},{"concept":"other","z":1.50}],"concept":"sold"}';
    const id = await save('p', { name: 'Renamed', definition: JSON.parse(definition) });
    const other = await save('p', { name: 'Other', definition: { tiles: [{ concept: 'other' }] } });
    const [before, unchanged] = [await load('p', id), await load('p', other)];
    await data(post('/concepts/p/rename', { name: 'sold', new_name: 'sales' }));
    const after = await load('p', id);
    expect(after.definition).toEqual({
        tiles: [
            { kind: 'rows', concept: 'sales' },
            { kind: 'text', text: 'sold' },
            { concept: 'other', z: 1.5 },
        ],
        concept: 'sold',
    });
    expect(before.updated_at < after.updated_at).toBe(true);
    expect(await load('p', other)).toEqual(unchanged);
});
