import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join, relative } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withModules } from '#language/modules/include.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_PROVIDERS } from '#server/browser/no-providers.ts';
import type { ProcessEnd, ProgramRun } from '#server/protocol/run-process.ts';
import { evaluateRun } from '#server/runs/evaluate-run.ts';
import { rowAnswers } from '#server/runs/row-answers.ts';
import { runModules } from '#server/runs/run-modules.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { type ConformanceProgram, conformancePrograms, includedTexts } from '../support/conformance.ts';
import { finding } from '../support/modules.ts';
import { serveFolder } from './static-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'dist/playground-corpus');
const MEGABYTES = 2 ** 20;
/** Rows of an output that are compared. */
const MOST = 10_000;
/** What a run says that needs more than a page. */
const BEYOND = /a page in a browser/u;

/** What a run gave: how it ended, and the rows of its outputs as facts. */
interface Given {
    readonly end: unknown;
    readonly facts: readonly string[];
}

beforeAll(() => void execFileSync(process.execPath, ['scripts/playground.mjs', FOLDER], { cwd: ROOT, stdio: 'inherit' }));
afterAll(() => fs.rmSync(FOLDER, { recursive: true, force: true }));

test('every program of the corpus gives in a browser what it gives in a process', async () => {
    const programs = conformancePrograms();
    const runs = programs.map(runOf);
    // Before the runs here, which write files too.
    const handed = runs.map(run => ({ ...run, parameters: [...run.parameters], data: filesBeside(run) }));
    const expected: Given[] = [];
    for (const run of runs) expected.push(await inNode(run));
    const given = await inBrowser(handed);
    const beyond = given.filter(({ end }) => BEYOND.test(JSON.stringify(end)));
    const differing = programs.flatMap(({ name }, i) => {
        const found = given[i];
        if (found === undefined || beyond.includes(found) || JSON.stringify(found) === JSON.stringify(expected[i])) return [];
        return [{ name, found, expected: expected[i] }];
    });
    expect(differing).toEqual([]);
    expect(given).toHaveLength(programs.length);
    expect(given.filter(({ facts }) => facts.length > 0).length).toBeGreaterThan(400);
    // Only scripts need more than a page.
    expect(programs.filter((_, i) => beyond.includes(given[i] as Given)).map(({ name }) => name)).toEqual(['not-evaluated/script-run']);
});

function runOf({ name, folder, text, expectation }: ConformanceProgram): ProgramRun {
    const below = relative(ROOT, folder);
    const file = join(below, `${name.split('/').at(-1)}.rulelang`);
    const modules = includedTexts(folder).map(([path, module]) => [join(below, path), module] as const);
    const texts = new Map([[file, text], ...modules]);
    const { inclusion } = withModules(readProgram(text, file).value, finding(texts));
    return {
        text,
        file,
        modules: runModules(
            inclusion,
            path => texts.get(path) ?? '',
            path => path,
        ),
        currentFolder: ROOT,
        roots: [folder],
        parameters: expectation.parameters,
        limits: { maxMemory: 1024 * MEGABYTES },
        python: { enabled: false, network: false, door: 'editor' },
    };
}

async function inNode(run: ProgramRun): Promise<Given> {
    const { end, finished } = await evaluateRun(run, NO_PROVIDERS, () => undefined);
    if (end.outcome !== 'finished' || finished === undefined) return { end: comparable(end), facts: [] };
    const rows = rowAnswers(finished.results, () => undefined);
    const facts = end.outputs.map(({ key }) => rows['rulelang/facts']({ view: { output: key }, offset: 0, limit: MOST } as never, 0));
    return { end: comparable(end), facts: (await Promise.all(facts)).map(({ text }) => text) };
}

/** Without what it took. */
function comparable(end: ProcessEnd): unknown {
    return JSON.parse(JSON.stringify({ ...end, milliseconds: 0 }));
}

async function inBrowser(handed: readonly object[]): Promise<readonly Given[]> {
    fs.writeFileSync(join(FOLDER, 'corpus.html'), '<!doctype html><meta charset="utf-8"><title>corpus</title>');
    const { server, address } = await serveFolder(FOLDER, {
        // SQL needs WebAssembly, and no text becomes code.
        'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
    });
    const browser = await chromium.launch(CHROMIUM);
    try {
        const page = await browser.newPage();
        await page.goto(`${address}corpus.html`);
        const text = await page.evaluate<string>(`${RUN_ALL}(${JSON.stringify({ runs: handed, most: MOST })})`);
        return (JSON.parse(text) as { end: ProcessEnd; facts: string[] }[]).map(({ end, facts }) => ({ end: comparable(end), facts }));
    } finally {
        await browser.close();
        server.close();
    }
}

/** What lies below the folder of the program but programs: it is the same for all programs of a folder. */
function filesBeside({ roots: [folder = ''] }: ProgramRun): (readonly [path: string, base64: string])[] {
    return fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map(name => join(folder, name))
        .filter(path => fs.statSync(path).isFile() && !path.endsWith('.rulelang'))
        .map(path => [path, fs.readFileSync(path).toString('base64')] as const);
}

/** In the page: one worker runs all of them, one after the other, as a page would ask it to. */
const RUN_ALL = `(async ({ runs, most }) => {
    const worker = new Worker('run.js', { type: 'module' });
    let hear = () => undefined;
    worker.onmessage = ({ data }) => hear(data);
    const failed = new Promise((_, reject) => { worker.onerror = event => reject(new Error(event.message)); });
    const heard = wanted => Promise.race([failed, new Promise(resolve => { hear = data => wanted(data) && resolve(data); })]);
    const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const given = [];
    for (const { data, parameters, ...run } of runs) {
        const ended = heard(({ kind }) => kind === 'ended');
        const files = data.map(([path, text]) => [path, bytes(text)]);
        worker.postMessage({ kind: 'start', run: { ...run, parameters: new Map(parameters) }, files });
        const { end } = await ended;
        const facts = [];
        for (const [id, { key }] of (end.outcome === 'finished' ? end.outputs : []).entries()) {
            const answered = heard(answer => answer.id === id);
            const params = { run: 0, view: { output: key }, offset: 0, limit: most };
            worker.postMessage({ kind: 'ask', id, question: { method: 'rulelang/facts', params } });
            const answer = await answered;
            facts.push(answer.kind === 'answer' ? answer.result.text : answer.message);
        }
        given.push({ end, facts });
    }
    return JSON.stringify(given);
})`;
