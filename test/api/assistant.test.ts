import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, answered, rawRequest, type Services, startServices, statusOf } from './services.ts';

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

describe('pages of the documentation', () => {
    test('each section of an answer links one, which has its heading', async () => {
        const { body } = await post('/api/rulelang', { query: 'sum within recursion', include_docs: true });
        for (const { url } of (body as unknown as Reply).relevant_docs) {
            const page = await fetch(`${services.chat}${url}`);
            expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
            expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
            const [, anchor] = url.split('#');
            if (anchor !== undefined) expect(await page.text()).toContain(` id="${anchor}"`);
        }
    });

    test('all that they link and show is there', async () => {
        const seen = new Set(['/docs']);
        for (const path of seen) {
            const answer = await fetch(`${services.chat}${path}`);
            expect([path, answer.status]).toEqual([path, 200]);
            if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
            const html = await answer.text();
            expect(html).not.toMatch(/<script|\son\w+=|\sstyle=/iu);
            for (const [, target = ''] of html.matchAll(/(?:href|src)="(\/[^"#]*)/gu)) seen.add(target);
        }
        expect(seen.size).toBeGreaterThan(50);
        expect([...seen]).toEqual(
            expect.arrayContaining(['/docs/documentation.css', '/docs/images/page-light.png', '/docs/problems/logic']),
        );
    });

    test.each(['/docs/documentation.json', '/docs/language.html', '/docs/../package.json', '/docs/%2e%2e/cli.js', '/docs/nothing'])(
        'there is no %s',
        async path => {
            const raw = await rawRequest(services.chat, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
            expect(statusOf(raw)).toBe(404);
        },
    );
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
