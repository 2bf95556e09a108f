import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderWith } from '../cli/command-line.ts';
import { type Agent, localAgent } from './clients.ts';

const PROGRAM = `@bind("calls", "csv useHeaders=true", "data", "calls.csv").
@param("least", 1).
reach(X, Y) <- calls(X, Y).
reach(X, Z) <- reach(X, Y), calls(Y, Z).
far(X, N) <- reach(X, _), N = mcount(), N > ?least.
@output("far").`;
const FILES = {
    'work/net.rulelang': PROGRAM,
    'work/data/calls.csv': 'a,b\nshop,basket\nbasket,mail\nmail,store\n',
    'work/out.rulelang': 'p(1). q(X) <- p(X). @output("q"). @bind("q", "csv", "out", "q.csv").',
    'other/secret.rulelang': 'p(1). @output("p").',
    'other/secret.csv': 'x\n1\n',
};

let folder: string;
let agent: Agent;

beforeAll(async () => {
    folder = folderWith(FILES);
    fs.symlinkSync(join(folder, 'other', 'secret.rulelang'), join(folder, 'work', 'link.rulelang'));
    agent = await localAgent(join(folder, 'work'));
});
afterAll(async () => {
    await agent.close();
    fs.rmSync(folder, { recursive: true });
});

describe('what it offers', () => {
    test('tools with inputs that strict clients accept', async () => {
        const { tools } = await agent.client.listTools();
        expect(tools.map(({ name }) => name)).toEqual([
            ...['check', 'format', 'analyze_program', 'run', 'query', 'explain', 'why_not', 'list_projects', 'list_concepts'],
            ...['read_concept', 'save_concept', 'edit_concept', 'run_concept', 'fetch_results', 'facts_near', 'validate_rows'],
            ...['list_sources', 'infer_schema', 'translate', 'search_docs'],
        ]);
        for (const { name, description, inputSchema, annotations } of tools) {
            expect(description?.length, name).toBeGreaterThan(40);
            expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
            expect(JSON.stringify(inputSchema), name).not.toMatch(/"(?:anyOf|oneOf|allOf|patternProperties|\$ref|format)"/u);
            expect(annotations?.readOnlyHint, name).toBeTypeOf('boolean');
        }
    });

    test('resources: the documentation, and the programs of the folder', async () => {
        const { resources } = await agent.client.listResources();
        const uris = resources.map(({ uri }) => uri);
        expect(uris).toEqual(expect.arrayContaining(['rulelang://documentation/language', `file://${folder}/work/net.rulelang`]));
        const read = async (uri: string) => (await agent.client.readResource({ uri })).contents[0];
        expect(await read(`file://${folder}/work/net.rulelang`)).toMatchObject({ text: PROGRAM, mimeType: 'text/x-rulelang' });
        expect(await read('rulelang://documentation/language')).toMatchObject({ text: expect.stringContaining('Aggregates') });
        for (const uri of [
            `file://${folder}/other/secret.rulelang`,
            `file://${folder}/work/link.rulelang`,
            `file://${folder}/work/data/calls.csv`,
            'rulelang://x',
        ])
            await expect(read(uri), uri).rejects.toThrow();
    });
});

