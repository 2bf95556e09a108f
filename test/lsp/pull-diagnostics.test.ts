import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { LanguageClient, type Message } from './language-client.ts';

const PULLS = { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } };
const NAME = 'main.rulelang';
const UNBOUND = 'p(X) <- q(X), X > Z.\nq(1).\n';
const FINE = '@output("p").\np(X) <- q(X).\nq(1).\n';

let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

interface Report {
    readonly uri: string;
    readonly kind: 'full' | 'unchanged';
    readonly resultId: string;
    readonly version: number | null;
    readonly items?: readonly { readonly code: string; readonly severity: number; readonly source: string }[];
}

async function started(options: Parameters<typeof LanguageClient.start>[0] = {}): Promise<void> {
    client = await LanguageClient.start({ capabilities: PULLS, trusted: true, ...options });
}

function open(name: string, text: string): void {
    client.notify('textDocument/didOpen', { textDocument: { uri: client.uri(name), languageId: 'rulelang', version: 1, text } });
}

function change(name: string, version: number, text: string): void {
    client.notify('textDocument/didChange', { textDocument: { uri: client.uri(name), version }, contentChanges: [{ text }] });
}

function pull(name: string, previousResultId?: string): Promise<Report> {
    return client.request('textDocument/diagnostic', {
        textDocument: { uri: client.uri(name) },
        ...(previousResultId !== undefined && { previousResultId }),
    });
}

async function pullWorkspace(known: readonly Report[] = [], more: object = {}): Promise<readonly Report[]> {
    const previousResultIds = known.map(({ uri, resultId }) => ({ uri, value: resultId }));
    return (await client.request('workspace/diagnostic', { previousResultIds, ...more })).items;
}

const codes = ({ items }: Report): readonly string[] => (items ?? []).map(({ code }) => code);
const names = (reports: readonly Report[]): readonly string[] => reports.map(({ uri }) => uri.slice(uri.lastIndexOf('/') + 1));
const pushed = (): readonly Message[] => client.received.filter(({ method }) => method === 'textDocument/publishDiagnostics');

describe('a client that asks', () => {
    test('is told the problems of the newest text, and that they are the same where they are', async () => {
        await started();
        expect(client.initialized.capabilities.diagnosticProvider).toEqual({
            identifier: 'rulelang',
            interFileDependencies: true,
            workspaceDiagnostics: true,
        });
        open(NAME, UNBOUND);
        const first = await pull(NAME);
        expect(first.kind).toBe('full');
        expect(codes(first)).toContain('RL2002');
        expect(await pull(NAME, first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId });
        change(NAME, 2, FINE);
        const second = await pull(NAME, first.resultId);
        expect(second).toMatchObject({ kind: 'full', items: [] });
        change(NAME, 3, UNBOUND);
        expect((await pull(NAME, second.resultId)).resultId).toBe(first.resultId);
        expect(pushed()).toEqual([]);
    });

    test('is asked to ask again when an included module changes the problems, and not when it does not', async () => {
        await started();
        const base = (fact: string): string => `@module("base").\n${fact}\n`;
        open('base.rulelang', base('q(1).'));
        open(NAME, '@include("base").\n@output("p").\np(X) <- q(X).\n');
        const first = await pull(NAME);
        expect(codes(first)).toEqual([]);
        const refreshes = (): number => client.received.filter(({ method }) => method === 'workspace/diagnostic/refresh').length;
        change('base.rulelang', 2, base('q(2).'));
        change('base.rulelang', 3, base('q(2, 3).'));
        await expect.poll(refreshes).toBe(1);
        const second = await pull(NAME, first.resultId);
        expect(codes(second)).not.toEqual([]);
        expect(pushed()).toEqual([]);
    });

    test('is told the first errors of a long text at once, and to ask again once it is known what the text means', async () => {
        await started();
        const asked = client.next('workspace/diagnostic/refresh');
        open(NAME, `p(X) <- q(X.\n${UNBOUND}% ${'long '.repeat(20_000)}\n`);
        const first = await pull(NAME);
        expect(codes(first)).toEqual(['RL0006']);
        await asked;
        const second = await pull(NAME, first.resultId);
        expect(codes(second)).toEqual(expect.arrayContaining(['RL0006', 'RL2002']));
        expect(await pull(NAME, second.resultId)).toMatchObject({ kind: 'unchanged' });
    });

    test('is told what parameters it left out', async () => {
        await started();
        await expect(client.ask('textDocument/diagnostic', {}).answer).resolves.toMatchObject({ error: { code: -32602 } });
    });

    test('is told what a run reported', async () => {
        await started();
        open(NAME, '@output("q").\np(1). p(7).\nq(X) <- p(X).\n#F <- q(X), X > 5.\n');
        const first = await pull(NAME);
        const asked = client.next('workspace/diagnostic/refresh');
        await client.request('rulelang/run', { uri: client.uri(NAME) });
        await asked;
        expect(codes(await pull(NAME, first.resultId))).toContain('RT041');
    });
});

