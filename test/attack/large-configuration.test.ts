import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Answered, type Services, startServices } from '../api/services.ts';

let services: Services;
const { post, get } = callsTo(() => services);
beforeAll(async () => {
    services = await startServices();
});
afterAll(() => services.stop());

const save = (config_data: object): Promise<Answered> => post('/users/save-config', { config_data });
const keys = (prefix: string, count: number, value: unknown = 1): object =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, value]));

test.each([
    ['three hundred thousand keys', keys('k', 300_000), 'Request body exceeds 2097152 bytes'],
    ['a thousand keys and one', keys('k', 1001), 'The configuration exceeds 1000 keys'],
    ['too much in all', keys('k', 20, 'x'.repeat(60_000)), 'The configuration exceeds 1048576 bytes'],
])('%s are refused, and nothing is kept', async (_, config, message) => {
    const { status, body } = await save(config);
    expect([status, body.code, body.message]).toEqual([413, 'payload_too_large', message]);
    expect((await get('/users/load-config')).body.data).not.toHaveProperty('k0');
});

test('what is there counts, and what makes it smaller is saved', async () => {
    expect((await save(keys('a', 1000))).status).toBe(200);
    expect((await save({ b: 1 })).status).toBe(413);
    expect((await save({ a0: 2 })).status).toBe(200);
    expect((await save(keys('a', 10, 'x'.repeat(60_000)))).status).toBe(200);
    expect((await save(keys('a', 20, 'x'.repeat(60_000)))).status).toBe(413);
    expect((await get('/users/load-config')).body.data).toMatchObject({ a0: 'x'.repeat(60_000), a11: 1 });
});
