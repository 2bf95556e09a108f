import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CLI, ended } from '../cli/command-line.ts';
import { type Answered, answered, serveArguments } from './services.ts';

const KILLS = 50;

interface Server {
    readonly child: ChildProcess;
    readonly base: string;
    readonly token: string;
    post(path: string, body: object): Promise<Answered>;
    get(path: string): Promise<Answered>;
    end(signal: NodeJS.Signals): Promise<number | null>;
}

const running = new Set<ChildProcess>();
afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
});

function launched(data: string): ChildProcess {
    const args = serveArguments(data);
    const child = spawn(process.execPath, [CLI, ...args], { cwd: tmpdir() });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
}

async function started(data: string): Promise<Server> {
    const child = launched(data);
    const whole = ended(child);
    await new Promise<void>((resolve, reject) => {
        child.stdout?.once('data', () => resolve());
        void whole.then(({ stderr }) => reject(new Error(stderr)));
    });
    const { base_url: base } = JSON.parse(fs.readFileSync(join(data, 'endpoints.json'), 'utf8'));
    const token = fs.readFileSync(join(data, 'auth/token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return {
        child,
        base,
        token,
        post: async (path, body) => answered(await fetch(`${base}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })),
        get: async path => answered(await fetch(`${base}/api/v1${path}`, { headers })),
        end: async signal => {
            child.kill(signal);
            return (await whole).code;
        },
    };
}

const emptyFolder = (): string => join(fs.mkdtempSync(join(tmpdir(), 'rulelang-durable-')), 'data');

async function conceptsIn(server: Server): Promise<Map<string, string>> {
    const { status, body, text } = await server.get('/concepts/p/list');
    if (status !== 200) throw new Error(text);
    return new Map((body.data as { concept_name: string; definition: string }[]).map(one => [one.concept_name, one.definition]));
}

test(`nothing that was answered is lost in ${KILLS} kills`, async () => {
    const data = emptyFolder();
    /** What each name must hold, as far as that is known: a request that was cut off may have been carried out or not. */
    const answeredTexts = new Map<string, string | undefined>();
    const open = new Map<string, Set<string | undefined>>();
    let acknowledged = 0;
    let server = await started(data);
    expect((await server.post('/projects/save', { project: { id: 'p', name: 'One' } })).status).toBe(200);
    for (let kill = 0; kill < KILLS; kill++) {
        let isKilled = false;
        let left = 1 + ((kill * 7) % 23);
        let enough = (): void => undefined;
        const busy = new Promise<void>(resolve => {
            enough = resolve;
        });
        const client = async (lane: number): Promise<void> => {
            for (let i = 0; !isKilled; i++) {
                const name = `c${lane}_${i % 7}`;
                const text = i % 5 === 4 ? undefined : `${name}("${kill} ${i} ${'x'.repeat((i % 3) * 3000)}").`;
                open.set(name, new Set([answeredTexts.get(name), text]));
                const answer = await (text === undefined
                    ? server.post('/concepts/p/cleanup', { concept_names: [name] })
                    : server.post('/concepts/p/save', { definition: text, concept_name: name })
                ).catch(() => undefined);
                if (answer === undefined) return;
                expect(answer.status).toBe(200);
                acknowledged++;
                if (--left === 0) enough();
                answeredTexts.set(name, text);
                open.delete(name);
            }
        };
        const clients = [0, 1, 2, 3].map(client);
        await busy;
        await new Promise(resolve => setTimeout(resolve, (kill * 5) % 17));
        await server.end('SIGKILL');
        isKilled = true;
        await Promise.all(clients);
        server = await started(data);
        const kept = await conceptsIn(server);
        for (const [name, text] of answeredTexts) {
            const allowed = open.get(name) ?? new Set([text]);
            expect([kill, name, allowed.has(kept.get(name))]).toEqual([kill, name, true]);
        }
        for (const [name] of open) {
            answeredTexts.set(name, kept.get(name));
            open.delete(name);
        }
        for (const name of kept.keys()) expect(answeredTexts.has(name)).toBe(true);
    }
    console.log(`${acknowledged} requests were answered`);
    expect(acknowledged).toBeGreaterThan(KILLS);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(fs.readdirSync(join(data, 'store'))).toEqual(['rulelang.duckdb']);
});

function mounted(megabytes: number): string | undefined {
    const folder = fs.mkdtempSync(join(tmpdir(), 'rulelang-small-'));
    try {
        execFileSync('sh', ['-c', 'mount -t tmpfs -o "size=$1" tmpfs "$2"', 'sh', `${megabytes}m`, folder], { stdio: 'ignore' });
        return folder;
    } catch {
        return undefined;
    }
}

test('a full disk is told, loses nothing, and is left behind once there is room', async context => {
    const disk = mounted(12);
    if (disk === undefined) return context.skip('a small disk can only be mounted by root');
    try {
        const data = join(disk, 'data');
        let server = await started(data);
        await server.post('/projects/save', { project: { id: 'p', name: 'One' } });
        const filler = join(disk, 'filler');
        fs.writeFileSync(filler, Buffer.alloc(3 * 1024 * 1024));
        const saved = new Map<string, string>();
        const save = async (i: number): Promise<Answered> => {
            const definition = `c${i}("${String(i).repeat(20_000)}").`;
            const answer = await server.post('/concepts/p/save', { definition, concept_name: `c${i}` });
            if (answer.status === 200) saved.set(`c${i}`, definition);
            return answer;
        };
        let refused: Answered | undefined;
        for (let i = 0; i < 1000 && refused === undefined; i++) {
            const answer = await save(i);
            if (answer.status !== 200) refused = answer;
        }
        expect([refused?.status, refused?.body.code, refused?.body.message]).toEqual([
            503,
            'store_unavailable',
            'The store is not available: its disk is full',
        ]);
        expect(saved.size).toBeGreaterThan(10);
        expect(await conceptsIn(server)).toEqual(saved);
        fs.rmSync(filler);
        expect((await save(5000)).status).toBe(200);
        fs.writeFileSync(filler, '');
        expect(await server.end('SIGKILL')).toBe(null);
        server = await started(data);
        expect(await conceptsIn(server)).toEqual(saved);
        expect(await server.end('SIGTERM')).toBe(0);
    } finally {
        execFileSync('sh', ['-c', 'umount "$1"', 'sh', disk]);
    }
});

test('of servers that start on one directory at the same moment one wins', async () => {
    const data = emptyFolder();
    for (let round = 0; round < 8; round++) {
        const contenders = [launched(data), launched(data), launched(data)];
        const ends = contenders.map(ended);
        const outcomes = await Promise.all(
            contenders.map((child, i) =>
                Promise.race([
                    new Promise<'serves'>(resolve => child.stdout?.once('data', () => resolve('serves'))),
                    (ends[i] as ReturnType<typeof ended>).then(({ stderr }) => stderr),
                ]),
            ),
        );
        expect(outcomes.filter(outcome => outcome === 'serves')).toHaveLength(1);
        for (const outcome of outcomes) if (outcome !== 'serves') expect(outcome).toContain('in use by process');
        for (const child of contenders) child.kill(round % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
        await Promise.all(ends);
    }
});
