// Random edits in a document whose rows follow them, against a language server in a process of its own: nothing crashes, memory stays level, and
// whenever typing rests the rows are those of a fresh run.
//
//   npm run soak:typing -- --edits 10000 --seed 1
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { randomFrom } from '../../bench/lsp-client.mjs';

const { values } = parseArgs({
    options: {
        edits: { type: 'string', default: '10000' },
        seed: { type: 'string', default: String(Date.now() % 100_000) },
        rest: { type: 'string', default: '50' },
        server: { type: 'string', default: 'dist/lsp.mjs' },
    },
});
/** `rest` is after how many edits typing rests. */
const [edits, seed, rest] = [values.edits, values.seed, values.rest].map(Number);
/** Of all edits, after which memory has become level. */
const WARM_UP = 0.3;
/** MiB by which a process may have grown since. */
const GROWTH = 64;
const MOST_ROWS = 1000;
const URI = 'file:///soak/typed.rulelang';
const OUTPUTS = ['reach', 'twice', 'alone', 'count', 'total', 'best', 'near', 'made'];
const RULES = `${OUTPUTS.map(name => `@output("${name}").`).join(' ')}
place(X) <- road(X, _). place(Y) <- road(_, Y).
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
twice(X, Z) <- road(X, Y), road(Y, Z), X != Z.
alone(X) <- place(X), not reach(X, X).
count(X, N) <- reach(X, Y), N = mcount(1, <Y>).
total(X, S) <- cost(X, _, C), S = msum(C).
best(X, Y, D) <- cost(X, Y, C), D = mmin(C).
best(X, Z, D) <- best(X, Y, E), cost(Y, Z, C), D = mmin(E + C).
near(X, Y) <- best(X, Y, D), D < 9.
made(X, E) <- alone(X).
`;
/** Clauses that are typed after these. */
const FURTHER = [
    'reach(X, Y) <- road(Y, X).',
    'twice(X, Y) <- near(X, Y), reach(Y, X).',
    'alone(X) <- count(X, N), N > 3.',
    'near(X, Y) <- twice(X, Y), not road(X, Y).',
    'total(X, S) <- count(X, N), S = msum(N).',
    'count(X, N) <- near(X, Y), N = mcount(1, <Y>).',
    '% a remark',
];

const random = randomFrom(seed);
const below = limit => Math.floor(random() * limit);
const one = items => items[below(items.length)];
const fact = () => (random() < 0.6 ? `road(${below(12)}, ${below(12)}).` : `cost(${below(8)}, ${below(8)}, ${1 + below(9)}).`);

const child = spawn(process.execPath, [values.server, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
const ends = new Map();
connection.onNotification('rulelang/runEnded', end => ends.get(end.run)?.(end));
connection.onRequest(() => null);
connection.listen();
let exit;
child.on('exit', (code, signal) => {
    exit = signal ?? code;
});

let text = `${RULES}\n${Array.from({ length: 60 }, fact).join('\n')}\n`;
let version = 1;
let done = 0;
/** What was done to the text and has to be undone before it is a program again. */
let undo = [];

await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    initializationOptions: { trusted: true },
});
await connection.sendNotification('initialized', {});
await connection.sendNotification('textDocument/didOpen', { textDocument: { uri: URI, languageId: 'rulelang', version, text } });
const live = await run({ live: 'looks' });

let following;
let again = false;
let [followed, refused, compared, different] = [0, 0, 0, 0];
let warm;
for (let rests = 0; done < edits && exit === undefined; rests++) {
    for (let next = 0; next < rest && done < edits; ) next += await type();
    for (const step of undo.reverse()) await change(step.at, step.length, step.text);
    undo = [];
    while (following !== undefined) await following;
    const { kind } = await connection.sendRequest('rulelang/follow', { run: live, rested: true });
    if (kind === 'rows') await compare();
    else refused++;
    if (warm === undefined && done >= edits * WARM_UP) warm = megabytes();
    if (rests % 5 === 0) console.log(`${done} edits, ${followed} followed, ${compared} compared, ${megabytes().join(' + ')} MiB`);
}
const last = megabytes();
const grown = last.map((own, at) => own - (warm?.[at] ?? own));
const isRight = exit === undefined && different === 0 && compared > refused && grown.every(own => own < GROWTH);
console.log(
    `seed ${seed}: ${done} edits, ${followed} followed while typing, ${compared} comparisons with a fresh run of which ${different} differ, ` +
        `${refused} rests with an error in the text; memory of server and runs ${warm?.join(' + ')} MiB when warm, ${last.join(' + ')} MiB in the end`,
);
connection.dispose();
child.kill('SIGKILL');
process.exit(isRight ? 0 : 1);

