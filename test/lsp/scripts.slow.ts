import { afterEach, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

/** Needs a Python from 3.9 on. */
let client: LanguageClient;

afterEach(async () => {
    await client.stop();
});

const PROGRAM = 'p(X) <- python:run("fetch").\n@output("p").\n';

test('a failure of a script is told at its rule, and leads to the line of the script', async () => {
    client = await LanguageClient.start({
        files: { 'fetch.py': 'def main():\n    return [{"X": 1 / 0}]\n' },
        trusted: true,
        python: { enabled: true, network: false },
    });
    const opened = await client.open('p.rulelang', PROGRAM);
    expect(opened.diagnostics).toEqual([]);
    await client.request('rulelang/run', { uri: client.uri('p.rulelang') });
    const { diagnostics } = await client.diagnostics(client.uri('p.rulelang'), 1);
    expect(diagnostics).toMatchObject([
        {
            code: 'RT090',
            range: { start: { line: 0, character: 8 } },
            relatedInformation: [{ location: { uri: client.uri('fetch.py'), range: { start: { line: 1, character: 4 } } } }],
        },
    ]);
});

test('where Python is switched off, a warning says so before a run', async () => {
    client = await LanguageClient.start({});
    expect((await client.open('p.rulelang', PROGRAM)).diagnostics).toMatchObject([{ code: 'RL8110' }]);
});
