// `rulelang serve` as a process of its own, and what the system knows about it.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Starts the services on free ports in a data directory. */
export async function startServer(cli, data) {
    const args = ['serve', '--data-dir', data, '--port', '0', '--engine-port', '0', '--chat-port', '0'];
    const child = spawn(process.execPath, [cli, ...args], { cwd: join(data, '..'), stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    child.stderr.setEncoding('utf8').on('data', text => {
        log += text;
    });
    const ended = new Promise(resolve => child.once('close', (code, signal) => resolve(code ?? signal)));
    await new Promise((resolve, reject) => {
        child.stdout.once('data', resolve);
        void ended.then(() => reject(new Error(`the services did not start: ${log}`)));
    });
    const endpoints = JSON.parse(readFileSync(join(data, 'endpoints.json'), 'utf8'));
    return {
        pid: child.pid,
        base: endpoints.base_url,
        token: readFileSync(join(data, 'auth/token'), 'utf8').trim(),
        log: () => log,
        /** Ends it as Ctrl-C does; gives its exit code and the milliseconds that it took. */
        stop: async () => {
            const began = performance.now();
            child.kill('SIGINT');
            return { code: await ended, took: performance.now() - began };
        },
        kill: () => child.kill('SIGKILL'),
    };
}

/** Memory in MiB, open descriptors and child processes; undefined where /proc does not say. */
export function figuresOf(pid) {
    try {
        return { memory: memoryOf(pid), descriptors: readdirSync(`/proc/${pid}/fd`).length, children: childrenOf(pid).length };
    } catch {
        return undefined;
    }
}

/** How many descriptors lead to what: files by their paths, the others by their kinds. */
export function descriptorsOf(pid) {
    const counts = {};
    for (const name of readdirSync(`/proc/${pid}/fd`)) {
        try {
            const target = readlinkSync(`/proc/${pid}/fd/${name}`).replace(/:\[\d+\]$/u, '');
            counts[target] = (counts[target] ?? 0) + 1;
        } catch {
            // It was closed meanwhile.
        }
    }
    return counts;
}

export function childrenOf(pid) {
    return readdirSync('/proc')
        .filter(name => /^\d+$/u.test(name))
        .filter(name => parentOf(name) === pid)
        .map(Number);
}

function memoryOf(pid) {
    return Number(/^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

function parentOf(pid) {
    try {
        const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
    } catch {
        return undefined;
    }
}
