import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { folderWith, rulelang } from '../cli/command-line.ts';
import { CHROMIUM } from '../support/chromium.ts';
import type { BrowserAnswer, BrowserProgram } from './evaluate-here.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** No code but that of files, and none that is made of text. */
const POLICY = "default-src 'none'; script-src 'self'";

/** Invented values, functions, patterns, lists and a graph function: what a sample lacks. */
const MADE: BrowserProgram = {
    name: 'made',
    text: `
employee("ada", "+43 1 58858"). employee("bob", "0171 1234567"). employee("cyd", "none").
manages(M, X) :- employee(X, _).
manages(N, M) :- manages(M, X), X == "ada".
called(X, N) :- employee(X, P), N = utils:phone_number(P, "AT"), rlike(P, "^[+0][0-9 ]+$"), !(N == "?" || N == "!").
hashed(X, H) :- employee(X, _), H = hash:sha1(X).
edge(1, 2). edge(2, 3). edge(3, 1). edge(3, 4).
path(X, Y, 1) :- edge(X, Y).
path(X, Z, D + 1) :- path(X, Y, D), edge(Y, Z), D < 5.
nearest(X, Y, D) :- path(X, Y, E), D = min(E).
@output("manages"). @output("called"). @output("hashed"). @output("nearest").
`,
    files: {},
};

test('programs run in a page and in a worker whose policy refuses code made of text', async () => {
    const programs = [sample('control'), sample('customers'), sample('parts'), MADE];
    const expected = await Promise.all(programs.map(commandLine));
    const { page, worker } = await inBrowser(programs);
    for (const place of [page, worker]) {
        expect(place.made).toBe('EvalError');
        expect(place.answers).toEqual(expected);
    }
});

function sample(name: string): BrowserProgram {
    const folder = join(ROOT, 'samples', name);
    const data = fs.readdirSync(join(folder, 'data')).filter(file => file.endsWith('.csv'));
    return {
        name,
        text: fs.readFileSync(join(folder, `${name}.rulelang`), 'utf8'),
        files: Object.fromEntries(data.map(file => [`data/${file}`, fs.readFileSync(join(folder, 'data', file), 'utf8')])),
    };
}

async function commandLine({ text, files }: BrowserProgram): Promise<string> {
    const folder = folderWith({ 'program.rulelang': text, ...files });
    const { code, stdout, stderr } = await rulelang(folder, ['run', 'program.rulelang', '--format', 'json']);
    fs.rmSync(folder, { recursive: true });
    expect(code, stderr).toBe(0);
    return stdout;
}

async function inBrowser(programs: readonly BrowserProgram[]): Promise<{ page: BrowserAnswer; worker: BrowserAnswer }> {
    const scripts = await bundles(programs);
    const server = createServer((request, response) => {
        const script = scripts.get(request.url ?? '');
        response.setHeader('content-security-policy', POLICY);
        response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
        response.end(script ?? '<!doctype html><meta charset="utf-8"><title>waiting</title><body><script src="/page.js"></script>');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch(CHROMIUM);
    try {
        const page = await browser.newPage();
        const failures: string[] = [];
        page.on('pageerror', error => failures.push(error.message));
        await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        await expect.poll(() => page.title(), { timeout: 120_000 }).toBe('done');
        expect(failures).toEqual([]);
        const shown = JSON.parse((await page.locator('body').textContent()) ?? '');
        expect(shown).toHaveLength(2);
        return { page: shown[0], worker: shown[1] };
    } finally {
        await browser.close();
        server.close();
    }
}

/** Language, engine and programs as scripts for a browser: nothing of Node may be in them. */
async function bundles(programs: readonly BrowserProgram[]): Promise<Map<string, string>> {
    const { outputFiles } = await build({
        bundle: true,
        write: false,
        platform: 'browser',
        format: 'iife',
        target: 'es2023',
        outdir: '/',
        entryPoints: ['page', 'worker'].map(name => join(ROOT, `test/browser/${name}.ts`)),
        define: { PROGRAMS: JSON.stringify(programs) },
        logLevel: 'error',
    });
    return new Map(outputFiles.map(({ path, text }) => [`/${path.split(/[\\/]/u).at(-1)}`, text]));
}