/** Types something, key by key, or makes an edit at once; answers how many edits that were. */
async function type() {
    const before = done;
    const lines = text.split('\n');
    const place = line => lines.slice(0, line).reduce((sum, own) => sum + own.length + 1, 0);
    const first = RULES.split('\n').length;
    const line = first + below(lines.length - first - 1);
    switch (below(7)) {
        case 0:
        case 1:
            await key(place(line), random() < 0.7 ? `${fact()}\n` : `${one(FURTHER)}\n`);
            break;
        case 2:
            await change(place(line), lines[line].length + 1, '');
            break;
        case 3: {
            const at = lines[line].search(/\d/u);
            if (at >= 0) await change(place(line) + at, 1, String(below(9)));
            break;
        }
        case 4:
            if (lines[line] !== '') await change(place(line), 0, '% ');
            break;
        case 5:
            if (lines[line].startsWith('% ') && !lines[line].includes('remark')) await change(place(line), 2, '');
            break;
        case 6: {
            // A slip of the pen, which is put right when typing rests, or at once.
            const at = below(text.length - 1);
            const length = below(4);
            const slip = { at, length: 1, text: text.slice(at, at + length) };
            await change(at, length, one(['(', '"', '.', 'x', ')', '<']));
            undo.push(slip);
            for (const step of undo.reverse()) await change(step.at, step.length, step.text);
            undo = [];
            break;
        }
    }
    return done - before;
}

async function key(at, words) {
    for (const [offset, character] of Array.from(words).entries()) await change(at + offset, 0, character);
}

async function change(at, length, words) {
    const range = { start: positionOf(at), end: positionOf(at + length) };
    text = text.slice(0, at) + words + text.slice(at + length);
    version++;
    done++;
    await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: URI, version },
        contentChanges: [{ range, text: words }],
    });
    if (following === undefined) following = follow();
    else again = true;
    // Keys come one after another, and some while the server answers.
    if (random() < 0.3) await new Promise(resolve => setImmediate(resolve));
    if (random() < 0.1) await following;
}

/** As an editor does it: one update at a time, and the newest text with it. */
async function follow() {
    do {
        again = false;
        const { kind } = await connection.sendRequest('rulelang/follow', { run: live, rested: false });
        if (kind === 'rows') followed++;
    } while (again);
    following = undefined;
}

async function run(asked) {
    const { run: number } = await connection.sendRequest('rulelang/run', { uri: URI, parameters: {}, ...asked });
    const end = await new Promise(resolve => ends.set(number, resolve));
    ends.delete(number);
    if (end.outcome !== 'finished') throw new Error(`The run ended: ${JSON.stringify(end)}\n${text}`);
    return number;
}

async function compare() {
    compared++;
    const fresh = await run({});
    for (const name of OUTPUTS) {
        const [own, other] = [await rowsOf(live, name), await rowsOf(fresh, name)];
        if (own === other) continue;
        different++;
        console.log(`'${name}' differs after ${done} edits of seed ${seed}:\n${own}\nand fresh\n${other}\n${text}`);
    }
    await connection.sendRequest('rulelang/close', { run: fresh });
}

async function rowsOf(number, name) {
    const arity = { near: 2, alone: 1, best: 3 }[name] ?? 2;
    const view = { output: `${name}/${arity}` };
    const { cells, total } = await connection.sendRequest('rulelang/page', { run: number, view, offset: 0, limit: MOST_ROWS });
    return JSON.stringify([total, cells]);
}

function positionOf(offset) {
    const before = text.slice(0, offset);
    const line = before.split('\n').length - 1;
    return { line, character: offset - (before.lastIndexOf('\n') + 1) };
}

/** MiB of the server and of the run that follows, which is the largest of its processes. */
function megabytes() {
    const children = readdirSync('/proc').filter(name => /^\d+$/u.test(name) && parentOf(name) === child.pid);
    return [megabytesOf(child.pid), Math.max(0, ...children.map(megabytesOf))];
}

function parentOf(pid) {
    return Number(/PPid:\s*(\d+)/u.exec(statusOf(pid))?.[1]);
}

function megabytesOf(pid) {
    return Math.round(Number(/VmRSS:\s*(\d+)/u.exec(statusOf(pid))?.[1] ?? 0) / 1024);
}

function statusOf(pid) {
    try {
        return readFileSync(`/proc/${pid}/status`, 'utf8');
    } catch {
        return '';
    }
}
