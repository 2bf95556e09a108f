import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformClient } from '#server/client/platform-client.ts';
import { rulelang } from '../cli/command-line.ts';
import { type Answered, answered, type Services, startServices } from './services.ts';

const NO_KEY =
    'No LLM is configured: LLM_API_KEY has no value; set it to your key for chat-completions, or LLM_BASE_URL to a server on this machine';
let services: Services;
let viewer: string;

beforeAll(async () => {
    services = await startServices();
    viewer = (await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer'])).stdout.trim();
    for (const [id, scope] of [
        ['p1', 'user'],
        ['p2', 'organization'],
    ])
        expect((await post('/projects/save', { project: { id, scope, name: id } })).status).toBe(200);
});
afterAll(async () => expect(await services.stop()).toBe(0));

const post = async (path: string, body: unknown, token = services.token): Promise<Answered> =>
    answered(
        await fetch(`${services.base}/api/v1${path}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify(body),
        }),
    );

describe('the agent without a model', () => {
    test('says so in a stream of two lines', async () => {
        const found = await post('/agent/p1/chat', { message: 'hello', session_id: null, model: 'm' });
        expect(found.status).toBe(200);
        expect(found.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
        expect([found.headers.get('cache-control'), found.headers.get('x-accel-buffering')]).toEqual(['no-store', 'no']);
        expect(found.headers.get('access-control-allow-origin')).toBe('*');
        expect(found.text.endsWith('}\n')).toBe(true);
        expect(
            found.text
                .trimEnd()
                .split('\n')
                .map(line => JSON.parse(line)),
        ).toEqual([
            { type: 'metadata', data: { project_id: 'p1', model: null, context_loaded: false } },
            { type: 'error', data: { code: 'llm_not_configured', message: NO_KEY } },
        ]);
        const client = platformClient({ baseUrl: services.base, token: services.token, fetch });
        const lines = await client.chat({ path: { project_id: 'p2' }, body: { message: 'hello' } });
        expect(lines.map(({ type }) => type)).toEqual(['metadata', 'error']);
    });

    test('forgets a session', async () => {
        const reset = (session_id?: string): Promise<Answered> => post('/agent/p1/reset', { session_id });
        await post('/agent/p1/chat', { message: 'hello', session_id: 's' });
        await post('/agent/p2/chat', { message: 'hello', session_id: 's' });
        expect((await reset('s')).body).toEqual({
            data: { session_id: 's', cleared: true, messages_removed: 2 },
            message: 'Session reset',
            status: 'success',
        });
        expect((await reset('s')).body.data).toEqual({ session_id: 's', cleared: false, messages_removed: 0 });
        expect((await reset()).body.data).toMatchObject({ session_id: 'default', cleared: true });
    });

    test.each([
        ['chat', {}, 400, 'validation_error'],
        ['chat', { message: ' ' }, 400, 'validation_error'],
        ['chat', { message: 'a', session_id: 'x'.repeat(129) }, 400, 'validation_error'],
        ['chat', { message: 'a', session_id: '' }, 400, 'validation_error'],
        ['chat', { message: 'a', model: 1 }, 400, 'validation_error'],
        ['chat', { message: 'x'.repeat(32 * 1024 + 1) }, 413, 'payload_too_large'],
        ['chat', { message: 'x'.repeat(32 * 1024) }, 200, undefined],
        ['reset', { session_id: 1 }, 400, 'validation_error'],
    ])('%s of %j answers %d', async (call, body, status, code) => {
        const found = await post(`/agent/p1/${call}`, body);
        expect([found.status, found.body.code]).toEqual([status, code]);
    });

    test('a project that is not there, and a viewer', async () => {
        for (const call of ['chat', 'reset']) {
            const found = await post(`/agent/nowhere/${call}`, { message: 'hello' });
            expect([found.status, found.body.code]).toEqual([404, 'project_not_found']);
            expect((await post(`/agent/p1/${call}`, { message: 'hello' }, viewer)).body.code).toBe('forbidden');
        }
        expect((await post('/agent/nowhere/chat', {})).body.code).toBe('validation_error');
    });
});

const OWL = { owl_content: '<http://e.org/a> a <http://www.w3.org/2002/07/owl#Class> .', base_namespace: 'http://e.org/' };

describe('translations without a model', () => {
    const translate = (kind: string, body: unknown, project = 'p1'): Promise<Answered> =>
        post(`/rulelingo/${project}/translate/${kind}`, body);

    test('a text needs one, after its fields and its project', async () => {
        const found = await translate('nl-to-rulelang', { domain_knowledge: 'large cities of @city' });
        expect([found.status, found.body.code, found.body.message]).toEqual([503, 'llm_not_configured', NO_KEY]);
        expect((await translate('nl-to-rulelang', { domain_knowledge: 'x' }, 'nowhere')).body.code).toBe('project_not_found');
        expect((await translate('nl-to-rulelang', {}, 'nowhere')).body.code).toBe('validation_error');
    });

    test.each([
        ['nl-to-rulelang', { domain_knowledge: '' }, 400, 'validation_error'],
        ['nl-to-rulelang', { domain_knowledge: 'x'.repeat(5 * 1024 * 1024 + 1) }, 413, 'payload_too_large'],
        ['sql-to-rulelang', { sql_data: 5 }, 400, 'validation_error'],
        ['sql-to-rulelang', { sql_data: 'selct 1' }, 422, 'sql_invalid'],
        ['sql-to-rulelang', { sql_data: 'delete from t' }, 422, 'sql_invalid'],
        ['rdf-to-rulelang', {}, 400, 'validation_error'],
        ['owl-to-rulelang', {}, 400, 'validation_error'],
        ['owl-to-rulelang', { ...OWL, base_namespace: 'e.org' }, 400, 'validation_error'],
        ['owl-to-rulelang', { ...OWL, base_namespace: 'http://e.org/ x' }, 400, 'validation_error'],
        ['owl-to-rulelang', { ...OWL, data_base_path: '/tmp' }, 400, 'validation_error'],
        ['owl-to-rulelang', { ...OWL, data_base_path: 'a/../../b' }, 400, 'validation_error'],
        ['owl-to-rulelang', { ...OWL, data_base_path: '..' }, 400, 'validation_error'],
        ['owl-to-rulelang', { ...OWL, data_base_path: 'C:\\x' }, 400, 'validation_error'],
        ['owl-to-rulelang', { ...OWL, data_base_path: '\\\\host\\x' }, 400, 'validation_error'],
        ['owl-to-rulelang', { ...OWL, add_concepts: 'yes' }, 400, 'validation_error'],
        ['owl-to-rulelang', { ...OWL, options: { include_schema: 1 } }, 400, 'validation_error'],
        ['xml-to-rulelang', {}, 404, 'route_not_found'],
        ['NL-to-rulelang', { domain_knowledge: 'x' }, 404, 'route_not_found'],
        ['nl-to-rulelang/', { domain_knowledge: 'x' }, 404, 'route_not_found'],
    ])('%s of %.60j answers %d', async (kind, body, status, code) => {
        const found = await translate(kind, body);
        expect([found.status, found.body.code, found.body.data]).toEqual([status, code, null]);
    });

    test('every field that is wrong is named', async () => {
        const body = { owl_content: 1, base_namespace: 'x', options: { include_imports: 'a', include_not_rules: 'b' } };
        expect((await translate('owl-to-rulelang', body)).body.details?.fields?.map(({ path, issue }) => `${path} ${issue}`)).toEqual([
            'owl_content wrong_type',
            'base_namespace bad_format',
            'options.include_imports wrong_type',
            'options.include_not_rules wrong_type',
        ]);
    });

    test('a viewer translates nothing', async () => {
        expect((await post('/rulelingo/p1/translate/rdf-to-rulelang', {}, viewer)).body.code).toBe('forbidden');
    });

    test('a place in SQL', async () => {
        const { body } = await translate('sql-to-rulelang', { sql_data: 'select a\nfrom' });
        expect(body.message).toBe('SQL is not valid: line 2, column 5: it ends too early');
        expect(body.details?.diagnostics).toMatchObject([{ line: 2, column: 5, severity: 'error' }]);
    });
});

test('a key for a provider that is not known configures nothing; one that is known is asked', async () => {
    const answer = async (): Promise<unknown> =>
        (await post('/rulelingo/p1/translate/nl-to-rulelang', { domain_knowledge: 'x' })).body.code;
    await post('/users/save-config', { config_data: { LLM_API_KEY: 'canary-key', LLM_PROVIDER: 'else' } });
    expect(await answer()).toBe('llm_not_configured');
    await post('/users/save-config', { config_data: { LLM_PROVIDER: null, LLM_BASE_URL: 'http://127.0.0.1:1/v1' } });
    expect(await answer()).toBe('llm_failed');
    const text = { databaseType: 'text', host: '.', databaseName: 'readme.txt', username: '', password: '' };
    expect((await post('/data/infer-schema', { database: text })).body.code).toBe('llm_failed');
    await post('/users/save-config', { config_data: { LLM_API_KEY: ' ', LLM_BASE_URL: null } });
    expect(await answer()).toBe('llm_not_configured');
    expect(services.log()).not.toContain('canary');
});
