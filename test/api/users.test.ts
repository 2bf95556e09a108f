import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rulelang } from '../cli/command-line.ts';
import { type Call, callsTo } from './calls.ts';
import { type Answered, type Services, startServices } from './services.ts';

let services: Services;
let viewer: string;
const { post, get } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    const args = ['token', '--data-dir', services.data, '--role', 'viewer', '--expires-in', '60'];
    viewer = (await rulelang(services.folder, args)).stdout.trim();
});
afterAll(() => services.stop());

describe('configuration', () => {
    const save = (config_data: unknown, scope?: unknown): Promise<Answered> => post('/users/save-config', { config_data, scope });
    const load = async (more: Call = {}): Promise<Record<string, unknown>> =>
        (await get('/users/load-config', more)).body.data as Record<string, unknown>;

    test('known keys are always there', async () => {
        expect(await load()).toMatchObject({
            PLATFORM_TOKEN: null,
            LLM_API_KEY: null,
            LLM_TEMPERATURE: 0.5,
            LLM_MAX_TOKENS: 2000,
            EMBEDDING_DIMENSIONS: 2048,
            SERVICE_URL: null,
        });
        for (const key of ['LLM_PROVIDER', 'LLM_VERSION', 'EMBEDDING_MODEL_VERSION'])
            expect((await load())[key]).toEqual(expect.stringMatching(/./u));
    });

    test('requests to providers are counted', async () => {
        expect((await get('/users/usage-status')).body).toEqual({
            data: {
                llm_usage: { current: 0, limit: 1000, remaining: 1000, input_tokens: 0, output_tokens: 0 },
                embedding_usage: { current: 0, limit: 500, remaining: 500, input_tokens: 0, output_tokens: 0 },
            },
            message: 'Usage status retrieved',
            status: 'success',
        });
    });

    test('values are added, kept and taken back; a viewer sees no secrets', async () => {
        const saved = await save({ theme: { dark: true }, LLM_API_KEY: 'canary-key', LLM_MAX_TOKENS: 10, __proto__x: 1 });
        expect(saved.body).toEqual({
            data: { saved_keys: ['LLM_API_KEY', 'LLM_MAX_TOKENS', '__proto__x', 'theme'], scope: 'user' },
            message: 'Configuration saved',
            status: 'success',
        });
        await save({ COMPUTE: { backend: 'spark', connection: { password: 'canary-password', host: 'h' } }, LLM_MAX_TOKENS: null });
        expect(await load()).toMatchObject({ theme: { dark: true }, LLM_API_KEY: 'canary-key', LLM_MAX_TOKENS: 2000 });
        const shown = await load({ token: viewer });
        expect(shown).toMatchObject({
            theme: { dark: true },
            LLM_API_KEY: '***',
            LLM_MAX_TOKENS: 2000,
            PLATFORM_TOKEN: null,
            COMPUTE: '***',
        });
        expect(JSON.stringify(shown)).not.toContain('canary');
        expect(fs.statSync(join(services.data, 'configuration/user.json')).mode & 0o777).toBe(0o600);
        expect((await get('/users/load-config?scope=organization')).body.data as object).not.toHaveProperty('theme');
    });

    test.each([
        [{ 'a b': 1 }, undefined, 400, 'validation_error'],
        [{ '': 1 }, undefined, 400, 'validation_error'],
        [{ ['x'.repeat(129)]: 1 }, undefined, 400, 'validation_error'],
        [{ LLM_TEMPERATURE: 2.1, fine: 1 }, undefined, 400, 'validation_error'],
        [{ LLM_TEMPERATURE: '1' }, undefined, 400, 'validation_error'],
        [{ LLM_MAX_TOKENS: 0 }, undefined, 400, 'validation_error'],
        [{ LLM_MAX_TOKENS: 1.5 }, undefined, 400, 'validation_error'],
        [{ EMBEDDING_DIMENSIONS: 65537 }, undefined, 400, 'validation_error'],
        [{ big: 'x'.repeat(65536) }, 'organization', 200, undefined],
        [{ big: 'x'.repeat(65537) }, undefined, 413, 'payload_too_large'],
        [{ big: ['x'.repeat(65533)] }, undefined, 413, 'payload_too_large'],
        [undefined, undefined, 400, 'validation_error'],
        [[], undefined, 400, 'validation_error'],
        [{}, 'team', 400, 'invalid_scope'],
        [{}, 5, 400, 'invalid_scope'],
        [{}, null, 200, undefined],
        [{}, 'organization', 200, undefined],
    ])('%j in scope %s answers %d', async (config, scope, status, code) => {
        const found = await save(config, scope);
        expect([found.status, found.body.code]).toEqual([status, code]);
        expect(await load()).not.toHaveProperty('fine');
    });

    test('an unknown scope in a query', async () => {
        const { status, body } = await get('/users/load-config?scope=team');
        expect([status, body.message]).toEqual([400, "Unknown scope 'team'; use 'user' or 'organization'"]);
        expect((await get('/users/load-config?scope=team&scope=user')).status).toBe(200);
    });
});
