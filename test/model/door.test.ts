import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ModelAnswer, ModelPiece, ModelQuestion, ModelTokens } from '#server/model/model.ts';
import { modelConfiguration } from '#server/model/model-configuration.ts';
import { type ModelHost, openEmbeddings, openModel } from '#server/model/open-model.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import { type ModelServer, type Scripted, startModelServer } from './model-server.ts';

const KEY = 'canary-key-4711';
let server: ModelServer;
let spent: string[];

beforeAll(async () => {
    server = await startModelServer();
});
afterAll(() => server.stop());
beforeEach(() => {
    spent = [];
    server.requests.length = 0;
});

function host(more: Partial<ModelHost> = {}): ModelHost {
    return {
        spend: async kind => void spent.push(kind),
        spent: async (kind, { input, output }: ModelTokens) => void spent.push(`${kind} ${input}+${output}`),
        sent: () => undefined,
        ...more,
    };
}

function configured(provider: string, more: Record<string, unknown> = {}) {
    const values = { LLM_PROVIDER: provider, LLM_BASE_URL: server.baseUrl, LLM_API_KEY: KEY, ...more };
    const read = modelConfiguration(new Map<string, unknown>(Object.entries(values)), { hosts: [], grantHost: () => '' });
    if (!read.ok) throw new Error(read.reason);
    return read.configuration;
}

const never = new AbortController().signal;
const question = (more: Partial<ModelQuestion> = {}): ModelQuestion => ({
    system: 'Be brief.',
    messages: [{ role: 'user', text: 'What is there?' }],
    signal: never,
    ...more,
});

/** What `answers` are heard as. */
async function heard(provider: string, answers: readonly Scripted[], more: Partial<ModelQuestion> = {}): Promise<ModelAnswer> {
    server.script(...answers);
    return openModel(configured(provider), host()).complete(question(more));
}

/** Why nothing is heard. */
async function failure(provider: string, answers: readonly Scripted[], given: Partial<ModelHost> = {}): Promise<string> {
    server.script(...answers);
    try {
        const { text } = await openModel(configured(provider), host(given)).complete(question());
        return `answered ${text}`;
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        expect(JSON.stringify([error.message, error.details, String(error.stack)])).not.toContain('canary');
        return `${error.code}: ${error.message}`.replaceAll(/127\.0\.0\.1:\d+/gu, 'HOST');
    }
}

const TOOL = {
    name: 'list_concepts',
    description: 'The concepts of the project',
    parameters: { type: 'object', properties: { like: { type: 'string' } }, required: ['like'], additionalProperties: false },
};

