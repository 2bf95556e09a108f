import { afterAll, beforeAll, expect, test } from 'vitest';
import { rulelang } from '../cli/command-line.ts';
import { type ModelServer, startModelServer } from '../model/model-server.ts';
import { callsTo } from './calls.ts';
import { type Services, startServices } from './services.ts';

let services: Services;
let server: ModelServer;
const { post, data } = callsTo(() => services);

beforeAll(async () => {
    server = await startModelServer();
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'p', name: 'p' } }));
    await data(post('/concepts/p/save', { definition: 'town("Riga", 600). town("Narva", -5). town("Tartu", 90). @output("town").' }));
});
afterAll(async () => {
    expect(await services.stop()).toBe(0);
    await server.stop();
});

test('stored rows are checked against a rule in words', async () => {
    const asked = { concept_name: 'town', rule: 'No town has a negative number of people.' };
    expect((await post('/concepts/p/validate', asked)).body.code).toBe('llm_not_configured');
    await data(post('/users/save-config', { config_data: { LLM_BASE_URL: server.baseUrl } }));
    expect((await post('/concepts/p/validate', asked)).body.code).toBe('results_not_found');
    await data(post('/concepts/p/run/town', {}));
    const objections = [
        { row: 1, reason: 'It is negative' },
        { row: 7, reason: 'There is none' },
    ];
    server.script({ text: [JSON.stringify({ objections })] });
    expect(await data(post('/concepts/p/validate', { ...asked, limit: 2 }))).toMatchObject({
        model: 'default',
        columns: ['town_0', 'town_1'],
        count: 3,
        checked: 2,
        objections: [{ row: 0, values: ['Narva', -5], reason: 'It is negative' }],
        dropped: 1,
    });
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain('Narva');
    expect(sent).not.toContain('Tartu');
});

test('by who may change the project, with a rule and at most 1,000 rows', async () => {
    const viewer = (await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer'])).stdout.trim();
    const asked = { concept_name: 'town', rule: 'r' };
    expect((await post('/concepts/p/validate', asked, { token: viewer })).body.code).toBe('forbidden');
    for (const more of [{ rule: '' }, { limit: 1001 }, { limit: 0 }])
        expect((await post('/concepts/p/validate', { ...asked, ...more })).body.code).toBe('validation_error');
});
