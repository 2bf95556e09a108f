// The language server in a workspace of many files, beside its goals.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { client, generate, median, megabytesOf, processorOf } from './lsp-client.mjs';

/** The predicate that every file uses. */
const SHARED = 'owns';
const STARTS = 3;
const ASKED = 9;
const EDITS = 100;
/** Of the shared file, above those of the open one. */
const SHARED_VERSION = 1_000;
/** Milliseconds between two looks at whether the server answers. */
const LOOK = 5;

/** Rows `[what, measured, goal]` for so many files of so many clauses each. */
export async function measureWorkspace(files, clauses) {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-bench-'));
    const open = writeWorkspace(folder, files, clauses);
    try {
        for (let i = 1; i < STARTS; i++) (await started(folder, open)).server.kill();
        const { server, began, first } = await started(folder, open);
        const pauses = await longestPause(server);
        const whole = performance.now() - began;
        const processor = processorOf(server.pid);
        const megabytes = megabytesOf(server.pid);
        const at = { textDocument: { uri: open.uri }, position: open.position };
        const figures = [
            ['first diagnostics of the open file, start included', `${first.toFixed(0)} ms`, '1,000 ms'],
            ['all files read, start included', `${whole.toFixed(0)} ms`],
            ['processor until then, all threads', `${processor ?? '?'} ms`],
            ['memory once all files are read', `${megabytes ?? '?'} MB`, '600 MB'],
            ['longest wait for an answer meanwhile', `${pauses.toFixed(0)} ms`, '50 ms'],
            [
                'rename of what every file uses',
                await asked(() => server.request('textDocument/rename', { ...at, newName: 'holds' })),
                '200 ms',
            ],
            [
                'its references',
                await asked(() => server.request('textDocument/references', { ...at, context: { includeDeclaration: true } })),
            ],
            ['workspace symbols', await asked(() => server.request('workspace/symbol', { query: 'total1' })), '50 ms'],
            ['edit of what every file uses to problems of one, half and 95 %', await dependants(server, folder, open), '50 ms'],
        ];
        server.kill();
        return figures;
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** Folders of ten files, all of which include one file and use its predicate. The text and URI of the file to open. */
function writeWorkspace(folder, files, clauses) {
    let opened;
    writeFileSync(join(folder, 'common.rulelang'), sharedText('"b"'));
    for (let i = 0; i < files; i++) {
        const place = join(folder, `part${Math.floor(i / 10)}`);
        mkdirSync(place, { recursive: true });
        const uses = `@include("common").\nlinked${i}(X, Y) <- ${SHARED}(X, Y).\n`;
        const text = `${uses}${generate(clauses - 2, { seed: i + 1, name: `_${i}_` })}`;
        const path = join(place, `file${i}.rulelang`);
        writeFileSync(path, text);
        if (i === files - 1)
            opened = { text, uri: pathToFileURL(path).href, position: { line: 1, character: text.split('\n')[1].indexOf(SHARED) } };
    }
    return opened;
}

async function started(folder, { text, uri }) {
    const server = client();
    const began = performance.now();
    const rootUri = pathToFileURL(folder).href;
    await server.request('initialize', { processId: null, rootUri, workspaceFolders: [{ uri: rootUri, name: 'bench' }], capabilities: {} });
    server.notify('initialized', {});
    const diagnosed = server.diagnosed(uri, 1);
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'rulelang', version: 1, text } });
    await diagnosed;
    return { server, began, first: performance.now() - began };
}

/** The longest that a small question waited while the server read the files, in milliseconds. */
async function longestPause(server) {
    let longest = 0;
    let reading = true;
    const symbols = server.request('workspace/symbol', { query: 'total' }).then(() => {
        reading = false;
    });
    while (reading) {
        const began = performance.now();
        await server.request('textDocument/documentHighlight', {
            textDocument: { uri: 'file:///none' },
            position: { line: 0, character: 0 },
        });
        longest = Math.max(longest, performance.now() - began);
        await new Promise(resolve => setTimeout(resolve, LOOK));
    }
    await symbols;
    return longest;
}

/** A column of the shared predicate comes and goes, and with it a problem of the open file that uses the predicate. */
async function dependants(server, folder, { uri }) {
    const shared = pathToFileURL(join(folder, 'common.rulelang')).href;
    const text = sharedText('"b"');
    let version = SHARED_VERSION;
    server.notify('textDocument/didOpen', { textDocument: { uri: shared, languageId: 'rulelang', version, text } });
    const times = [];
    for (let i = 0; i < EDITS; i++) {
        const published = server.diagnosed(uri, 1);
        const began = performance.now();
        const changed = sharedText(i % 2 === 0 ? '"b", "c"' : '"b"');
        server.notify('textDocument/didChange', { textDocument: { uri: shared, version: ++version }, contentChanges: [{ text: changed }] });
        await published;
        times.push(performance.now() - began);
    }
    times.sort((left, right) => left - right);
    const at = share => times[Math.floor(EDITS * share)].toFixed(1);
    return `${at(0.5)} / ${at(0.95)} ms`;
}

const sharedText = rest => `@module("common").\n${SHARED}("a", ${rest}).\n`;

async function asked(action) {
    return `${(await median(ASKED, action)).toFixed(1)} ms`;
}
