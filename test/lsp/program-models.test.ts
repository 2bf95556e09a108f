import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../model/model-server.ts';
import { LanguageClient } from './language-client.ts';

const KEY = 'canary-key-of-editor';
let server: ModelServer;
let dataHome: string;
let client: LanguageClient;

beforeAll(async () => {
    server = await startModelServer();
});
afterAll(() => server.stop());
beforeEach(() => {
    dataHome = fs.mkdtempSync(join(tmpdir(), 'editor-models-'));
    server.requests.length = 0;
    server.answerBy(body => ({ text: [`it is ${body.messages[1]?.content.length}`] }));
});
afterEach(async () => {
    await client.stop();
    expect(JSON.stringify(client.received)).not.toContain(KEY);
    expect(client.log.join('')).toBe('');
    fs.rmSync(dataHome, { recursive: true });
});

type Options = Parameters<typeof LanguageClient.start>[0];

/** A client whose server has a model in its environment. */
async function started({ environment, ...options }: Options = {}): Promise<LanguageClient> {
    const model = { LLM_BASE_URL: server.baseUrl, LLM_API_KEY: KEY, LLM_VERSION: 'm1' };
    const variables = { XDG_DATA_HOME: dataHome, ...(environment ?? model) };
    client = await LanguageClient.start({ trusted: true, environment: variables, ...options });
    return client;
}

const asking = (count: number): string =>
    `${Array.from({ length: count }, (_, i) => `q(${i}).`).join(' ')}\nr(X, V) <- q(X), V = llm:generate("Say \${X}").\n@output("r").\n`;

/** Runs a program, and gives how that ended. */
async function ran(text: string, name = 'asks.rulelang') {
    await client.open(name, text);
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/run', { uri: client.uri(name) });
    return ended;
}

const questions = (): string[] =>
    client.received.filter(({ method }) => method === 'window/showMessageRequest').map(({ params }) => params.message);

test('a program asks the model of the environment once the user has agreed, which is asked once', async () => {
    await started({ agrees: true });
    const agreed = client.next('rulelang/modelAgreed');
    const { outcome, outputs } = await ran(asking(2));
    expect([outcome, outputs[0].rows]).toEqual(['finished', 2]);
    expect(questions()).toEqual([expect.stringContaining(`the language model at ${new URL(server.baseUrl).host} (chat-completions)`)]);
    expect(await agreed).toEqual({ agreed: `chat-completions ${server.baseUrl}` });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill(`Bearer ${KEY}`));
    expect((await ran(asking(3), 'more.rulelang')).outcome).toBe('finished');
    expect(server.requests.map(({ body }) => body.messages[1].content).sort()).toEqual(['Say 0', 'Say 1', 'Say 2']);
    expect(questions()).toHaveLength(1);
});

test('rows are explained by what was answered, which is not asked again', async () => {
    await started({ model: { agreed: `chat-completions ${server.baseUrl}` } });
    const { run, outputs } = await ran(asking(1));
    server.answerBy(() => ({ status: 500 }));
    const { derivations } = await client.request('rulelang/explain', { run, view: { output: outputs[0].key }, row: 0, all: false });
    expect(JSON.stringify(derivations)).toContain('it is 5');
    expect(questions()).toEqual([]);
    expect(server.requests).toHaveLength(1);
});

test('what the user declines is no call, and is told at it', async () => {
    await started({ agrees: false });
    const { outcome, notices } = await ran(asking(1));
    expect(outcome).toBe('failed');
    expect(notices).toEqual([
        expect.objectContaining({ code: 'RT092', message: expect.stringContaining('you have not allowed it'), range: expect.anything() }),
    ]);
    expect(server.requests).toEqual([]);
});

test('more than a hundred calls are asked about, with their number', async () => {
    await started({ agrees: true, model: { agreed: `chat-completions ${server.baseUrl}` } });
    expect((await ran(asking(101))).outcome).toBe('finished');
    expect(questions()).toEqual([expect.stringMatching(/101 calls of a language model, with about [\d,]+ tokens/u)]);
    expect(server.requests).toHaveLength(101);
});

test('an agreement is about one address', async () => {
    await started({ agrees: false, model: { agreed: 'chat-completions http://127.0.0.1:1/v1' } });
    expect((await ran(asking(1))).outcome).toBe('failed');
    expect(questions()).toHaveLength(1);
});

test('the model that is saved for the services counts where the environment names none', async () => {
    const dataDirectory = join(dataHome, 'of-services');
    fs.mkdirSync(join(dataDirectory, 'auth'), { recursive: true });
    fs.mkdirSync(join(dataDirectory, 'configuration'));
    const saved = { LLM_BASE_URL: server.baseUrl, LLM_API_KEY: KEY, LLM_VERSION: 'saved' };
    fs.writeFileSync(join(dataDirectory, 'configuration/user.json'), JSON.stringify(saved));
    const none = { LLM_PROVIDER: '', LLM_API_KEY: '', LLM_BASE_URL: '' };
    await started({ agrees: true, environment: none, model: { dataDirectory } });
    expect((await ran(asking(1))).outcome).toBe('finished');
    expect(server.requests.map(({ body }) => body.model)).toEqual(['saved']);
});

test('nothing is asked where models are to be told nothing, and the setting is named', async () => {
    await started({ agrees: true, model: { never: true } });
    const { notices } = await ran(asking(1));
    expect(notices).toEqual([expect.objectContaining({ code: 'RT060', remedy: expect.stringContaining('rulelang.model.samples') })]);
    expect(server.requests).toEqual([]);
});

test('the model of the machine answers what the editor asks, and is named before', async () => {
    await started();
    expect(await client.request('rulelang/configuredModel', {})).toEqual({
        kind: 'model',
        provider: 'chat-completions',
        name: 'm1',
        address: server.baseUrl,
    });
    const messages = [{ role: 'user', text: 'four' }];
    expect(await client.request('rulelang/askModel', { system: 'Count.', messages })).toEqual({ kind: 'answer', text: 'it is 4' });
});

test('without a model the editor learns how to get one', async () => {
    await started({ environment: { LLM_PROVIDER: 'nobody' } });
    const none = { kind: 'none', reason: expect.stringContaining('nobody') };
    expect(await client.request('rulelang/configuredModel', {})).toEqual(none);
    expect(await client.request('rulelang/askModel', { system: '', messages: [] })).toEqual(none);
});
