// A language server over stdio, and the programs that it is asked about.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Milliseconds of a tick of Linux. */
const TICK = 10;
const SERVER = fileURLToPath(new URL('../dist/lsp.mjs', import.meta.url));

/** A client with just enough of the protocol. */
export function client() {
    const child = spawn(process.execPath, [...(process.env.NODEARGS ?? '').split(' ').filter(Boolean), SERVER, '--stdio'], {
        stdio: ['pipe', 'pipe', 'inherit'],
    });
    const waiting = new Map();
    const diagnosed = new Map();
    let received = Buffer.alloc(0);
    let last = 0;
    const send = message => {
        const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
        child.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
    };
    const take = message => {
        if (message.method === 'textDocument/publishDiagnostics') diagnosed.get(message.params.version)?.();
        else if (message.method === undefined) waiting.get(message.id)?.(message.result);
    };
    child.stdout.on('data', chunk => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        for (;;) {
            const end = received.indexOf('\r\n\r\n');
            const length = end < 0 ? Number.NaN : Number(/Content-Length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1]);
            if (!(received.length >= end + 4 + length)) return;
            const message = JSON.parse(received.toString('utf8', end + 4, end + 4 + length));
            received = received.subarray(end + 4 + length);
            take(message);
        }
    });
    return {
        pid: child.pid,
        request: (method, params) =>
            new Promise(resolve => {
                waiting.set(++last, resolve);
                send({ id: last, method, params });
            }),
        notify: (method, params) => send({ method, params }),
        diagnosed: (_, version) => new Promise(resolve => diagnosed.set(version, resolve)),
        kill: () => child.kill('SIGKILL'),
    };
}

/** What a server holds in memory, in megabytes; undefined where the system does not say. */
export function megabytesOf(pid) {
    const status = /VmRSS:\s*(\d+)/.exec(fileOf(pid, 'status'));
    return status === null ? undefined : Math.round(Number(status[1]) / 1024);
}

/** What a server has used of the processor, in milliseconds; undefined where the system does not say. */
export function processorOf(pid) {
    const [, ticks] = / \S (?:\S+ ){10}(\d+ \d+) /.exec(fileOf(pid, 'stat').split(')').pop()) ?? [];
    return ticks?.split(' ').reduce((sum, count) => sum + Number(count) * TICK, 0);
}

function fileOf(pid, name) {
    try {
        return readFileSync(`/proc/${pid}/${name}`, 'latin1');
    } catch {
        return '';
    }
}

/** Facts, joins, negation, conditions and aggregates over predicates that the clauses share; about 30 tokens per clause. */
export function generate(count, { seed = 1, name = '' } = {}) {
    const random = randomFrom(seed);
    const pick = limit => Math.floor(random() * limit);
    const predicates = Math.max(10, Math.round(count / 20));
    const lines = [];
    for (let i = 0; i < count; i++) {
        const [p, q, r] = [pick(predicates), pick(predicates), pick(predicates)];
        switch (i % 5) {
            case 0:
                lines.push(`base${name}${p}("item ${pick(1e6)}", ${pick(1e6)}, ${pick(1e4) / 100}).`);
                break;
            case 1:
                lines.push(
                    `step${name}${i}(X, Y, T) <- base${name}${p}(X, A, V), base${name}${q}(Y, A, W), X != Y, T = V * ${1 + pick(9)} + W, T > ${pick(100)}.`,
                );
                break;
            case 2:
                lines.push(`total${name}${i}(X, S) <- base${name}${p}(X, A, V), base${name}${q}(X, B, W), A < B, S = sum(V + W, <A>).`);
                break;
            case 3:
                lines.push(
                    `only${name}${i}(X, A) <- base${name}${p}(X, A, V), not base${name}${q}(X, A, V), V >= ${pick(50)}, not base${name}${r}(X, A, 1.5).`,
                );
                break;
            default:
                lines.push(
                    `name${name}${i}(X, N) <- base${name}${p}(X, A, _), N = concat(X, "-${pick(1e4)}"), A > ${pick(1e4)}, base${name}${q}(X, A, V), V > 0.5.`,
                );
        }
    }
    return `${lines.join('\n')}\n`;
}

export function randomFrom(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

/** Milliseconds that an action takes, the median of so many; what it gives beside is called outside the clock. */
export async function median(times, action) {
    const taken = [];
    for (let i = 0; i < times; i++) {
        const began = performance.now();
        const after = await action();
        taken.push(performance.now() - began);
        if (typeof after === 'function') after();
    }
    return taken.sort((left, right) => left - right)[Math.floor(times / 2)];
}