describe.each(['chat-completions', 'openai', 'anthropic'])('a model of %s', provider => {
    test('answers piece by piece', async () => {
        server.script({ text: ['Two ', 'towns', '.'] });
        const found: ModelPiece[] = [];
        const model = openModel(configured(provider, { LLM_VERSION: 'm-1' }), host());
        expect([model.name, model.provider]).toEqual(['m-1', provider]);
        for await (const piece of model.stream(question())) found.push(piece);
        expect(found).toEqual([
            { kind: 'text', text: 'Two ' },
            { kind: 'text', text: 'towns' },
            { kind: 'text', text: '.' },
            { kind: 'end', reason: 'stop', tokens: { input: 11, output: 7 } },
        ]);
        expect(spent).toEqual(['llm', 'llm 11+7']);
    });

    test('is told everything, and the key in a header alone', async () => {
        const recorded: string[] = [];
        server.script({ text: ['yes'] });
        const configuration = configured(provider, { LLM_VERSION: 'm-1', LLM_TEMPERATURE: 0.25, LLM_MAX_TOKENS: 77 });
        await openModel(configuration, host({ sent: ({ url, body }) => void recorded.push(url, body) })).complete(
            question({ tools: [TOOL] }),
        );
        const [{ path, headers, body }] = server.requests as [(typeof server.requests)[number]];
        expect(path).toBe(provider === 'anthropic' ? '/v1/messages' : '/v1/chat/completions');
        expect(provider === 'anthropic' ? headers['x-api-key'] : headers.authorization).toBe(
            provider === 'anthropic' ? KEY : `Bearer ${KEY}`,
        );
        expect(body).toMatchObject({ model: 'm-1', temperature: 0.25, max_tokens: 77, stream: true });
        expect(JSON.stringify(body)).toContain('Be brief.');
        expect(JSON.stringify(body)).toContain('The concepts of the project');
        expect(recorded).toEqual([`${server.baseUrl}${path.slice(3)}`, JSON.stringify(body)]);
        expect(JSON.stringify([body, configuration])).not.toContain('canary');
    });

    test('calls tools, and hears what they gave', async () => {
        const first = await heard(
            provider,
            [
                {
                    text: ['Looking.'],
                    calls: [
                        { name: 'list_concepts', arguments: '{"like": "town \\"x\\""}' },
                        { name: 'list_concepts', arguments: '{"like": "city"}' },
                    ],
                },
            ],
            { tools: [TOOL] },
        );
        expect(first).toMatchObject({ text: 'Looking.', reason: 'tools' });
        expect(first.calls.map(({ name, input }) => [name, input])).toEqual([
            ['list_concepts', { like: 'town "x"' }],
            ['list_concepts', { like: 'city' }],
        ]);
        expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2);
        const results = first.calls.map(({ id, name }) => ({ role: 'tool', id, name, result: { names: ['hub'] } }) as const);
        await heard(provider, [{ text: ['Done.'] }], {
            messages: [{ role: 'user', text: 'Go.' }, { role: 'assistant', text: first.text, calls: first.calls }, ...results],
        });
        const sent = JSON.stringify(server.requests.at(-1)?.body);
        for (const { id } of first.calls) expect(sent.split(id).length).toBe(3);
        expect(sent).toContain('hub');
    });

    test('writes arguments that are no JSON', async () => {
        const { calls } = await heard(provider, [{ calls: [{ name: 'list_concepts', arguments: '{"like": tow' }] }]);
        expect(calls.map(({ name, input }) => [name, input])).toEqual([['list_concepts', undefined]]);
    });

    test('is cut short by the most tokens, refuses, or says nothing', async () => {
        expect((await heard(provider, [{ text: ['a(X) :- '], end: 'length' }])).reason).toBe('length');
        expect(await heard(provider, [{ refusal: 'I cannot help with that.' }])).toMatchObject({
            reason: 'refused',
            text: 'I cannot help with that.',
        });
        expect((await heard(provider, [{ end: 'refused' }])).reason).toBe('refused');
        expect(await heard(provider, [{}])).toMatchObject({ text: '', reason: 'stop' });
    });

    test('is asked again when it is busy or fails, not when it refuses the request', async () => {
        expect((await heard(provider, [{ status: 429, headers: { 'retry-after': '1' } }, { text: ['now'] }])).text).toBe('now');
        expect(spent).toEqual(['llm', 'llm', 'llm 11+7']);
        expect((await heard(provider, [{ status: 500 }, { status: 503 }, { text: ['then'] }])).text).toBe('then');
        expect(await failure(provider, [{ status: 500 }, { status: 500 }, { status: 500 }])).toBe(
            'llm_failed: LLM provider failed: HOST answered 500: scripted 500',
        );
        server.requests.length = 0;
        expect(await failure(provider, [{ status: 429, headers: { 'retry-after': '3600' } }])).toBe(
            'llm_failed: LLM provider failed: HOST answered 429: scripted 429; try again in 3600 s',
        );
        expect(await failure(provider, [{ status: 400 }])).toBe('llm_failed: LLM provider failed: HOST answered 400: scripted 400');
        expect(server.requests).toHaveLength(2);
    });

    test('says what is wrong with key, model and address', async () => {
        const told = JSON.stringify({ error: { message: `no such key: ${KEY}`, type: 'x' } });
        expect(await failure(provider, [{ status: 401, body: told }])).toBe(
            `llm_failed: LLM provider failed: HOST answered 401: no such key: ***; LLM_API_KEY must be a key for ${provider}`,
        );
        expect(await failure(provider, [{ status: 404 }])).toContain("scripted 404; LLM_VERSION is '");
        expect(await failure(provider, [{ status: 302, headers: { location: 'http://127.0.0.1:1/else' } }])).toBe(
            'llm_failed: LLM provider failed: HOST redirects to another address; set LLM_BASE_URL to that one',
        );
    });

    test('is asked without a temperature where it takes none', async () => {
        const told = JSON.stringify({ error: { message: "'temperature' is not supported with this model", type: 'x' } });
        expect((await heard(provider, [{ status: 400, body: told }, { text: ['fine'] }])).text).toBe('fine');
        expect(server.requests.map(({ body }) => 'temperature' in body)).toEqual([true, false]);
    });

    test('breaks off', async () => {
        expect(await failure(provider, [{ text: ['half'], fault: 'cut' }])).toContain('llm_failed');
        expect(await failure(provider, [{ text: ['half'], fault: 'no end' }])).toMatch(
            /^llm_failed: LLM provider failed: (?:its answer broke off|Response stream ended without a finish reason\.)$/u,
        );
        expect(await failure(provider, [{ text: ['half'], fault: 'no JSON' }])).toContain('llm_failed');
    });

    test('is given up when nothing comes', async () => {
        expect(await failure(provider, [{ text: ['half'], fault: 'silence' }], { patience: 300 })).toBe(
            'llm_failed: LLM provider failed: it said nothing for 0.3 s',
        );
        await server.requests.at(-1)?.closed;
    });

    test('is left at once', async () => {
        const departure = new AbortController();
        server.script({ text: ['half'], fault: 'silence' });
        const found: string[] = [];
        const asked = (async () => {
            for await (const piece of openModel(configured(provider), host()).stream(question({ signal: departure.signal }))) {
                found.push(piece.kind);
                departure.abort();
            }
        })();
        await expect(asked).rejects.toMatchObject({ code: 'evaluation_stopped' });
        await server.requests.at(-1)?.closed;
        expect(found).toEqual(['text']);
        server.script({ text: ['one', 'two'], fault: 'silence' });
        for await (const _ of openModel(configured(provider), host()).stream(question())) break;
        await server.requests.at(-1)?.closed;
        await expect(openModel(configured(provider), host()).complete(question({ signal: departure.signal }))).rejects.toMatchObject({
            code: 'evaluation_stopped',
        });
        expect(server.requests).toHaveLength(2);
    });
});

