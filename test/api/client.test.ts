import { fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
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

    test('knows projects, concepts and dashboards', async () => {
        const client = platformClient({ baseUrl: services.base, token: services.token, fetch });
        const { project_id } = await client.saveProject({ body: { project: { name: 'One' } } });
        const path = { project_id };
        await client.saveConcept({ path, body: { definition: 'a(1).', concept_name: 'a' } });
        expect((await client.listConcepts({ path })).map(({ concept_name, scope }) => [concept_name, scope])).toEqual([['a', 'user']]);
        const { id: dashboard_id } = await client.saveDashboard({ path, body: { dashboard: { name: 'D', definition: { x: 1 } } } });
        expect((await client.getDashboard({ path: { project_id, dashboard_id } })).definition).toEqual({ x: 1 });
        await client.deleteDashboard({ path: { project_id, dashboard_id } });
        const gone = client.getDashboard({ path: { project_id, dashboard_id } });
        await expect(gone).rejects.toMatchObject({ status: 404, code: 'dashboard_not_found', details: { dashboard_id, project_id } });
        expect(await client.cleanupProjects({ body: { project: { id: project_id } } })).toEqual({ deleted: [project_id], not_found: [] });
    });

    test('tells what is wrong by code', async () => {
        const client = platformClient({ baseUrl: services.base, token: services.token, fetch });
        await expect(client.analyze({ body: { program: 'a(' } })).rejects.toMatchObject({ status: 422, code: 'program_invalid' });
        await expect(client.evaluateWithParams({ body: { program: 'a(' } })).rejects.toBeInstanceOf(PlatformError);
    });
});

test('docs/openapi.json says what the routes are (npm run generate writes it)', async () => {
    await expect(openApiText()).toMatchFileSnapshot('../../docs/openapi.json');
});
