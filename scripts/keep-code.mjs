// Has the language server, the services and a run do what they usually do, so that V8's code of it is kept in dist/.
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = `${ROOT}samples/control`;
const FILE = `${FOLDER}/control.rulelang`;
const TEXT = readFileSync(FILE, 'utf8');
const ENV = { ...process.env, RULELANG_KEEP_CODE: 'all' };
/** Bytes. */
const MEMORY = 2 ** 30;

/** One after the other: each adds to what is kept of what they have in common. */
export async function keepCode() {
    await serveEditor();
    await serveClients();
    await runProgram();
}

/** Opens, looks around, and ends. */
async function serveEditor() {
    const child = spawn(process.execPath, ['dist/lsp.mjs', '--stdio'], { cwd: ROOT, env: ENV, stdio: ['pipe', 'pipe', 'inherit'] });
    const answered = new Map();
    let unread = Buffer.alloc(0);
    child.stdout.on('data', bytes => {
        unread = Buffer.concat([unread, bytes]);
        for (let at = unread.indexOf('\r\n\r\n'); at >= 0; at = unread.indexOf('\r\n\r\n')) {
            const end = at + 4 + Number(/Content-Length: (\d+)/u.exec(unread.subarray(0, at).toString())[1]);
            if (unread.length < end) return;
            const { id, method, result } = JSON.parse(unread.subarray(at + 4, end).toString());
            unread = unread.subarray(end);
            if (method === undefined) answered.get(id)?.(result);
            else if (id !== undefined) tell({ id, result: null });
        }
    });
    const tell = message => {
        const text = JSON.stringify({ jsonrpc: '2.0', ...message });
        child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    };
    let last = 0;
    const ask = (method, params) => {
        const id = `asked ${++last}`;
        tell({ id, method, params });
        return new Promise(resolve => answered.set(id, resolve));
    };
    const uri = pathToFileURL(FILE).href;
    const textDocument = { uri };
    const whole = { start: { line: 0, character: 0 }, end: { line: TEXT.split('\n').length, character: 0 } };
    const position = { line: TEXT.slice(0, TEXT.indexOf('votes(X, X')).split('\n').length - 1, character: 2 };
    await ask('initialize', {
        processId: null,
        rootUri: null,
        capabilities: {},
        workspaceFolders: [{ uri: pathToFileURL(FOLDER).href, name: 'control' }],
    });
    tell({ method: 'initialized', params: {} });
    tell({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'rulelang', version: 1, text: TEXT } } });
    await ask('textDocument/semanticTokens/full', { textDocument });
    await ask('textDocument/documentSymbol', { textDocument });
    await ask('textDocument/codeLens', { textDocument });
    await ask('textDocument/codeAction', { textDocument, range: whole, context: { diagnostics: [] } });
    for (const method of ['hover', 'definition', 'completion', 'documentHighlight'])
        await ask(`textDocument/${method}`, { textDocument, position });
    await ask('shutdown');
    tell({ method: 'exit' });
    await ended(child);
}

/** Starts, keeps a concept, runs it, shows its rows, and ends. */
async function serveClients() {
    const data = mkdtempSync(join(tmpdir(), 'rulelang-build-'));
    const args = ['serve', '--data-dir', data, '--port', '0', '--engine-port', '0', '--chat-port', '0'];
    const child = spawn(process.execPath, [`${ROOT}dist/cli.js`, ...args], { cwd: FOLDER, env: ENV, stdio: ['ignore', 'pipe', 'ignore'] });
    const ends = ended(child);
    await Promise.race([new Promise(resolve => child.stdout.once('data', resolve)), ends]);
    const { base_url: base } = JSON.parse(readFileSync(join(data, 'endpoints.json'), 'utf8'));
    const token = readFileSync(join(data, 'auth/token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = async (path, body) => {
        const answer = await fetch(`${base}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    };
    await post('/projects/save', { project: { id: 'p', name: 'Build' } });
    await post('/concepts/p/save', { definition: 'town("Rome", 3).\nlarge(T, N) <- town(T, N), N > 2.\n@output("large").' });
    await post('/concepts/p/run/large', {});
    child.kill('SIGINT');
    await ends;
    rmSync(data, { recursive: true });
}

/** Evaluates a program and serves its rows. */
async function runProgram() {
    const child = fork('dist/run-process.mjs', [], { cwd: ROOT, env: ENV, serialization: 'advanced' });
    const ends = ended(child);
    const told = kind =>
        new Promise((resolve, reject) =>
            child.on('message', message => {
                if (message.kind === kind) resolve(message);
                else if (message.kind === 'refused') reject(new Error(message.message));
            }),
        );
    const limits = { maxMemory: MEMORY };
    const modules = { files: [], includes: [] };
    const run = { text: TEXT, file: FILE, modules, currentFolder: FOLDER, roots: [FOLDER], parameters: new Map(), limits };
    child.send({ kind: 'start', run });
    const { end } = await Promise.race([told('ended'), ends]);
    child.send({ kind: 'ask', id: 1, question: { method: 'rulelang/rows', params: { output: end.outputs[0].key, offset: 0 } } });
    await Promise.race([told('answer'), ends]);
    child.disconnect();
    await ends;
}

/** Rejects where a process fails. */
function ended(child) {
    return new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('exit', (code, signal) => {
            if (code === 0 || signal === 'SIGINT' || code === 130) resolve();
            else reject(new Error(`${child.spawnargs.join(' ')} ended with ${signal ?? code} while the build kept its code`));
        });
    });
}
