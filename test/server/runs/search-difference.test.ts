import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunEffects } from '#server/protocol/run-difference.ts';
import type { RunEnd } from '#server/protocol/runs.ts';
import { LanguageClient } from '../../lsp/language-client.ts';

let client: LanguageClient;

beforeAll(async () => {
    client = await LanguageClient.start({ trusted: true });
});
afterAll(() => client.stop());

/** Runs a program and keeps its rows under this name. */
async function ran(name: string, text: string, parameters = {}): Promise<void> {
    await client.open('a.rulelang', text);
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/run', { uri: client.uri('a.rulelang'), parameters });
    const end = (await ended) as RunEnd;
    expect(end).toMatchObject({ outcome: 'finished' });
    await client.request('rulelang/keep', { run: end.run, uri: rows(name), note: '', largest: 1 << 20 });
}
const rows = (name: string): string => pathToFileURL(join(client.folder, `${name}.rows`)).href;
const write = (name: string, text: string): void => fs.writeFileSync(join(client.folder, name), text);

async function effects(): Promise<RunEffects> {
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/compare', { before: rows('before'), after: rows('after') });
    const { run } = (await ended) as RunEnd;
    return (await client.request('rulelang/effects', { run })) as RunEffects;
}

const PROGRAM = (least: number, note: string): string => `@param("low", 0).
@model("own", "['x:string', 'y:string', 'w:int']").
@bind("own", "csv useHeaders='true'", ".", "own.csv").
@output("large").
@output("named").
@bind("named", "csv", ".", "named.csv").
large(X, Y) <- own(X, Y, W), W > ${least}, W > ?low.
named(X, "${note}") <- own(X, _, _).
`;
const OWN = 'x,y,w\na,b,60\nb,c,40\nc,d,20\n';

describe('what makes the difference between two runs', () => {
    test('is told for each output; no target is written', async () => {
        write('own.csv', OWN);
        await ran('before', PROGRAM(50, 'one'));
        await ran('after', PROGRAM(30, 'two'));
        fs.rmSync(join(client.folder, 'named.csv'));
        expect(await effects()).toMatchObject({
            kind: 'found',
            since: [],
            unknown: [],
            outputs: [
                {
                    output: 'large/2',
                    explained: { kind: 'edits', edits: [0], smallest: true, idle: [1] },
                    sources: [],
                    repeats: true,
                    rows: [{ change: 'added', fact: 'large("b","c")', edits: [0], smallest: true }],
                },
                {
                    output: 'named/2',
                    explained: { kind: 'edits', edits: [1], smallest: true, idle: [0] },
                    sources: [],
                    repeats: true,
                    rows: [
                        ['added', 'two'],
                        ['removed', 'one'],
                    ].flatMap(([change, note]) =>
                        ['a', 'b', 'c'].map(name => ({ change, fact: `named("${name}","${note}")`, edits: [1], smallest: true })),
                    ),
                },
            ],
        });
        expect(fs.existsSync(join(client.folder, 'named.csv'))).toBe(false);
    });

    test('is several edits where none does it alone, in modules too, and a parameter', async () => {
        write('m.rulelang', 'b(1). b(2).\n');
        const text = (rule: string): string => `@include("m.rulelang").\n@param("low", 0).\n@output("p").\nq(1).\nr(2).\np(0).\n${rule}\n`;
        await client.open('m.rulelang', 'b(1). b(2).\n');
        await ran('before', text('% none'), { low: 5 });
        await client.open('m.rulelang', 'b(1). b(2). c(2).\n');
        await ran('after', text('p(X) <- b(X), c(X), X > ?low.\nr(3).'), { low: 1 });
        const found = await effects();
        expect(found).toMatchObject({ outputs: [{ explained: { kind: 'edits', smallest: true, idle: [2] } }] });
        expect(found.kind === 'found' && found.outputs[0]?.explained).toMatchObject({ edits: [0, 1, 3] });
        // The later program can have the row only with all three.
        expect(found.kind === 'found' && found.outputs[0]?.rows).toEqual([
            { change: 'added', fact: 'p(2)', edits: [0, 1, 3], smallest: false },
        ]);
    });

    test('is the data, with the rows that come from it, and the edits that do the rest', async () => {
        write('own.csv', OWN);
        await ran('before', PROGRAM(50, 'one'));
        write('own.csv', `${OWN}d,e,70\n`);
        await ran('after', PROGRAM(50, 'one'));
        const counts = { added: 1, removed: 0, changed: 0 };
        expect(await effects()).toMatchObject({
            outputs: [
                { output: 'large/2', explained: { kind: 'none' }, data: counts, sources: ['own.csv'], repeats: true },
                { output: 'named/2', explained: { kind: 'none' }, data: counts, sources: ['own.csv'], repeats: true },
            ],
        });
        await ran('after', PROGRAM(30, 'one'));
        expect(await effects()).toMatchObject({
            outputs: [
                { output: 'large/2', explained: { kind: 'edits', edits: [0] }, data: counts, sources: ['own.csv'] },
                { output: 'named/2', explained: { kind: 'none' }, data: counts },
            ],
        });
        write('own.csv', OWN);
        expect(await effects()).toMatchObject({ since: ['own.csv'], outputs: [{ repeats: false }, { repeats: false }] });
    });

    test('is chance where the same program gives other rows', async () => {
        const text = '@output("p").\np(X) <- X = math:rand().\n';
        await ran('before', text);
        await ran('after', text);
        expect(await effects()).toMatchObject({ outputs: [{ explained: { kind: 'none' }, sources: [], repeats: false }], since: [] });
    });

    test('is not told where a program is gone, or can no longer be evaluated', async () => {
        write('own.csv', OWN);
        await ran('before', PROGRAM(50, 'one'));
        await ran('after', PROGRAM(30, 'one'));
        fs.rmSync(join(client.folder, 'own.csv'));
        expect(await effects()).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/cannot be evaluated again: .*own\.csv/u) });
        for (const name of fs.readdirSync(client.folder).filter(file => file.endsWith('.program'))) fs.rmSync(join(client.folder, name));
        expect(await effects()).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/not kept/u) });
    });
});
