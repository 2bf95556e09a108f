import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LanguageClient, type Message } from '../lsp/language-client.ts';

/** One message of a session as `record.mjs` wrote it down. */
interface Recorded {
    readonly from: 'client' | 'server';
    readonly message: Message;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SESSIONS = fileURLToPath(new URL('sessions', import.meta.url));
const DIAGNOSTICS = 'textDocument/publishDiagnostics';
/** Answers that are places and edits. Of others a later version may say more, or put it better: there must still be one. */
const EXACT = [
    'definition',
    'declaration',
    'typeDefinition',
    'implementation',
    'references',
    'documentHighlight',
    'prepareRename',
    'rename',
    'formatting',
    'selectionRange',
].map(name => `textDocument/${name}`);

/** The files with which sessions are recorded. */
const FILES = Object.fromEntries(
    [
        ['problems.rulelang', 'test/vscode/programs/problems.rulelang'],
        ...['control.rulelang', 'control.test.rulelang', 'data/companies.csv', 'data/ownership.csv'].map(name => [
            `control/${name}`,
            `samples/control/${name}`,
        ]),
    ].map(([name, path]) => [name, readFileSync(join(ROOT, path ?? ''), 'utf8')]),
);

function recorded(editor: string, folder: string): readonly Recorded[] {
    const text = readFileSync(join(SESSIONS, `${editor}.jsonl`), 'utf8').replaceAll('$FOLDER', folder);
    return text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Recorded);
}

function isEmpty(answer: unknown): boolean {
    if (answer === null || answer === undefined) return true;
    const { items, data } = answer as { readonly items?: readonly unknown[]; readonly data?: readonly unknown[] };
    const list = Array.isArray(answer) ? answer : (items ?? data);
    return list !== undefined && list.length === 0;
}

const codes = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }): readonly string[] =>
    diagnostics.map(({ code }) => code).sort();

test.each(readdirSync(SESSIONS).map(name => basename(name, '.jsonl')))('a session of %s has the same answers', async editor => {
    const client = new LanguageClient({ files: FILES, door: 'command line' });
    const messages = recorded(editor, client.folder);
    const answers = new Map(messages.flatMap(({ from, message }) => (from === 'server' && !message.method ? [[message.id, message]] : [])));
    for (const { message } of messages.filter(({ from }) => from === 'client')) {
        const { id, method } = message;
        // A server ends soon after the process that began it.
        const params = method === 'initialize' ? { ...message.params, processId: process.pid } : message.params;
        if (method === undefined || method === '$/cancelRequest' || method === 'shutdown' || method === 'exit') continue;
        if (id === undefined) client.notify(method, params);
        else {
            const expected = answers.get(id);
            const answer = await client.ask(method, params).answer;
            if (expected === undefined) continue;
            expect(answer.error?.message, method).toBe(expected.error?.message);
            if (EXACT.includes(method)) expect(answer.result, method).toEqual(expected.result);
            else expect(isEmpty(answer.result), method).toBe(isEmpty(expected.result));
        }
    }
    const told = messages.filter(({ message }) => message.method === DIAGNOSTICS).map(({ message }) => message.params);
    for (const [uri, last] of new Map(told.map(params => [params.uri, codes(params)])))
        await client.diagnosed(uri, params => JSON.stringify(codes(params)) === JSON.stringify(last));
    expect(await client.stop()).toBe(0);
});
