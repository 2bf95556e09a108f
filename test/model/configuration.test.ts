import { describe, expect, test } from 'vitest';
import { modelConfiguration } from '#server/model/model-configuration.ts';

const REACH = { hosts: [{ host: 'models.example.org' }, { host: 'lab', port: 8001 }], grantHost: (name: string) => `grant ${name}` };

function read(values: Record<string, unknown>) {
    return modelConfiguration(new Map(Object.entries(values)), REACH);
}

/** What is wrong, or where a model is asked. */
function place(values: Record<string, unknown>): string {
    const found = read(values);
    return found.ok ? `${found.configuration.provider} ${found.configuration.version} ${found.configuration.baseUrl}` : found.reason;
}

describe('a configured model', () => {
    test('needs a key, and says for whom', () => {
        for (const key of [undefined, null, '', '  ', 5])
            expect(place({ LLM_API_KEY: key, LLM_PROVIDER: 'anthropic' })).toBe(
                'LLM_API_KEY has no value; set it to your key for anthropic, or LLM_BASE_URL to a server on this machine',
            );
        expect(place({ LLM_API_KEY: 'a b' })).toContain('LLM_API_KEY holds blanks');
        expect(place({ LLM_API_KEY: ' k\n' })).toBe('chat-completions gpt-4.1 https://api.openai.com/v1');
    });

    test('needs a provider that is known, with a key and without', () => {
        for (const key of ['', 'k']) {
            expect(place({ LLM_PROVIDER: 'antropic', LLM_API_KEY: key })).toBe(
                'LLM_PROVIDER "antropic" is not known; did you mean anthropic? Known are chat-completions, openai, anthropic, google, azure, bedrock, mistral',
            );
            expect(place({ LLM_PROVIDER: '__proto__', LLM_API_KEY: key })).toContain('"__proto__" is not known');
        }
    });

    test('has the defaults of its provider', () => {
        const key = { LLM_API_KEY: 'k', LLM_VERSION: 'default' };
        expect(place({ ...key, LLM_PROVIDER: 'anthropic' })).toBe('anthropic claude-sonnet-4-5 https://api.anthropic.com/v1');
        expect(place({ ...key, LLM_PROVIDER: 'mistral' })).toBe('mistral mistral-large-latest https://api.mistral.ai/v1');
        expect(place({ ...key, LLM_PROVIDER: 'azure' })).toContain('LLM_BASE_URL must name your address at azure');
        const azure = { LLM_PROVIDER: 'azure', LLM_BASE_URL: 'https://me.openai.azure.com/openai/v1/' };
        expect(place({ ...key, ...azure })).toContain('LLM_VERSION must name your deployment');
        expect(place({ ...key, ...azure, LLM_VERSION: 'mine' })).toBe('azure mine https://me.openai.azure.com/openai/v1');
    });

    test('takes numbers of a configuration and of an environment', () => {
        const found = read({ LLM_API_KEY: 'k', LLM_TEMPERATURE: '0', LLM_MAX_TOKENS: 100, EMBEDDING_DIMENSIONS: '64' });
        expect(found).toMatchObject({ configuration: { temperature: 0, maxTokens: 100, embedding: { dimensions: 64 } } });
        expect(read({ LLM_API_KEY: 'k' })).toMatchObject({
            configuration: { temperature: 0.5, maxTokens: 2000, embedding: { version: 'text-embedding-3-large', dimensions: 2048 } },
        });
        expect(read({ LLM_API_KEY: 'k', EMBEDDING_MODEL_VERSION: 'mine' })).toMatchObject({
            configuration: { embedding: { version: 'mine', dimensions: undefined } },
        });
    });

    test('prints without its key', () => {
        expect(JSON.stringify(read({ LLM_API_KEY: 'canary' }))).not.toContain('canary');
    });
});

describe('LLM_BASE_URL', () => {
    test.each([
        ['http://localhost:11434/v1', 'default http://localhost:11434/v1'],
        ['http://127.0.0.1:8080', 'default http://127.0.0.1:8080'],
        ['http://[::1]:8080/v1', 'default http://[::1]:8080/v1'],
    ])('%s is on this machine, and needs no key', (url, expected) => {
        expect(place({ LLM_BASE_URL: url })).toBe(`chat-completions ${expected}`);
    });

    test.each([
        ['https://api.openai.com/v1', 'chat-completions'],
        ['https://models.example.org/v1', 'chat-completions'],
        ['http://lab:8001/v1', 'chat-completions'],
        ['https://bedrock-runtime.eu-central-1.amazonaws.com', 'bedrock'],
    ])('%s is allowed for %s', (url, provider) => {
        expect(place({ LLM_BASE_URL: url, LLM_API_KEY: 'k', LLM_PROVIDER: provider })).toContain(url);
        expect(place({ LLM_BASE_URL: url, LLM_PROVIDER: provider })).toContain('LLM_API_KEY has no value');
    });

    test.each([
        ['https://evil.example.org/v1', 'LLM_BASE_URL names evil.example.org, which is not allowed; grant evil.example.org:443'],
        ['http://lab:8002', 'LLM_BASE_URL names lab, which is not allowed; grant lab:8002'],
        ['http://api.openai.com/v1', 'LLM_BASE_URL names api.openai.com, which is not allowed; grant api.openai.com:80'],
        ['https://api.anthropic.com/v1', 'LLM_BASE_URL names api.anthropic.com, which is not allowed'],
        ['https://x.openai.azure.com.evil.org', 'which is not allowed'],
        ['http://[::ffff:127.0.0.1]:80', 'which is not allowed'],
        ['https://169.254.169.254/v1', 'an address of the link alone'],
        ['http://[fd00:ec2::254]/', 'an address of the link alone'],
        ['ftp://localhost', 'must be an address such as'],
        ['localhost:8080', 'must be an address such as'],
        ['https://u:p@api.openai.com/v1', 'without user, password'],
        ['https://api.openai.com/v1?key=1', 'without user, password'],
    ])('%s is not', (url, expected) => {
        for (const provider of ['chat-completions', 'openai'])
            expect(place({ LLM_BASE_URL: url, LLM_API_KEY: 'k', LLM_PROVIDER: provider })).toContain(expected);
    });
});