describe('programs', () => {
    test('are checked, with the place and the remedy', async () => {
        const { text, isError } = await agent.call('check', { program: 'a(X) <- not b(X). b(1). @output("a").' });
        expect([isError, text]).toEqual([false, expect.stringContaining('error RL2004')]);
        expect((await agent.call('check', { file: 'net.rulelang' })).text).toBe('No problems in 1 file');
    });

    test('are laid out', async () => {
        expect(await agent.call('format', { program: 'p(1).   q(X)<-p(X).' })).toEqual({ text: 'p(1).\nq(X) <- p(X).', isError: false });
    });

    test('run over their data, with parameters', async () => {
        const run = async (more: object) => JSON.parse((await agent.call('run', { file: 'net.rulelang', ...more })).text);
        expect(await run({})).toMatchObject({
            resultSet: {
                far: [
                    ['basket', 2],
                    ['shop', 3],
                ],
            },
            columnNames: { far: ['X', 'N'] },
        });
        expect((await run({ parameters: ['least=2'] })).resultSet.far).toEqual([['shop', 3]]);
        const { text } = await agent.call('run', { file: 'net.rulelang', limit: 1 });
        expect(text).toContain('1 of 2 rows');
    });

    test('are asked what is no output', async () => {
        const ask = async (body: string, more: object = { file: 'net.rulelang' }) => {
            const { text, isError } = await agent.call('query', { ...more, body });
            return isError ? text : JSON.parse(text.split('\n\n')[0] ?? '').resultSet;
        };
        expect(await ask('reach("shop", Y)')).toEqual({ query: [['basket'], ['mail'], ['store']] });
        expect(await ask('reach(X, Y), not calls(X, Y).')).toEqual({
            query: [
                ['basket', 'store'],
                ['shop', 'mail'],
                ['shop', 'store'],
            ],
        });
        expect(await ask('reach("shop", "store")')).toEqual({ query: [[true]] });
        expect(await ask('query(X)', { program: 'query(1).' })).toEqual({ query_: [[1]] });
        expect(await ask('reach("shop", Y')).toContain('is no body of a rule');
        expect(await ask('p(X). evil(X) <- p(X)')).toContain('is no body of a rule');
        expect(await ask('reech("shop", Y)')).toContain("did you mean 'reach'?");
    });

    test('explain what holds and what does not', async () => {
        const why = await agent.call('explain', { file: 'net.rulelang', fact: 'reach("shop", "mail")' });
        expect([why.isError, why.text]).toEqual([false, expect.stringContaining('calls("basket","mail")  data/calls.csv:3')]);
        const not = await agent.call('why_not', { file: 'net.rulelang', fact: 'reach("mail", "shop")' });
        expect([not.isError, not.text]).toEqual([false, expect.stringContaining('is not derived')]);
    });

    test.each([
        ['run', {}, "either 'program'"],
        ['run', { program: 'p(1).', file: 'net.rulelang' }, "either 'program'"],
        ['run', { text: 'p(1).' }, "no argument 'text'"],
        ['run', { file: 'net.rulelang', limit: 0 }, 'limit'],
        ['run', { file: 'none.rulelang' }, 'There is no file'],
        ['run', { file: '../other/secret.rulelang' }, 'lies outside of'],
        ['run', { file: 'link.rulelang' }, 'lies outside of'],
        ['run', { program: '@bind("p", "csv", "../other", "secret.csv"). q(X) <- p(X). @output("q").' }, 'RT063'],
        ['run', { program: 'p(1).', outputs: ['--allow-read=/'] }, '--allow-read=/'],
        ['explain', { program: 'p(1).', fact: '--version' }, 'is not a fact'],
        ['run', { program: 'p(1).', parameters: ['--allow-python'] }, 'needs a name and a value'],
        ['list_projects', {}, 'rulelang serve'],
    ])('%s %j is refused: %s', async (tool, input, words) => {
        const { text, isError } = await agent.call(tool, input);
        expect([isError, text]).toEqual([true, expect.stringContaining(words)]);
    });

    test('a tool that is not there is told', async () => {
        await expect(agent.call('delete_all', {})).rejects.toThrow(/no tool 'delete_all'/u);
    });
});

describe('what a user grants', () => {
    test('nothing is written without leave, and with it only there', async () => {
        const refused = await agent.call('run', { file: 'out.rulelang' });
        expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('--allow-write')]);
        expect(fs.existsSync(join(folder, 'work', 'out'))).toBe(false);
        fs.mkdirSync(join(folder, 'work', 'out'));
        const other = await localAgent(join(folder, 'work'), ['--allow-write', 'out', '--allow-read', '../other']);
        try {
            expect((await other.call('run', { file: 'out.rulelang' })).isError).toBe(false);
            expect(fs.readFileSync(join(folder, 'work', 'out', 'q.csv'), 'utf8').trim()).toBe('1');
            const read = await other.call('run', { program: '@bind("p", "csv", "../other", "secret.csv"). q(X) <- p(X). @output("q").' });
            expect(read.isError).toBe(false);
        } finally {
            await other.close();
        }
    });

    test('the roots of the agent are its folders', async () => {
        const other = await localAgent(folder, [], [join(folder, 'other')]);
        try {
            expect((await other.call('run', { file: 'secret.rulelang' })).isError).toBe(false);
            expect((await other.call('run', { file: join(folder, 'work', 'net.rulelang') })).text).toContain('lies outside of');
        } finally {
            await other.close();
        }
    });
});

test('a call that is given up, and a server that is, leave no process behind', async () => {
    const other = await localAgent(join(folder, 'work'), ['--timeout', '5m']);
    const endless = { program: 'p(0). p(Y) <- p(X), Y = X + 1, Y < 100000000. @output("p").' };
    const abort = new AbortController();
    const given = other.client.callTool({ name: 'run', arguments: endless }, undefined, { signal: abort.signal });
    const children = (): string[] =>
        fs
            .readFileSync(`/proc/${other.pid}/task/${other.pid}/children`, 'utf8')
            .trim()
            .split(' ')
            .filter(pid => pid !== '');
    await expect.poll(children).toHaveLength(1);
    abort.abort();
    await expect(given).rejects.toThrow();
    await expect.poll(children).toHaveLength(0);
    void other.client.callTool({ name: 'run', arguments: endless }).catch(() => undefined);
    await expect.poll(children).toHaveLength(1);
    const [child] = children();
    process.kill(other.pid, 'SIGKILL');
    await expect.poll(() => fs.existsSync(`/proc/${child}`)).toBe(false);
});
