import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { commandModel } from '#server/model/machine-model.ts';
import { modelFunctions } from '#server/model/model-functions.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { outcomeOf, runOptions } from '../support/conformance.ts';
import { factsText } from '../support/expected-facts.ts';
import { type ModelServer, type Scripted, startModelServer } from './model-server.ts';

const KEY = 'sk-canary-2731';
let server: ModelServer;
let folder: string;

/** How long the question is; a list of that where a list is asked for; the vector of a text is its length and its first character. */
function answerOf(system: string, prompt: string): string {
    if (system.includes('array of')) return `[${prompt.length}, 7]`;
    return system.includes('whole number') ? `${prompt.length % 4}` : ` it is ${prompt.length}\n`;
}

function vectorOf(text: string): number[] {
    return [text.length, text.charCodeAt(0)];
}

function answered(body: { messages: { content: string }[]; input: string[] }): Scripted {
    if (body.input !== undefined) return { embeddings: body.input.map(vectorOf) };
    const [system, user] = body.messages.map(({ content }) => content);
    return { text: [answerOf(system ?? '', user ?? '')] };
}

beforeAll(async () => {
    server = await startModelServer();
});
afterAll(() => server.stop());
beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'model-functions-'));
    server.requests.length = 0;
    server.script();
    server.answerBy(answered);
    return () => fs.rmSync(folder, { recursive: true });
});

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return { XDG_DATA_HOME: folder, LOCALAPPDATA: folder, LLM_BASE_URL: server.baseUrl, LLM_API_KEY: KEY, LLM_VERSION: 'm1', ...more };
}

