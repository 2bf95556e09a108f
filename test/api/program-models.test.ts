import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, type Scripted, startModelServer } from '../model/model-server.ts';
import { callsTo } from './calls.ts';
import { runsOf } from './children.ts';
import { type Answered, answered, type Services, startServices } from './services.ts';

const KEY = 'canary-key-of-programs';
let services: Services;
let closed: Services;
let server: ModelServer;
const { post, get, data } = callsTo(() => services);

/** How long the question is; the vector of a text is its length and its first character. */
function answerOf(body: { messages: { content: string }[]; input: string[] }): Scripted {
    if (body.input !== undefined) return { embeddings: body.input.map(text => [text.length, text.charCodeAt(0)]) };
    return { text: [`it is ${body.messages[1]?.content.length}`] };
}

const configured = (to: Services) =>
    callsTo(() => to).post('/users/save-config', {
        config_data: { LLM_PROVIDER: 'chat-completions', LLM_BASE_URL: server.baseUrl, LLM_API_KEY: KEY, LLM_VERSION: 'm1' },
    });

beforeAll(async () => {
    server = await startModelServer();
    [services, closed] = await Promise.all([startServices({}, ['--allow-model', '--model-calls', '3']), startServices()]);
    await Promise.all([configured(services), configured(closed)]);
    await data(post('/projects/save', { project: { id: 'p', name: 'p' } }));
});
afterAll(async () => {
    expect(await services.stop()).toBe(0);
    expect(await closed.stop()).toBe(0);
    expect(services.log()).not.toContain(KEY);
    expect(services.log()).not.toContain('"error"');
    await server.stop();
});
beforeEach(() => {
    server.requests.length = 0;
    server.script();
    server.answerBy(answerOf);
});

const save = (definition: string) => data(post('/concepts/p/save', { definition }));
const run = (concept: string, more: object = {}) => post(`/concepts/p/run/${concept}`, { force_rerun: true, ...more });
const evaluated = (program: string) => post('/rulelang/evaluate', { program });
const atEngine = async (program: string, { engine, token }: Services, hasToken: boolean): Promise<Answered> =>
    answered(
        await fetch(`${engine}/evaluate`, {
            method: 'POST',
            body: new URLSearchParams({ program }),
            headers: hasToken ? { authorization: `Bearer ${token}` } : {},
        }),
    );
const used = async () => {
    const { llm_usage: texts, embedding_usage: vectors } = await data<Record<string, { current: number; output_tokens: number }>>(
        get('/users/usage-status'),
    );
    return { texts: texts?.current, vectors: vectors?.current, written: texts?.output_tokens };
};

const ASKS = (words: string) => `q("${words}"). r(X, V) <- q(X), V = llm:generate("Say \${X}"). @output("r").`;

