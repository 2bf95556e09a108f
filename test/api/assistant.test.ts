import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, answered, type Services, startServices } from './services.ts';

let services: Services;

beforeAll(async () => {
    services = await startServices();
});
afterAll(async () => expect(await services.stop()).toBe(0));

const post = async (
    path: string,
    body: unknown,
    headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Answered> =>
    answered(
        await fetch(`${services.chat}${path}`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers }),
    );

interface Reply {
    readonly response: string;
    readonly code_examples: readonly { readonly language: string; readonly code: string }[];
    readonly relevant_docs: readonly { readonly title: string; readonly url: string; readonly excerpt: string }[];
    readonly metadata: Readonly<Record<string, unknown>>;
}

describe('questions', () => {
    test('are answered from the documentation', async () => {
        const { status, body, headers } = await post('/api/rulelang', { query: 'How does an include find modules?', include_docs: true });
        const reply = body as unknown as Reply;
        expect(status).toBe(200);
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(reply.relevant_docs.length).toBe(3);
        expect(reply.relevant_docs[0]?.url).toMatch(/^\/docs\/modules/u);
        expect(reply.response).toContain(reply.relevant_docs[0]?.title);
        expect(reply.metadata).toEqual({ provider: 'local', model: 'retrieval', tokens_used: expect.any(Number), search_results: 3 });
        expect(reply.response.length).toBeLessThanOrEqual(6000);
        expect((reply.response.match(/^```/gmu)?.length ?? 0) % 2).toBe(0);
    });

    test('without sections', async () => {
        for (const more of [{}, { include_docs: null }, { include_docs: false }]) {
            const reply = (await post('/api/rulelang', { query: 'module', ...more })).body as unknown as Reply;
            expect([reply.relevant_docs, reply.metadata.search_results]).toEqual([[], 0]);
            expect(reply.response).not.toBe('');
        }
    });

    test('that nothing answers', async () => {
        const reply = (await post('/api/rulelang', { query: 'xyzzy qwertz', include_docs: true })).body as unknown as Reply;
        expect([reply.response, reply.relevant_docs]).toEqual([expect.stringContaining('no section'), []]);
    });

    test('a chat is lines of texts', async () => {
        const messages = [
            { role: 'user', content: 'hello' },
            { role: 'assistant', content: 'hi' },
            { role: 'user', content: 'modules and includes' },
        ];
        const found = await post('/api/docsChat', { messages });
        expect([found.status, found.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
        expect(found.text.endsWith('\n')).toBe(true);
        const pieces = found.text
            .trimEnd()
            .split('\n')
            .map(line => {
                expect(line.startsWith('0:"')).toBe(true);
                return JSON.parse(line.slice(2)) as string;
            });
        expect(pieces.join('')).toContain('## ');
    });
});

describe('refusals', () => {
    const user = (content: unknown): object => ({ role: 'user', content });
    test.each([
        ['/api/rulelang', {}, 400],
        ['/api/rulelang', { query: '' }, 400],
        ['/api/rulelang', { query: 'x'.repeat(8001) }, 400],
        ['/api/rulelang', { query: 'x', include_docs: 'true' }, 400],
        ['/api/rulelang', '{', 400],
        ['/api/rulelang', [], 400],
        ['/api/docsChat', {}, 400],
        ['/api/docsChat', { messages: [] }, 400],
        ['/api/docsChat', { messages: [{ role: 'assistant', content: 'x' }] }, 400],
        ['/api/docsChat', { messages: [{ role: 'system', content: 'x' }, user('x')] }, 400],
        ['/api/docsChat', { messages: [user('')] }, 400],
        ['/api/docsChat', { messages: Array.from({ length: 101 }, () => user('x')) }, 400],
        ['/api/rulelang', { query: 'x', context: 'x'.repeat(1024 * 1024) }, 413],
        ['/api/nowhere', {}, 404],
    ])('%s', async (path, body, status) => {
        const found = await post(path, body);
        expect([found.status, found.body.status]).toEqual([status, status]);
        expect(Object.keys(found.body).sort()).toEqual(['error', 'message', 'status', 'timestamp']);
        expect(found.headers.get('access-control-allow-origin')).toBe('*');
    });

    test('other methods and types', async () => {
        const wrong = await answered(await fetch(`${services.chat}/api/docsChat`));
        expect([wrong.status, wrong.body.error, wrong.headers.get('allow')]).toEqual([405, 'Method not allowed', 'POST, OPTIONS']);
        expect((await post('/api/rulelang', '{"query":"x"}', { 'content-type': 'text/plain' })).body).toMatchObject({
            status: 415,
            error: 'Unsupported media type',
        });
    });
});

test('180 requests in a minute, wrong ones too', async () => {
    const own = await startServices();
    try {
        const send = (body: string): Promise<Response> =>
            fetch(`${own.chat}/api/rulelang`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
        for (let i = 0; i < 180; i++) expect((await send(i % 2 === 0 ? '{"query":"x"}' : '{')).status).toBe(i % 2 === 0 ? 200 : 400);
        const refused = await answered(await send('{"query":"x"}'));
        expect([refused.status, refused.body.error]).toEqual([429, 'Rate limited']);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    } finally {
        await own.stop();
    }
});
