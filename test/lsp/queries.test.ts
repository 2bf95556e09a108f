import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const NAME = 'p.rulelang';
let client: LanguageClient;

interface Told {
    readonly version: number;
    readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}
const codes = ({ diagnostics }: Told): string[] => diagnostics.map(({ code }) => code);

afterEach(async () => {
    await client.stop();
});

test('what is wrong with a query is told once the parser of queries is there, and follows the edits', async () => {
    client = await LanguageClient.start({});
    const uri = client.uri(NAME);
    const wrong = '@output("q").\ne(1, 2).\nq(X) <- SELECT e_0 FROM f.\n';
    await client.open(NAME, wrong);
    await client.diagnosed(uri, told => codes(told).includes('RL7003'));
    client.notify('textDocument/didChange', {
        textDocument: { uri, version: 2 },
        contentChanges: [{ text: wrong.replace('FROM f', 'FROM e') }],
    });
    await client.diagnosed(uri, told => told.version === 2 && codes(told).length === 0);
});

test('a query that no run answers is told in a trusted workspace, until it is mended', async () => {
    client = await LanguageClient.start({ trusted: true });
    const uri = client.uri(NAME);
    const wrong = '@output("t").\ne(1, 2).\nt(X, Y) <- SELECT e_0, sum(e_1) FROM e.\n';
    await client.open(NAME, wrong);
    await client.diagnosed(uri, told => codes(told).includes('RL7017'));
    const text = `${wrong.replace(' FROM e', ' FROM e GROUP BY e_0')}`;
    client.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text }] });
    await client.diagnosed(uri, told => told.version === 2 && !codes(told).includes('RL7017'));
});

test('what a query over a file gives is known in a trusted workspace, and what it cannot give is told', async () => {
    client = await LanguageClient.start({ trusted: true });
    writeFileSync(join(client.folder, 'sales.csv'), 'city,amount\nRome,3\n');
    const uri = client.uri(NAME);
    const program = (columns: string): string =>
        `@bind("sold", "csv useHeaders=true, query='SELECT ${columns} FROM sold GROUP BY city'", "", "sales.csv").\n@output("t").\nt(X, Y) <- sold(X, Y).\n`;
    const columnsOf = async (): Promise<string> => JSON.stringify(await client.request('textDocument/hover', at(2, 12)));
    const at = (line: number, character: number) => ({ textDocument: { uri }, position: { line, character } });
    const isTold = ({ diagnostics }: Told): boolean => diagnostics.some(({ message }) => message.includes('amonut'));
    await client.open(NAME, program('city, count(amonut) AS total'));
    await client.diagnosed(uri, isTold);
    const text = program('city, count(amount) AS total');
    client.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text }] });
    await client.diagnosed(uri, told => told.version === 2 && !isTold(told));
    await expect.poll(columnsOf).toContain('total');
});
