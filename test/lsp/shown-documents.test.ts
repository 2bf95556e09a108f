import { afterEach, describe, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const ASKS = { workspace: { textDocumentContent: {} } };
const NAME = 'paths.rulelang';
const PATHS = `@output("path").
@bind("edge", "csv useHeaders=true", "", "edges.csv").
path(X, Y) <- edge(X, Y).
path(X, Z) <- path(X, Y), edge(Y, Z), X != Z.
`;
const FILES = { 'edges.csv': 'from,to\n1,2\n2,3\n', 'closed.rulelang': '@output("q").\nq(X) <- p(X).\np(1).\n' };

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

async function opened(capabilities: object = ASKS, text = PATHS): Promise<void> {
    client = await LanguageClient.start({ capabilities, files: FILES });
    await client.open(NAME, text);
}

const show = (part: string, more: object = {}, name = NAME): Promise<{ readonly uri: string; readonly text: string } | null> =>
    client.request('rulelang/show', { uri: client.uri(name), part, ...more });
const content = async (uri: string): Promise<string> => (await client.request('workspace/textDocumentContent', { uri })).text;

describe('what the server makes of a program', () => {
    test('is told a client that asks for texts, at an address that says what it is', async () => {
        await opened();
        expect(client.initialized.capabilities.workspace).toMatchObject({
            textDocumentContent: { schemes: ['rulelang-show'] },
            fileOperations: {},
        });
        const plan = await show('plan');
        expect(plan?.text).toContain('stratum 1 (recursive');
        expect(plan?.text).toContain('path(X,Z) <- path(X,Y), edge(Y,Z), X!=Z');
        expect(plan?.uri).toMatch(/^rulelang-show:\/paths\.plan\.txt\?/u);
        expect(await content(plan?.uri ?? '')).toBe(plan?.text);
    });

    test('rules of a predicate as they are read and as they would be run', async () => {
        await opened();
        const shown = await show('rules', { position: { line: 3, character: 2 } });
        expect(shown?.uri).toContain('path(2).rules.txt');
        const { text = '' } = shown ?? {};
        expect(text.indexOf('% As it is read\npath(X,Y) <- edge(X,Y).')).toBe(0);
        expect(text).toContain('% Before the passes of the planner\nstratum 1 (recursive');
        expect(text).toMatch(/% As it would be run: .+\nstratum 1 \(recursive/u);
        expect(await show('rules', { predicate: 'path' })).toEqual(shown);
        expect(await show('rules', { predicate: 'none/1' })).toBeNull();
        expect((await show('rules', { predicate: 'edge/2' }))?.text).toBe("% 'edge' has no rules here\n");
    });

    test('columns of a source, and what needs what', async () => {
        await opened();
        const { text = '' } = (await show('columns', { position: { line: 1, character: 8 } })) ?? {};
        expect(text).toContain('% edge(from: ');
        expect(text).toMatch(/\nfrom +\w+ +'from' in the source\n/u);
        expect(text).toMatch(/\n% csv edges\.csv\nfrom +\w+\nto +\w+\n/u);
        expect((await show('graph'))?.text).toMatch(/^flowchart TB\n/u);
    });

    test('of a program that is not open, and of one that has errors', async () => {
        await opened(ASKS, '@output("p").\np(X) <- q(X), X > Z.\nq(1).\n');
        expect((await show('plan', {}, 'closed.rulelang'))?.text).toContain('q(X) <- p(X)');
        expect((await show('plan'))?.text).toMatch(/^A program with errors has no plan:\n {2}2: RL2002 /u);
        expect(await show('plan', {}, 'none.rulelang')).toBeNull();
    });

    test('follows the program', async () => {
        await opened();
        const { uri = '', text } = (await show('plan')) ?? {};
        expect(await content(uri)).toBe(text);
        const refreshed = client.next('workspace/textDocumentContent/refresh');
        const contentChanges = [{ text: PATHS.replace(', X != Z', '') }];
        client.notify('textDocument/didChange', { textDocument: { uri: client.uri(NAME), version: 2 }, contentChanges });
        expect(await refreshed).toEqual({ uri });
        expect(await content(uri)).toContain('path(X,Z) <- path(X,Y), edge(Y,Z)\n');
        client.notify('textDocument/didChange', {
            textDocument: { uri: client.uri(NAME), version: 3 },
            contentChanges: [{ text: 'p(1).' }],
        });
        const rules = uri
            .replace('plan', 'rules')
            .replace('%7D', '%2C%22predicate%22%3A%22path%2F2%22%7D')
            .replaceAll('%22plan', '%22rules');
        expect(await content(rules)).toBe('The program does not have this any more\n');
        await expect(content('rulelang-show:/none')).rejects.toThrow('with parameters that it does not have');
    });
});

test('an editor that cannot ask for texts has a command that answers them', async () => {
    await opened({});
    expect(client.initialized.capabilities).toMatchObject({ executeCommandProvider: { commands: ['rulelang.show'] } });
    expect(client.initialized.capabilities.workspace).not.toHaveProperty('textDocumentContent');
    const run = (...given: readonly unknown[]) =>
        client.request('workspace/executeCommand', { command: 'rulelang.show', arguments: given });
    expect(await run(client.uri(NAME), 'rules', { line: 2, character: 0 })).toEqual(await show('rules', { predicate: 'path/2' }));
    await expect(run(client.uri(NAME), 'everything')).rejects.toThrow('without the address of a program');
    await expect(run(client.uri('none.rulelang'), 'plan')).rejects.toThrow('There is nothing to show here');
});