test('a server on this machine may need no key', async () => {
    for (const provider of ['chat-completions', 'openai', 'anthropic', 'azure', 'mistral']) {
        server.script({ status: 400 });
        const asked = openModel(configured(provider, { LLM_API_KEY: '', LLM_VERSION: 'm-1' }), host()).complete(question());
        await expect(asked).rejects.toThrow('answered 400');
        const headers = server.requests.at(-1)?.headers ?? {};
        expect([headers.authorization, headers['x-api-key'], headers['api-key']]).toEqual([undefined, undefined, undefined]);
    }
});

test('a server that is not there', async () => {
    const gone = await startModelServer();
    await gone.stop();
    const model = openModel(configured('chat-completions', { LLM_BASE_URL: gone.baseUrl }), host());
    await expect(model.complete(question())).rejects.toThrow(
        /LLM provider failed: (?<address>127\.0\.0\.1:\d+) cannot be reached: connect ECONNREFUSED \k<address>/u,
    );
    expect(spent).toEqual(['llm', 'llm', 'llm']);
});

test.each([
    ['azure', 'gpt', '/v1/chat/completions', 'api-key', KEY],
    ['mistral', 'mistral-large-latest', '/v1/chat/completions', 'authorization', `Bearer ${KEY}`],
    ['google', 'gemini-2.5-flash', '/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse', 'x-goog-api-key', KEY],
    ['bedrock', 'amazon.nova-pro-v1:0', '/v1/model/amazon.nova-pro-v1%3A0/converse-stream', 'authorization', `Bearer ${KEY}`],
])('what %s is asked', async (provider, version, path, header, value) => {
    server.script({ status: 400 });
    await expect(openModel(configured(provider, { LLM_VERSION: version }), host()).complete(question())).rejects.toThrow('answered 400');
    const [request] = server.requests;
    expect([request?.path, request?.headers[header]]).toEqual([path, value]);
    expect(JSON.stringify(request?.body)).toMatch(/Be brief\..*What is there\?|What is there\?.*Be brief\./u);
});

describe('embeddings', () => {
    const embed = async (answers: readonly Scripted[], texts: readonly string[], more: Record<string, unknown> = {}) => {
        server.script(...answers);
        return openEmbeddings(configured('chat-completions', more), host())?.embed(texts, never);
    };

    test('come in the order of the texts, as long as they were asked for', async () => {
        const found = await embed([{ embeddings: [[1, 0], [0, 1]] }], ['a', 'b'], { EMBEDDING_DIMENSIONS: 2, EMBEDDING_MODEL_VERSION: 'e-1' }); // biome-ignore format: short
        expect(found).toEqual([
            [1, 0],
            [0, 1],
        ]);
        expect(server.requests[0]).toMatchObject({ path: '/v1/embeddings', body: { model: 'e-1', input: ['a', 'b'], dimensions: 2 } });
        expect(spent).toEqual(['embedding', 'embedding 5+0']);
    });

    test('are asked for in requests of a hundred', async () => {
        const texts = Array.from({ length: 101 }, (_, i) => `t${i}`);
        const vectors = texts.map((_, i) => [i]);
        const found = await embed([{ embeddings: vectors.slice(0, 100) }, { embeddings: vectors.slice(100) }], texts, {
            EMBEDDING_MODEL_VERSION: 'e-1',
        });
        expect(found).toEqual(vectors);
        expect(server.requests.map(({ body }) => [body.input.length, 'dimensions' in body])).toEqual([
            [100, false],
            [1, false],
        ]);
    });

    test('of other lengths or numbers are none', async () => {
        const given = { EMBEDDING_DIMENSIONS: 3, EMBEDDING_MODEL_VERSION: 'e-1' };
        await expect(embed([{ embeddings: [[1, 2]] }], ['a'], given)).rejects.toThrow(
            'LLM provider failed: e-1 gives embeddings of 2 numbers, not 3; set EMBEDDING_DIMENSIONS',
        );
        await expect(embed([{ embeddings: [[1]] }], ['a', 'b'])).rejects.toThrow('it gave 1 embeddings for 2 texts');
    });

    test('a provider without any', () => {
        expect(openEmbeddings(configured('anthropic'), host())).toBeUndefined();
    });
});
