import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ModelServer, type Scripted, startModelServer } from '../model/model-server.ts';
import { ended, folderWith, start } from './command-line.ts';

const PROGRAM = `own("ada","bolt",0.6). own("bolt","dun",0.7). own("eve","dun",0.3). own("eve","gamma",0.2).
control(X, Y) <- own(X, Y, S), S > 0.5.
control(X, Z) <- control(X, Y), own(Y, Z, S), S > 0.5.
@output("control").
`;
let server: ModelServer;
let folder: string;

beforeAll(async () => {
    server = await startModelServer();
    folder = folderWith({ 'control.rulelang': PROGRAM });
});
afterAll(() => server.stop());
beforeEach(() => {
    server.requests.length = 0;
});

const saying = (...sentences: readonly (readonly [string, readonly number[]])[]): Scripted => ({
    text: [JSON.stringify({ sentences: sentences.map(([text, steps]) => ({ text, steps })) })],
});

async function explain(fact: string, args: readonly string[], ...answers: readonly Scripted[]) {
    server.script(...answers);
    const env = { LLM_BASE_URL: server.baseUrl, LLM_API_KEY: '', RULELANG_DATA_DIR: `${folder}-data` };
    return ended(start(folder, ['explain', 'control.rulelang', fact, '--text', ...args], env));
}

test('a proof in the words of a model stands beside the exact ones', async () => {
    const found = await explain(
        'control("ada", "dun")',
        ['--in-words', '--allow-model'],
        saying(
            ['ada controls dun because ada controls bolt, and bolt owns 0.7 of dun.', [1]],
            ['ada owns 0.6 of bolt.', [2]],
            ['eve owns 0.3 of dun.', [3]],
            ['bolt owns 0.7 of dun, which gamma knows.', [3]],
            ['All is well.', []],
        ),
    );
    expect(found.stdout).toBe(`control("ada","dun") holds because control("ada","bolt") (1) and
own("bolt","dun",0.7).
(1) holds because own("ada","bolt",0.6).

In the words of default, which cites:
  [1] control("ada","dun")
  [2] control("ada","bolt")
ada controls dun because ada controls bolt, and bolt owns 0.7 of dun. [1]
ada owns 0.6 of bolt. [2]
3 sentences were removed that cite no step or name what is not in it.
`);
    expect([found.code, found.stderr]).toEqual([0, '']);
    const [{ body }] = server.requests as [(typeof server.requests)[number]];
    expect(body.messages[1].content).toContain('"fact":"own(\\"ada\\",\\"bolt\\",0.6)"');
    expect(JSON.stringify(body)).not.toContain('gamma');
});

test('each fact is told, and what is no list of sentences is asked for again', async () => {
    const found = await explain(
        'control("ada", X)',
        ['--in-words', '--allow-model'],
        { text: ['ada controls bolt.'] },
        saying(['ada controls bolt.', [1]]),
        saying(['Gamma controls dun.', [1]]),
    );
    expect(found.stdout).toContain('ada controls bolt. [1]\n');
    expect(found.stdout).toContain('default said nothing that stands in the proof.\n1 sentence was removed');
    expect(server.requests).toHaveLength(3);
});

test.each([
    [['--in-words'], 2, "option '--in-words' needs '--allow-model' beside it"],
    [['--in-words', '--allow-model', '--format', 'json'], 2, "for '--format text'"],
    [['--in-words', '--allow-model', '--model-calls', '1'], 1, 'the model would be asked 2 times; --model-calls 2 allows that'],
])('%j is refused', async (args, code, said) => {
    const found = await explain('control("ada", X)', args);
    expect([found.code, server.requests.length]).toEqual([code, 0]);
    expect(found.stderr).toContain(said);
});

test('a model that fails leaves the exact words', async () => {
    const found = await explain('control("ada", "bolt")', ['--in-words', '--allow-model'], {
        status: 400,
        body: '{"error": {"message": "no"}}',
    });
    expect(found.stdout).toBe('control("ada","bolt") holds because own("ada","bolt",0.6).\n');
    expect([found.code, found.stderr]).toEqual([
        1,
        expect.stringMatching(/^rulelang explain: LLM provider failed: .* answered 400: no\n$/u),
    ]);
    const env = { LLM_BASE_URL: '', LLM_API_KEY: '' };
    const without = await ended(
        start(folder, ['explain', 'control.rulelang', 'control("ada", "bolt")', '--in-words', '--allow-model'], env),
    );
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('no model can be asked: LLM_API_KEY has no value')]);
});