describe('a client that cannot be told to ask again', () => {
    test('is sent problems, and answered none', async () => {
        await started({ capabilities: { textDocument: { diagnostic: {} } } });
        expect(client.initialized.capabilities).not.toHaveProperty('diagnosticProvider');
        const { diagnostics } = await client.open(NAME, UNBOUND);
        expect(diagnostics.map(({ code }: { code: string }) => code)).toContain('RL2002');
        await expect(pull(NAME)).rejects.toThrow();
    });
});

describe('the workspace', () => {
    const FILES = { 'wrong.rulelang': UNBOUND, 'fine.rulelang': FINE, 'hint.rulelang': '@output("h").\nh(X) <- p(X).\nh(2).\np(1).\n' };

    test('tells open documents first, then the programs that are not open, without hints', async () => {
        await started({ files: FILES });
        open(NAME, FINE);
        const reports = await pullWorkspace();
        expect(names(reports)).toEqual([NAME, 'wrong.rulelang']);
        expect(reports.map(({ version }) => version)).toEqual([1, null]);
        expect(reports.map(codes)[1]).toContain('RL2002');
        expect(reports.flatMap(({ items = [] }) => items).filter(({ severity }) => severity === 4)).toEqual([]);
        const again = await pullWorkspace(reports);
        expect(again.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged']);
    });

    test('has changed where a file did, and no problems of one that is gone', async () => {
        await started({ files: FILES });
        const before = await pullWorkspace();
        expect(names(before)).toEqual(['wrong.rulelang']);
        fs.writeFileSync(join(client.folder, 'fine.rulelang'), UNBOUND);
        fs.rmSync(join(client.folder, 'wrong.rulelang'));
        client.notify('workspace/didChangeWatchedFiles', {
            changes: [
                { uri: client.uri('fine.rulelang'), type: 2 },
                { uri: client.uri('wrong.rulelang'), type: 3 },
            ],
        });
        await expect.poll(async () => names(await pullWorkspace(before))).toEqual(['fine.rulelang', 'wrong.rulelang']);
        const reports = await pullWorkspace(before);
        expect(reports[1]).toMatchObject({ kind: 'full', items: [] });
    });

    test('a program that is not open has other problems when what it includes does', async () => {
        await started({ files: { 'user.rulelang': '@include("base").\n@output("p").\np(X) <- q(X).\n' } });
        open('base.rulelang', '@module("base").\nq(1).\n');
        const reported = (reports: readonly Report[]): readonly string[] =>
            reports.filter(({ uri }) => uri.includes('user')).flatMap(codes);
        const before = await pullWorkspace();
        expect(reported(before)).toEqual([]);
        change('base.rulelang', 2, '@module("base").\nq(1, 2).\n');
        expect(reported(await pullWorkspace(before))).not.toEqual([]);
    });

    test('a program that was open and is closed is told anew, whatever was known of it before', async () => {
        await started({ files: FILES });
        const before = await pullWorkspace();
        open('wrong.rulelang', FILES['wrong.rulelang']);
        await pull('wrong.rulelang');
        client.notify('textDocument/didClose', { textDocument: { uri: client.uri('wrong.rulelang') } });
        const [report] = await pullWorkspace(before);
        expect([report?.kind, report?.resultId]).toEqual(['full', before[0]?.resultId]);
        expect((await pullWorkspace(before)).map(({ kind }) => kind)).toEqual(['unchanged']);
    });

    test('a client that takes pieces waits until something is other than it knows', async () => {
        await started({ files: FILES });
        const pieces: Report[] = [];
        const first = await pullWorkspace([], { partialResultToken: 'first' });
        expect(names(first)).toEqual(['wrong.rulelang']);
        const { answer } = client.ask('workspace/diagnostic', {
            previousResultIds: first.map(({ uri, resultId }) => ({ uri, value: resultId })),
            partialResultToken: 'second',
        });
        open('new.rulelang', UNBOUND);
        const { result } = await answer;
        pieces.push(...result.items);
        expect(names(pieces)).toEqual(['new.rulelang']);
        const known = await pull('new.rulelang');
        const waits = client.ask('workspace/diagnostic', {
            previousResultIds: first.map(({ uri, resultId }) => ({ uri, value: resultId })),
            partialResultToken: 'third',
        });
        expect(await pull('new.rulelang', known.resultId)).toMatchObject({ kind: 'unchanged' });
        client.notify('$/cancelRequest', { id: waits.id });
        expect((await waits.answer).result?.items ?? []).toEqual([]);
    });

    test('tells of open documents alone where the setting says so; a closed one is told when asked for', async () => {
        await started({ files: FILES });
        expect(codes(await pull('wrong.rulelang'))).toContain('RL2002');
        client.notify('workspace/didChangeConfiguration', { settings: { rulelang: { problems: { workspace: false } } } });
        open(NAME, UNBOUND);
        expect(names(await pullWorkspace())).toEqual([NAME]);
        expect(codes(await pull('wrong.rulelang'))).toEqual([]);
    });
});
