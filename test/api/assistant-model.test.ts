import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../model/model-server.ts';
import { type Services, startServices } from './services.ts';

let services: Services;
let model: ModelServer;

beforeAll(async () => {
    [services, model] = await Promise.all([startServices({}, ['--llm-limit', '8']), startModelServer()]);
    const config = { LLM_BASE_URL: model.baseUrl, LLM_VERSION: 'm-1', LLM_API_KEY: 'canary-4711' };
    const answer = await fetch(`${services.base}/api/v1/users/save-config`, {
        method: 'POST',
        headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ config_data: config }),
    });
    expect(answer.status).toBe(200);
});
afterAll(async () => {
    await model.stop();
    expect(await services.stop()).toBe(0);
});
beforeEach(() => {
    model.requests.length = 0;
});

const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${services.chat}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
    });
const chat = (content: string, headers = {}): Promise<Response> =>
    post(
        '/api/docsChat',
        {
            messages: [
                { role: 'user', content: 'How do I read a CSV file?' },
                { role: 'assistant', content: 'With @bind.' },
                { role: 'user', content },
            ],
        },
        headers,
    );

test('a chat is answered by the model, piece by piece, from three sections and what was said', async () => {
    model.script({ text: ['Use ', '[json](/docs/data/files#json).'] });
    const answer = await chat('and JSON?');
    expect([answer.status, await answer.text()]).toEqual([200, '0:"Use "\n0:"[json](/docs/data/files#json)."\n']);
    const [{ body, headers }] = model.requests as [(typeof model.requests)[number]];
    expect(headers.authorization).toBe('Bearer canary-4711');
    expect(body.messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(body.messages[0].content).toContain('Address: /docs/data/files#json');
    expect(body.messages[0].content.match(/^Address: /gmu)).toHaveLength(3);
    expect(body.max_tokens).toBe(1500);
});

test('a question tells of the model, its tokens, the examples and the sections', async () => {
    model.script({ text: ['So:\n```rulelang\np(1).\n```\n'] });
    const answer = await post('/api/rulelang', { query: 'recursion', include_docs: true, context: 'p(2).' });
    expect(await answer.json()).toEqual({
        response: 'So:\n```rulelang\np(1).\n```\n',
        code_examples: [{ language: 'rulelang', code: 'p(1).', description: '' }],
        relevant_docs: [expect.objectContaining({ url: '/docs/language/rules#recursion' }), expect.anything(), expect.anything()],
        metadata: { provider: 'chat-completions', model: 'm-1', tokens_used: expect.any(Number), search_results: 3 },
    });
    expect(model.requests[0]?.body.messages[0].content).toContain('p(2).');
    model.script({ text: ['Yes.'] });
    const without = (await (await post('/api/rulelang', { query: 'recursion' })).json()) as { readonly relevant_docs: unknown };
    expect(without.relevant_docs).toEqual([]);
    expect(model.requests[1]?.body.messages[0].content).toContain('# The language');
});

test('a page of another origin spends nothing', async () => {
    const answer = await chat('and JSON?', { origin: 'http://evil.example' });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('## Data in files: JSON')]);
    const page = await post('/api/rulelang', { query: 'recursion' }, { 'sec-fetch-site': 'cross-site' });
    expect(((await page.json()) as { readonly metadata: unknown }).metadata).toMatchObject({ provider: 'local' });
    expect(model.requests).toEqual([]);
});

test('a model that fails before it has said anything is 503, and after that the connection breaks off', async () => {
    model.script({ status: 401 });
    const failed = await chat('x');
    expect([failed.status, await failed.json()]).toEqual([
        503,
        expect.objectContaining({ error: 'Unavailable', message: expect.stringContaining('401') }),
    ]);
    model.script({ text: ['Half'], fault: 'cut' });
    const cut = await chat('x');
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toThrow();
});

test('a longer answer than was asked for is broken off', async () => {
    model.script({ text: Array.from({ length: 30 }, () => 'x'.repeat(1000)) });
    const lines = (await (await chat('x')).text()).trim().split('\n');
    const text = lines.map(line => JSON.parse(line.slice(2)) as string).join('');
    expect(text).toBe(`${'x'.repeat(6000)} …`);
});

test('an answer of nothing is told', async () => {
    model.script({});
    expect(await (await chat('x')).text()).toBe('0:"The model gave no answer."\n');
});

test('when the quota of the month is used up the documentation answers', async () => {
    let metadata: { readonly provider: string };
    do {
        model.script({ text: ['Yes.'] });
        const answer = await post('/api/rulelang', { query: 'recursion' });
        expect(answer.status).toBe(200);
        ({ metadata } = (await answer.json()) as { readonly metadata: typeof metadata });
    } while (metadata.provider !== 'local');
    expect(await (await chat('recursion')).text()).toContain('## ');
});