async function run(text: string, most = 100, more: NodeJS.ProcessEnv = {}, cancelled: () => string | undefined = () => undefined) {
    const program = analyse(readProgram(text, 'test.rulelang').value);
    expect(program.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const providers = modelFunctions(commandModel(environment(more), [], most));
    const outcome = await evaluate(program, { ...runOptions('.'), cancelled, providers });
    expect(JSON.stringify(outcome.reports)).not.toContain(KEY);
    const naive = await evaluateNaive(program, {
        ...runOptions('.'),
        provided:
            name =>
            ([prompt = '', options = '', type = '']) =>
                name === 'embeddings:vectorize'
                    ? JSON.stringify(vectorOf(prompt))
                    : answerOf(systemLike(type === '' ? options : type), prompt).trim(),
    });
    return {
        reports: outcome.reports,
        facts: outcome.ok ? factsText(outcomeOf(outcome).facts) : '',
        naive: factsText(outcomeOf(naive).facts),
    };
}

function systemLike(options: string): string {
    return options.includes('list') ? 'array of' : options.includes('int') ? 'whole number' : '';
}

const PROGRAM = `p("a"). p("bb"). p("ccc"). e("x", 1). e("yy", 2).
told(X, V) <- p(X), V = llm:generate("Say \${X}").
number(X, N) <- p(X), N = llm:generate("Count \${X}", "output_type=int"), N > 0.
list(X, L) <- p(X), L = llm:generate("List \${X}", "output_type=list<int>").
rows(A, B, T, N) <- #LLM(e, "prompt_1=Row {arg_1}, prompt_2=Count {arg_2}, output_type_2=int").
near(X, Y, S) <- p(X), p(Y), X < Y, S = similarity:cosine_sim(embeddings:vectorize(X), embeddings:vectorize(Y)).
@output("told"). @output("number"). @output("list"). @output("rows"). @output("near").`;

test('a program asks each question once, and another run asks none', async () => {
    const first = await run(PROGRAM);
    expect(first.reports).toEqual([]);
    expect(first.facts).toBe(first.naive);
    expect(first.facts).toContain('"a", "it is 5"');
    const texts = server.requests.filter(({ path }) => path.endsWith('/chat/completions'));
    expect(texts).toHaveLength(13);
    expect(new Set(texts.map(({ body }) => body.messages[1].content)).size).toBe(13);
    expect(server.requests.filter(({ path }) => path.endsWith('/embeddings')).map(({ body }) => body.input)).toEqual([
        ['a', 'bb'],
        ['ccc'],
    ]);
    server.requests.length = 0;
    server.answerBy(() => ({ status: 500 }));
    const second = await run(PROGRAM, 0);
    expect(second.facts).toBe(first.facts);
    expect(server.requests).toEqual([]);
});

test('facts around the values of a row stand in a prompt, and are part of the question', async () => {
    const text = (more: string) => `owns("ada", "bolt", 0.6). owns("bolt", "dun", 0.7). owns("eve", "gamma", 0.1). owns("x", "y", 600).
city("bolt", "Oslo {arg_1}"). city("dun", "Bergen"). asked("ada", 600). asked("nobody", 1).
rich(X) <- owns(X, Y, S), S > 0.5.
told(X, T) <- #LLM(asked, "prompt=Is {arg_1} rich? {facts}, facts=owns;city;rich${more}, projected_columns=arg_1:llm_1"). @output("told").`;
    const one = await run(text(''));
    expect([one.reports, one.facts === one.naive]).toEqual([[], true]);
    const questions = () => server.requests.map(({ body }) => body.messages[1].content).sort();
    expect(questions()).toEqual(['Is ada rich? owns("ada","bolt",0.6)\nrich("ada")', 'Is nobody rich? ']);
    server.requests.length = 0;
    await run(text(', steps=2'));
    expect(questions()).toEqual([
        'Is ada rich? owns("ada","bolt",0.6)\nrich("ada")\ncity("bolt","Oslo {arg_1}")\nowns("bolt","dun",0.7)\nrich("bolt")',
    ]);
});

test('another model, or another temperature, is another question', async () => {
    const text = `p("a"). q(V) <- p(X), V = llm:generate("Say {arg_1}", X). @output("q").`;
    await run(text);
    await run(text, 100, { LLM_VERSION: 'm2' });
    await run(text, 100, { LLM_TEMPERATURE: '0' });
    await run(text.replace(', X)', ', "selected_models=m3;m4", X)'));
    await run(text);
    expect(server.requests.map(({ body }) => [body.model, body.temperature])).toEqual([
        ['m1', 0.5],
        ['m2', 0.5],
        ['m1', 0],
        ['m3', 0.5],
    ]);
});

test('of several models the next is asked where one gives no answer', async () => {
    server.answerBy(body => (body.model === 'm3' ? { status: 404 } : body.model === 'm4' ? { text: [], refusal: 'no' } : answered(body)));
    const text = 'q(V) <- V = llm:generate("Say it", "selected_models=m3; m4;m5"). @output("q").';
    const first = await run(text);
    expect([first.reports, first.facts]).toEqual([[], '%! facts q\n%!   "it is 6"']);
    expect((await run(text)).facts).toBe(first.facts);
    expect(server.requests.map(({ body }) => body.model)).toEqual(['m3', 'm4', 'm5']);
    const { reports } = await run(text.replace(';m5', '').replace('it', 'them'));
    expect(reports).toEqual([expect.objectContaining({ code: 'RT092', message: expect.stringContaining('refused') })]);
});

test('more calls than are allowed are refused before any is made, with their number', async () => {
    const facts = Array.from({ length: 101 }, (_, i) => `p(${i}).`).join(' ');
    const { reports } = await run(`${facts} q(V) <- p(X), V = llm:generate("Say \${X}"). @output("q").`);
    expect(reports).toEqual([
        expect.objectContaining({
            code: 'RT092',
            message: expect.stringMatching(/101 calls with about [\d,]+ tokens of questions, and this run may make 100/u),
            remedy: 'Add --model-calls 101 to let it make them.',
        }),
    ]);
    expect(server.requests).toEqual([]);
});

test('what a provider says is told at the call, and answers that came before are kept', async () => {
    server.answerBy(body =>
        body.messages[1].content === 'Say bb' ? { status: 401, body: '{"error":{"message":"no such key"}}' } : answered(body),
    );
    const text = 'p("a"). p("bb"). p("ccc"). q(V) <- p(X), V = llm:generate("Say {arg_1}", X). @output("q").';
    const failed = await run(text);
    expect(failed.reports).toEqual([expect.objectContaining({ code: 'RT092', message: expect.stringContaining('no such key') })]);
    server.requests.length = 0;
    server.answerBy(answered);
    const again = await run(text);
    expect(again.facts).toBe(again.naive);
    expect(server.requests.map(({ body }) => body.messages[1].content)).toEqual(['Say bb']);
});

test('an answer that was cut is none', async () => {
    server.answerBy(() => ({ text: ['half of'], end: 'length' }));
    const { reports } = await run('q(V) <- V = llm:generate("Say it"). @output("q").');
    expect(reports).toEqual([expect.objectContaining({ code: 'RT092', remedy: expect.stringContaining('LLM_MAX_TOKENS') })]);
});

test('whoever stops a run waits for no answer', async () => {
    server.answerBy(() => ({ text: ['so'], fault: 'silence' }));
    const { reports } = await run('q(V) <- V = llm:generate("Say it"). @output("q").', 100, {}, () =>
        server.requests.length > 0 ? 'a test' : undefined,
    );
    expect(reports).toEqual([expect.objectContaining({ code: 'RT032' })]);
    await server.requests[0]?.closed;
});

test('what keeps a model from being asked is said at the call', async () => {
    const text = 'q(V) <- V = llm:generate("Say it"). @output("q").';
    const { reports } = await run(text, 100, { LLM_BASE_URL: '', LLM_API_KEY: '' });
    expect(reports).toEqual([expect.objectContaining({ code: 'RT060', remedy: expect.stringContaining('LLM_API_KEY has no value') })]);
});
