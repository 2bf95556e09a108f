import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const NAME = 'save.rulelang';
const PROGRAM = 'town("Rome"). @output("copy"). copy(X) <- town(X). @bind("copy", "csv useHeaders=true", "", "out.csv").\n';
const OLD = 'id,sum\n1,2\n';

let client: LanguageClient;
afterEach(() => client.stop());

async function ran(agrees: boolean) {
    client = await LanguageClient.start({ agrees, trusted: true, files: { [NAME]: PROGRAM, 'out.csv': OLD } });
    await client.open(NAME, PROGRAM);
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/run', { uri: client.uri(NAME) });
    const end = await ended;
    const asked = client.received.filter(({ method }) => method === 'window/showMessageRequest').map(({ params }) => params);
    return { end, asked, held: fs.readFileSync(join(client.folder, 'out.csv'), 'utf8') };
}

const QUESTION = {
    message:
        "The program replaces 'out.csv', and its bind does not say so: its columns are id, sum, and those of 'copy' are X. Replace it?",
    actions: [{ title: 'Replace It' }],
};

test('a file with other columns is replaced where the user says so', async () => {
    const { end, asked, held } = await ran(true);
    expect(asked).toMatchObject([QUESTION]);
    expect(end.outcome).toBe('finished');
    expect(held).toBe('X\nRome\n');
});

test('and kept where not', async () => {
    const { end, asked, held } = await ran(false);
    expect(asked).toMatchObject([QUESTION]);
    expect(end).toMatchObject({ outcome: 'failed', notices: [{ code: 'RT067' }] });
    expect(held).toBe(OLD);
});

test('what a run would keep is told while it is written, with the two ways; what it replaces is a hint', async () => {
    client = await LanguageClient.start({ trusted: true, files: { [NAME]: PROGRAM, 'out.csv': OLD } });
    await client.open(NAME, PROGRAM);
    const uri = client.uri(NAME);
    const told = (severity: number, message: string) => (params: { diagnostics: { severity: number; message: string }[] }) =>
        params.diagnostics.some(one => one.severity === severity && one.message.startsWith(message));
    const { diagnostics } = await client.diagnosed(uri, told(2, "A run does not replace 'out.csv' unasked: its columns are id, sum"));
    const [{ range }] = diagnostics;
    const actions = await client.request('textDocument/codeAction', { textDocument: { uri }, range, context: { diagnostics } });
    expect(actions.map(({ title }: { title: string }) => title)).toEqual(
        expect.arrayContaining(['Add the rows to it: saveMode=append', 'Replace it: saveMode=overwrite']),
    );
    fs.writeFileSync(join(client.folder, 'out.csv'), 'X\nRome\n');
    client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: client.uri('out.csv'), type: 2 }] });
    await client.diagnosed(uri, told(4, "A run replaces what 'out.csv' holds"));
});
