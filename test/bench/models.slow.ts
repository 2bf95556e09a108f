import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, ended } from '../cli/command-line.ts';
import { type ModelServer, type Scripted, startModelServer } from '../model/model-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const module = await import(new URL('../../bench/model-tasks.mjs', import.meta.url).href);
const TASKS: readonly { readonly name: string; readonly program: string }[] = module.modelTasks();

describe('the runner', () => {
    let server: ModelServer;
    let folder: string;
    beforeAll(async () => {
        server = await startModelServer();
        folder = mkdtempSync(join(tmpdir(), 'rulelang-models-test-'));
    });
    afterAll(async () => {
        await server.stop();
        rmSync(folder, { recursive: true });
    });

    const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> => {
        const { LLM_API_KEY: _, ...others } = process.env;
        return ended(spawn(process.execPath, ['bench/models.mjs', '--no-build', ...args], { cwd: root, env: { ...others, ...env } }));
    };
    const programOf = (name: string): string => TASKS.find(task => task.name === name)?.program ?? '';
    const saying = (program: string): Scripted => ({ text: ['Here it is:\n```rulelang\n', program, '\n```\n'] });

    test('counts the programs that give the rows, and says of others what is wrong', async () => {
        const out = join(folder, 'out.json');
        const bands = programOf('hr-bands');
        server.script(
            saying(bands.replace('Y < 3', 'Y <= 3')),
            saying('untrained(P) <- works(P, L), P > Q.\n@output("untrained").'),
            saying(programOf('hr-untrained')),
            { text: ['I do not know.'] },
            { text: ['I do not know.'] },
            { text: ['I do not know.'] },
            saying(programOf('sales-large-orders')),
            { status: 400 },
            saying('risk(P, C) <- supplies(S, P), seat(S, C).\n#F <- risk(P, "Chile").\n@output("risk").'),
            saying('nowhere(A) <- article(A), not stored(A, _, _).\n@output("nowhere").'),
        );
        const names = [
            'hr-bands',
            'hr-untrained',
            'orders-broken-rules',
            'sales-large-orders',
            'stock-reorder',
            'supply-single-country',
            'warehouse-two-lists',
        ];
        const args = ['--provider', 'chat-completions', '--version', 'scripted', '--base-url', server.baseUrl, '--out', out];
        const { code, stdout, stderr } = await run([...args, ...names.flatMap(name => ['--task', name])], {
            LLM_API_KEY: 'canary-of-the-bench',
        });
        expect([code, stderr]).toEqual([0, '']);
        const lines = stdout.split('\n').map(line => line.replace(/ +\d+\.\d /u, ' T ').replaceAll(/ +/gu, ' '));
        expect(lines).toEqual([
            'task grade requests seconds tokens result',
            'hr-bands 1 1 T 11+7 other rows: 5 right, 1 wrong, 1 missing',
            'hr-untrained 1 2 T 22+14 the rows',
            expect.stringMatching(/^orders-broken-rules 1 3 T 33\+21 no program: \S/u),
            'sales-large-orders 1 1 T 11+7 the rows',
            expect.stringMatching(/^stock-reorder 1 1 T 0\+0 no answer: LLM provider failed: 127\.0\.0\.1:\d+ answered 400/u),
            expect.stringMatching(/^supply-single-country 2 1 T 11\+7 fails: .*The constraint #F/u),
            'warehouse-two-lists 1 1 T 11+7 other rows: 1 right, 0 wrong, 2 missing',
            '',
            'grade 1: 2 of 6',
            'grade 2: 0 of 1',
            '2 give other rows, 1 fail, 1 are none, 1 were not answered',
            '2 of 7 programs give the rows',
            '',
        ]);
        const written = readFileSync(out, 'utf8');
        expect(stdout + written).not.toContain('canary');
        const { results, ...of } = JSON.parse(written);
        expect(of).toEqual({ provider: 'chat-completions', version: 'scripted', temperature: '0' });
        expect(results[0]).toMatchObject({ task: 'hr-bands', kind: 'other rows', program: expect.stringContaining('Y <= 3') });
        const [first, , third] = server.requests;
        expect(first?.headers.authorization).toBe('Bearer canary-of-the-bench');
        expect(first?.body).toMatchObject({ model: 'scripted', temperature: 0, max_tokens: 4000 });
        expect(first?.body.messages[0].content).toContain(
            '{"predicate":"service","columns":["name: STRING","years: INT"],"description":"Years of service."}',
        );
        expect(first?.body.messages[1].content).toContain('The result is the predicate band with the columns name, band, in this order.');
        expect(third?.body.messages.at(-1).content).toContain('The checker says');
    }, 180_000);

    test('says what keeps a model from being asked', async () => {
        const { code, stdout, stderr } = await run(['--provider', 'openia', '--task', 'hr-bands']);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain('LLM_PROVIDER "openia" is not known; did you mean openai?');
    });

    test.each([
        [['--task', 'hr'], "There is no task 'hr'; there are access-roles, "],
        [['--limit', 'soon'], "--limit needs a number, not 'soon'."],
        [['--base-url', 'here'], "--base-url needs an address such as http://localhost:11434/v1, not 'here'."],
        [['--modell', 'x'], "Unknown option '--modell'"],
    ])('%j is refused', async (args, message) => {
        const { code, stdout, stderr } = await run(args);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain(message);
        expect(stderr).toContain('npm run bench:models -- [options]');
    });
});