describe('programs that may ask', () => {
    test('a concept asks each question once, in all runs, and its rows are explained by what was answered', async () => {
        await save('place("Riga"). place("Pisa"). @output("place").');
        await save(`told(X, V) <- place(X), V = llm:generate("Say \${X}"). @output("told").`);
        await save(`twice(X, W) <- told(X, V), W = llm:generate("\${V}!"). @output("twice").`);
        const before = await used();
        const first = await data<{ results: unknown }>(run('twice'));
        expect(first.results).toEqual([
            ['Pisa', 'it is 8'],
            ['Riga', 'it is 8'],
        ]);
        expect(server.requests.map(({ body }) => body.messages[1].content).sort()).toEqual(['Say Pisa', 'Say Riga', 'it is 8!']);
        expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${KEY}`));
        const { texts = 0, written = 0 } = before;
        expect(await used()).toMatchObject({ texts: texts + 3, written: written + 21 });
        expect(await data(get('/users/model-request'))).toMatchObject({ body: expect.stringContaining('it is 8!') });
        server.answerBy(() => ({ status: 500 }));
        expect((await data<{ results: unknown }>(run('twice'))).results).toEqual(first.results);
        const why = await data<{ derivations: { premises: { text: string }[] }[] }>(get('/concepts/p/explain?concept_name=twice&row=0'));
        expect(why.derivations[0]?.premises.map(({ text }) => text)).toEqual([
            'told("Pisa","it is 8")',
            'llm:generate("{arg_1}!", "it is 8") = "it is 8"',
        ]);
        expect(server.requests).toHaveLength(3);
    });

    test('rows whose answers are not kept any more are not asked for again to explain them', async () => {
        await save(`lost(V) <- place(X), V = llm:generate("Lose \${X}"). @output("lost").`);
        await data(run('lost'));
        fs.rmSync(`${services.data}/answers`, { recursive: true });
        const { status, body } = await get('/concepts/p/explain?concept_name=lost&row=0');
        expect([status, body.message]).toEqual([422, expect.stringContaining('is not kept any more. Run the concept again')]);
        expect(server.requests).toHaveLength(2);
    });

    test('programs that are sent ask, too; without a token they do not', async () => {
        const vectors = 'v("a"). v("bb"). w(X, V) <- v(X), V = embeddings:vectorize(X). @output("w").';
        expect((await evaluated(vectors)).body.data).toMatchObject({
            resultSet: {
                w: [
                    ['a', [1, 97]],
                    ['bb', [2, 98]],
                ],
            },
        });
        expect(await used()).toMatchObject({ vectors: 1 });
        expect((await atEngine(ASKS('engine'), services, true)).body.resultSet).toEqual({ r: [['engine', 'it is 10']] });
        const refused = await atEngine(ASKS('nobody'), services, false);
        expect(JSON.stringify(refused.body)).toContain('Send the token of a user');
        expect(server.requests).toHaveLength(2);
    });

    test('more calls than are allowed are refused before the first, with the option that allows them', async () => {
        const { status, body } = await evaluated(`q(1). q(2). q(3). q(4).\nr(V) <- q(X), V = llm:generate("Say \${X}").\n@output("r").`);
        expect(status).toBe(422);
        expect(body.message).toMatch(/it would take 4 calls with about [\d,]+ tokens .* may make 3\. .*--model-calls 4/u);
        expect(body.details).toMatchObject({ diagnostics: [{ code: 'RT092', line: 2, column: 19 }] });
        expect(server.requests).toEqual([]);
    });

    test('what the provider says is told at the call', async () => {
        server.answerBy(() => ({ status: 401, body: `{"error":{"message":"no such key ${KEY}"}}` }));
        const { status, body, text } = await evaluated(`q("fails").\nr(V) <- q(X), V = llm:generate("Say \${X}"). @output("r").`);
        expect([status, body.message]).toEqual([422, expect.stringContaining('no such key')]);
        expect(body.details).toMatchObject({ diagnostics: [{ code: 'RT092', line: 2 }] });
        expect(text).not.toContain(KEY);
    });

    test('the process of a run has no key, and its request ends with it', async () => {
        server.answerBy(() => ({ text: ['so'], fault: 'silence' }));
        const leaving = new AbortController();
        const asked = post('/rulelang/evaluate', { program: ASKS('silence') }, { signal: leaving.signal });
        await expect.poll(() => server.requests.length).toBe(1);
        const runs = runsOf(services.process);
        expect(runs).not.toEqual([]);
        for (const pid of runs)
            for (const file of ['environ', 'cmdline']) expect(fs.readFileSync(`/proc/${pid}/${file}`, 'latin1')).not.toContain(KEY);
        leaving.abort();
        await expect(asked).rejects.toThrow();
        await server.requests[0]?.closed;
    });
});

test('without the option no program asks, and the refusal names it', async () => {
    const program = ASKS('closed');
    const { status, body } = await callsTo(() => closed).post('/rulelang/evaluate', { program });
    expect([status, body.message]).toEqual([422, expect.stringContaining('rulelang serve --allow-model')]);
    expect(body.details).toMatchObject({ diagnostics: [{ code: 'RT060', line: 1 }] });
    expect(server.requests).toEqual([]);
});

test('what the configuration lacks is said at the call', async () => {
    const change = (value: unknown) => post('/users/save-config', { config_data: { LLM_BASE_URL: value } });
    await data(change('https://models.example.org'));
    const { body } = await evaluated(ASKS('unknown host'));
    expect(body.message).toContain('models.example.org, which is not allowed; start the services with --allow-net');
    await data(change(server.baseUrl));
});
