// One client beside hundreds of bad ones: how long its save, list and run of one row take, and that each is answered as it should be.
//
//   npm run soak:bystander -- --seconds 60 --hostile 300
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ENDLESS, sleep } from './client.mjs';
import { figuresOf, startServer } from './server-process.mjs';

const { values } = parseArgs({
    options: {
        seconds: { type: 'string', default: '60' },
        hostile: { type: 'string', default: '300' },
        kinds: { type: 'string', default: 'readers,writers,vanishing,heavy' },
        cli: { type: 'string', default: 'dist/cli.js' },
    },
});
/** Milliseconds that 99 of 100 answers to the bystander take at most. */
const LONGEST = 2_000;
/** Milliseconds between two pieces that a slow client reads or writes. */
const SLOW = 5_000;
/** Milliseconds between two actions of the bystander. */
const PAUSE = 100;

/** Some 12 MB of rows, more than connections hold. */
const LARGE = `${Array.from({ length: 10 }, (_, i) => `d("${i}${'x'.repeat(20)}").`).join(' ')}
p(A, B, C, D, E) :- d(A), d(B), d(C), d(D), d(E). @output("p").`;
/** Texts that are long to read, each within the limit of a program. */
const HEAVY = [
    `p(X) :- ${Array.from({ length: 4_000 }, (_, i) => `q${i}(X)`).join(', ')}.`,
    `${'p(X <- q. '.repeat(20_000)}`,
    Array.from({ length: 20_000 }, (_, i) => `r${i}(X) :- r${(i + 1) % 20_000}(X).`).join('\n'),
    '.'.repeat(900_000),
];

const folder = mkdtempSync(join(tmpdir(), 'rulelang-bystander-'));
const server = await startServer(resolve(values.cli), join(folder, 'data'));
let isOver = false;
const counts = {};
const count = name => {
    counts[name] = (counts[name] ?? 0) + 1;
};

/** What each kind of client does once; it begins again until the time is over. */
const CLIENTS = {
    /** Asks for many rows and reads hardly any. */
    readers: () => slowly(requestOf(LARGE), false),
    /** Sends its program byte by byte. */
    writers: () => slowly(requestOf('a(1). @output("a").'), true),
    /** Leaves while its run is going on or waits. */
    vanishing: async () => {
        const { status } = await post('/rulelang/evaluate', { program: ENDLESS }, AbortSignal.timeout(100 + Math.random() * 2_000));
        if (status === 503) await sleep(1_000);
    },
    heavy: async () => {
        const { status } = await post('/rulelang/analyze', { program: HEAVY[Math.floor(Math.random() * HEAVY.length)] });
        count(`analyze ${status}`);
        if (status === 503) await sleep(1_000);
    },
};

try {
    await beside();
} finally {
    isOver = true;
    server.kill();
    rmSync(folder, { recursive: true, force: true });
}

async function beside() {
    const kinds = values.kinds.split(',').filter(Boolean);
    await data('/projects/save', { project: { id: 'own', name: 'Own' } });
    for (let id = 0; id < Number(values.hostile); id++) void lifeOf(CLIENTS[kinds[id % kinds.length]]);
    const times = { save: [], list: [], run: [] };
    const end = performance.now() + Number(values.seconds) * 1000;
    for (let round = 0; performance.now() < end; round++) {
        const definition = `one(${round}). @output("one").`;
        await timed(times.save, () => data('/concepts/own/save', { definition, concept_name: 'one' }));
        const listed = await timed(times.list, () => data('/concepts/own/list'));
        assert.deepEqual(
            listed.map(concept => concept.definition),
            [definition],
        );
        const { results } = await timed(times.run, () => data('/concepts/own/run/one', { force_rerun: true }));
        assert.deepEqual(results, [[round]]);
        await sleep(PAUSE);
    }
    console.log(figuresOf(server.pid), counts);
    for (const [name, all] of Object.entries(times)) {
        const sorted = all.toSorted((a, b) => a - b);
        const at = share => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]);
        console.log(`${name}: ${all.length} times, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
        if (at(0.99) > LONGEST) process.exitCode = 1;
    }
}

async function timed(times, act) {
    const began = performance.now();
    const answer = await act();
    times.push(performance.now() - began);
    return answer;
}

async function lifeOf(act) {
    while (!isOver) await act().catch(() => sleep(500));
}

/** Reads or writes a little at a time, until the server ends it. */
function slowly(request, isWriter) {
    return new Promise(done => {
        const socket = net.connect(Number(new URL(server.base).port), '127.0.0.1');
        socket.on('error', () => {}).once('close', done);
        if (isWriter) {
            let sent = request.indexOf('\r\n\r\n') + 4;
            socket.write(request.slice(0, sent));
            const writing = setInterval(() => socket.write(request[sent++] ?? ''), SLOW);
            socket.once('close', () => clearInterval(writing)).resume();
        } else {
            socket.write(request);
            socket.pause();
            const reading = setInterval(() => socket.read(1024), SLOW);
            socket.once('close', () => clearInterval(reading));
        }
    });
}

function requestOf(program) {
    const body = JSON.stringify({ program });
    const head = ['POST /api/v1/rulelang/evaluate HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${server.token}`];
    return [...head, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
}

async function post(path, body, signal) {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    const how = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.base}/api/v1${path}`, { ...how, signal });
    return { status: response.status, body: await response.json() };
}

/** Asks again while the services say that they are busy. */
async function data(path, body) {
    for (;;) {
        const { status, body: answer } = await post(path, body);
        if (status !== 503) {
            assert.equal(status, 200, `${path} answered ${status} ${JSON.stringify(answer)}`);
            return answer.data;
        }
        count(`${path} busy`);
        await sleep(1_000);
    }
}
