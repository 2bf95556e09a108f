import { fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlatformError, platformClient } from '#server/client/platform-client.ts';
import { openApiText } from '#server/protocol/platform/open-api.ts';
import { type Services, startServices } from './services.ts';

let services: Services;

beforeAll(async () => {
    services = await startServices();
});
afterAll(() => services.stop());

describe('the client', () => {
    test('speaks with any fetch', async () => {
        for (const fetching of [fetch, undiciFetch as unknown as typeof fetch]) {
            const client = platformClient({ baseUrl: services.base, token: services.token, fetch: fetching });
            expect(await client.getRole({})).toEqual({ role: 'user' });
            expect((await client.analyze({ body: { program: 'a(X) :- b(X).', conceptType: null } })).inputPredicates).toEqual(['b']);
            expect((await client.evaluate({ body: { program: 'a(1). @output("a").' } })).resultSet).toEqual({ a: [[1]] });
            expect((await client.evaluateWithParams({ body: { program: 'a("&="). @output("a").' } })).resultSet).toEqual({ a: [['&=']] });
            expect((await client.loadConfig({ query: { scope: 'organization' } })).LLM_TEMPERATURE).toBe(0.5);
        }
    });

    test('tells what is wrong by code', async () => {
        const client = platformClient({ baseUrl: services.base, token: services.token, fetch });
        await expect(client.analyze({ body: { program: 'a(' } })).rejects.toMatchObject({ status: 422, code: 'program_invalid' });
        await expect(client.evaluateWithParams({ body: { program: 'a(' } })).rejects.toBeInstanceOf(PlatformError);
    });
});

test('docs/openapi.json says what the routes are (node scripts/generate-openapi.mjs writes it)', async () => {
    await expect(openApiText()).toMatchFileSnapshot('../../docs/openapi.json');
});
