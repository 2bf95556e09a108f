import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const FILES = {
    'net/net.rulelang': '@bind("calls", "csv useHeaders=true", "data", "calls.csv").\nreach(X, Y) <- calls(X, Y).\n@output("reach").\n',
    'net/data/calls.csv': 'a,b\nshop,basket\nbasket,mail\n',
};
const REACHES = '@bind("p", "postgresql host=\'127.0.0.1\', port=1, username=\'u\'", "d", "t").\nq(X) <- p(X).\n@output("q").\n';

let client: LanguageClient;
afterEach(() => client.stop());

const call = (name: string, input: object, others: object = {}) => client.request('rulelang/callTool', { name, input, ...others });

test('tools work on the folders of the workspace', async () => {
    client = await LanguageClient.start({ trusted: true, files: FILES });
    const run = await call('run', { file: 'net/net.rulelang' });
    expect(JSON.parse(run.text).resultSet).toEqual({
        reach: [
            ['basket', 'mail'],
            ['shop', 'basket'],
        ],
    });
    expect(run).toMatchObject({ isError: false, hasErrors: false });
    expect(await call('check', { program: 'q(X) <- p(Y).' })).toMatchObject({
        text: expect.stringMatching(/RL1101/u),
        isError: false,
        hasErrors: true,
    });
    expect(await call('search_docs', { question: 'recursion' })).toMatchObject({ text: expect.stringContaining('## '), isError: false });
    expect(await call('check', { file: '../../etc/passwd' })).toMatchObject({ isError: true });
    expect(await call('drop', {})).toEqual({ text: expect.stringContaining("There is no tool 'drop'"), isError: true, hasErrors: false });
    await expect(client.request('rulelang/callTool', { name: 'run' })).rejects.toThrow('the name of a tool and its arguments');
});

test('a program that is given as a text is read in the folder of the one that is named', async () => {
    client = await LanguageClient.start({ trusted: true, files: FILES });
    const program = fs.readFileSync(join(client.folder, 'net/net.rulelang'), 'utf8');
    expect(await call('run', { program })).toMatchObject({ isError: true });
    const { text } = await call('run', { program }, { uri: client.uri('net/net.rulelang') });
    expect(text).toContain('"basket","mail"');
});

test('hosts are those that the user has allowed, and none for a program that nobody has seen', async () => {
    client = await LanguageClient.start({ trusted: true, allowNet: ['127.0.0.1:1'] });
    expect((await call('run', { program: REACHES })).text).toMatch(/nothing listens/u);
    expect((await call('run', { program: REACHES }, { unseen: true })).text).toContain('--allow-net');
});

test('nothing is done in a workspace that is not trusted', async () => {
    client = await LanguageClient.start({ trusted: false, files: FILES });
    await expect(call('search_docs', { question: 'recursion' })).rejects.toThrow('not trusted');
    client.notify('rulelang/trustGranted', {});
    expect(await call('check', { file: 'net/net.rulelang' })).toMatchObject({ hasErrors: false });
});

test('rules that a model has written are tried on the files, and write nothing', async () => {
    client = await LanguageClient.start({ trusted: true, files: FILES });
    const uri = client.uri('net/net.rulelang');
    const program = fs.readFileSync(join(client.folder, 'net/net.rulelang'), 'utf8');
    const tried = (rules: string) => client.request('rulelang/tryRules', { uri, program: `${program}\n${rules}\n`, rules });
    expect(await tried('two(X, Z) <- reach(X, Y), reach(Y, Z).\nnone(X) <- reach(X, X).')).toEqual({
        predicates: [
            { name: 'two', rows: 1 },
            { name: 'none', rows: 0 },
        ],
        most: 1000,
    });
    const written = await tried('out(X) <- reach(X, Y).\n@output("out"). @bind("out", "csv", "data", "out.csv").');
    expect(written.reason).toContain('--allow-write');
    expect(fs.existsSync(join(client.folder, 'net/data/out.csv'))).toBe(false);
    expect((await tried(REACHES)).reason).toContain('--allow-net');
});
