// Many clients at the services for a while: every answer is compared with what its client knows, and the figures of the server are watched.
//
//   npm run soak -- --minutes 2 --clients 200 --seed 1
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ENDLESS, GaveUp, randomFrom, sleep, soakClient } from './client.mjs';
import { childrenOf, descriptorsOf, figuresOf, startServer } from './server-process.mjs';

const { values } = parseArgs({
    options: {
        minutes: { type: 'string', default: '2' },
        clients: { type: 'string', default: '200' },
        seed: { type: 'string', default: String(Date.now() % 100_000) },
        cli: { type: 'string', default: 'dist/cli.js' },
    },
});
const [minutes, clients, seed] = [values.minutes, values.clients, values.seed].map(Number);
/** Clients that share a project, and its lane. */
const SHARING = 8;
/** The part of the time in which the server gets warm. */
const WARM_UP = 0.3;
/** Milliseconds between two looks at the server. */
const LOOK = 500;
/** MiB by which the memory may have grown after the warm-up. */
const GROWTH = 48;
/** Milliseconds in which everything ends. */
const LONGEST_END = 5_000;
/** Milliseconds in which everything is done and idle connections are closed. */
const LONGEST_IDLE = 15_000;
/** Descriptors that come and go. */
const SPARE = 3;
const LAST_RUNS = 12;

const folder = mkdtempSync(join(tmpdir(), 'rulelang-soak-'));
const data = join(folder, 'data');
const cli = resolve(values.cli);
const faults = [];
const counts = {};
let end = 0;
const isOver = () => performance.now() >= end;
let server = await startServer(cli, data);
try {
    await soak();
} finally {
    server.kill();
}
if (faults.length === 0) rmSync(folder, { recursive: true });
else console.log(`the data directory is left in ${data}`);
for (const fault of faults) console.error(`fault: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function soak() {
    console.log(`${clients} clients for ${minutes} minutes, seed ${seed}, process ${server.pid}`);
    for (let project = 0; project * SHARING < clients; project++)
        await post('/projects/save', { project: { id: `p${project}`, name: `Project ${project}` } });

    // Each client looks the server up, for it is another process after the restart.
    const current = {
        get base() {
            return server.base;
        },
        get token() {
            return server.token;
        },
    };
    const all = Array.from({ length: clients }, (_, id) =>
        soakClient({ id, project: `p${Math.floor(id / SHARING)}`, server: current, random: randomFrom(seed * 1000 + id), counts, isOver }),
    );
    await load(all, minutes * WARM_UP);
    const before = await idleFigures();
    const looks = await load(all, minutes * (1 - WARM_UP));
    console.log(`${Object.values(counts).reduce((sum, n) => sum + n, 0)} actions and refusals:`, counts);
    await compare('while it served', all);
    const after = await idleFigures(before);
    console.log('idle after the warm-up:', rounded(before), 'and in the end:', rounded(after));
    if (after.children > before.children) faults.push(`${after.children - before.children} child processes were left`);
    if (after.descriptors > before.descriptors + SPARE) {
        faults.push(`${after.descriptors - before.descriptors} descriptors were left open`);
        console.log(descriptorsOf(server.pid));
    }
    report(looks);

    await endUnderLoad();
    server = await startServer(cli, data);
    await compare('after a new start', all);
    await stop();
}

/** Lets every client act for some minutes, and gives the figures of the server in that time. */
async function load(all, duration) {
    const looks = [];
    const began = performance.now();
    end = began + duration * 60_000;
    const watch = setInterval(() => looks.push({ at: performance.now() - began, ...figuresOf(server.pid) }), LOOK);
    await Promise.all(all.map((client, id) => lifeOf(client, id)));
    clearInterval(watch);
    return looks;
}

/** The figures once nothing runs and connections that nobody uses are closed; there may be as many descriptors as before. */
async function idleFigures(before) {
    if (!(await until(isIdle))) faults.push('evaluations were left');
    await until(() => figuresOf(server.pid).descriptors <= (before?.descriptors ?? 0) + SPARE);
    return figuresOf(server.pid);
}

async function lifeOf(client, id) {
    for (let round = 0; !isOver(); round++) {
        try {
            await client.act(round);
        } catch (error) {
            if (error instanceof GaveUp) return;
            faults.push(`client ${id}, action ${round}: ${error.cause ?? ''} ${error.stack}`);
            return;
        }
    }
}

async function compare(when, all) {
    for (const [id, client] of all.entries()) await client.verify().catch(error => faults.push(`client ${id} ${when}: ${error.stack}`));
}

/** Stops the server while evaluations run and wait. */
async function endUnderLoad() {
    const last = Array.from({ length: LAST_RUNS }, () => post('/rulelang/evaluate', { program: ENDLESS }));
    const answers = Promise.allSettled(last);
    if (!(await until(async () => (await status()).waiting === LAST_RUNS - 1))) faults.push('the last evaluations did not begin');
    const children = childrenOf(server.pid);
    await stop();
    for (const { status: outcome, value } of await answers)
        if (outcome === 'fulfilled' && value.code !== 'shutting_down') faults.push(`a last run was answered with ${JSON.stringify(value)}`);
    for (const child of children) if (figuresOf(child) !== undefined) faults.push(`child ${child} outlived the server`);
}

async function stop() {
    const { code, took } = await server.stop();
    console.log(`the server ended with ${code} after ${Math.round(took)} ms`);
    if (code !== 0) faults.push(`the server ended with ${code}: ${server.log()}`);
    if (took > LONGEST_END) faults.push(`the server took ${Math.round(took)} ms to end`);
    for (const line of server.log().trim().split('\n'))
        if (!line.startsWith('{') || JSON.parse(line).error !== undefined) faults.push(`the server wrote to its log: ${line}`);
}

/** Prints how the figures grow, and complains of what is not flat. */
function report(looks) {
    for (const name of ['memory', 'descriptors', 'children']) {
        const seen = looks.map(look => look[name]);
        const { slope, growth } = trend(looks.map(({ at, [name]: value }) => [at, value]));
        const range = `${Math.min(...seen).toFixed(0)} to ${Math.max(...seen).toFixed(0)}`;
        console.log(`${name}: ${range}, slope ${(slope * 60_000).toFixed(2)} per minute, ${growth.toFixed(1)} from first third to last`);
        if (name === 'memory' && growth > GROWTH) faults.push(`memory grew by ${growth.toFixed(0)} MiB after the warm-up`);
    }
}

/** The slope of the line of least squares, and by how much the median of the last third is above that of the first. */
function trend(points) {
    const mean = at => points.reduce((sum, point) => sum + point[at], 0) / points.length;
    const [meanX, meanY] = [mean(0), mean(1)];
    const slope =
        points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
    const third = Math.ceil(points.length / 3);
    const median = part => part.map(([, y]) => y).toSorted((a, b) => a - b)[Math.floor(part.length / 2)];
    return { slope, growth: median(points.slice(-third)) - median(points.slice(0, third)) };
}

/** Whether something holds within a while. */
async function until(holds) {
    for (const began = performance.now(); performance.now() - began < LONGEST_IDLE; await sleep(100)) if (await holds()) return true;
    return false;
}

async function isIdle() {
    const { running, waiting } = await status();
    return running === 0 && waiting === 0;
}

function headers() {
    return { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
}

async function status() {
    return (await (await fetch(`${server.base}/api/v1/rulelang/status`, { headers: headers() })).json()).data;
}

async function post(path, body) {
    return (await fetch(`${server.base}/api/v1${path}`, { method: 'POST', headers: headers(), body: JSON.stringify(body) })).json();
}

function rounded(figures) {
    return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value)]));
}
