// Measures what the door to models adds to an answer: from the moment at which a provider sends the first piece until whoever asked has it,
// and from the question until then; beside a plain request that reads the same. The provider is a process of its own, and the sides take turns.
// Usage: npm run bench:door [-- --questions 200]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { questions: { type: 'string', default: '200' } } });
const questions = Number(values.questions);
const NANOSECONDS = 1e6;

const folder = mkdtempSync(join(tmpdir(), 'rulelang-door-'));
const provider = spawn(process.execPath, [fileURLToPath(new URL('model-provider.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
});
try {
    const [line] = await once(provider.stdout.setEncoding('utf8'), 'data');
    const sides = new Map([
        ['rulelang', await door(line.trim())],
        ['a plain request', plain(line.trim())],
    ]);
    const figures = new Map([...sides.keys()].map(name => [name, []]));
    for (let i = 0; i <= questions; i++) for (const [name, ask] of sides) figures.get(name).push(await measured(ask));
    console.log('                     first question    then, median    95 of 100');
    for (const [name, [first, ...others]] of figures) {
        for (const what of ['piece', 'question']) {
            const sorted = others.map(one => one[what]).sort((a, b) => a - b);
            const at = share => sorted[Math.floor((sorted.length - 1) * share)];
            const shown = [first[what], at(0.5), at(0.95)].map(ms => `${ms.toFixed(1)} ms`.padStart(16)).join('');
            console.log(`${name}, from the ${what}`.padEnd(32) + shown);
        }
    }
} finally {
    provider.kill();
    rmSync(folder, { recursive: true });
}

/** Milliseconds until the first piece is there: from when it was sent, and from the question. */
async function measured(ask) {
    const asked = process.hrtime.bigint();
    const { text, heard } = await ask();
    return { piece: Number(heard - BigInt(text.trim())) / NANOSECONDS, question: Number(heard - asked) / NANOSECONDS };
}

/** The door to models, as a run and the services use it. */
async function door(baseUrl) {
    const file = join(folder, 'door.mjs');
    const contents = `export { openModel } from './server/model/open-model.ts'; export { modelConfiguration } from './server/model/model-configuration.ts';`;
    const banner = {
        js: `import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);`,
    };
    await build({
        stdin: { contents, resolveDir: root },
        outfile: file,
        bundle: true,
        platform: 'node',
        format: 'esm',
        banner,
        logLevel: 'error',
    });
    const { openModel, modelConfiguration } = await import(pathToFileURL(file).href);
    const { configuration } = modelConfiguration(new Map([['LLM_BASE_URL', baseUrl]]), { hosts: [], grantHost: () => '' });
    const host = { spend: async () => {}, spent: async () => {}, sent: () => {} };
    return async () => {
        const { signal } = new AbortController();
        let first;
        for await (const piece of openModel(configuration, host).stream({ system: 's', messages: [{ role: 'user', text: 'q' }], signal }))
            if (piece.kind === 'text') first ??= { text: piece.text, heard: process.hrtime.bigint() };
        return first;
    };
}

function plain(baseUrl) {
    return async () => {
        const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'q' }], stream: true });
        const response = await fetch(`${baseUrl}/chat/completions`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
        });
        let text = '';
        let first;
        for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
            text += chunk;
            const [event, ...more] = first === undefined ? text.split('\n\n') : [];
            if (more.length > 0)
                first = { text: JSON.parse(event.slice('data: '.length)).choices[0].delta.content, heard: process.hrtime.bigint() };
        }
        return first;
    };
}
