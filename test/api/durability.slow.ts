import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CLI, ended } from '../cli/command-line.ts';
import { THOROUGH } from '../support/thorough.ts';
import { type Answered, answered, serveArguments } from './services.ts';

/** In all: every round kills a server at work, and another while it starts on what that one left. */
const KILLS = THOROUGH ? 200 : 12;
/** Directories that are worked on side by side. */
const SIDE_BY_SIDE = 2;
/** Every so many rounds a run comes to its end before the kill, and in as many the kill comes while the next run stores its rows. */
const EACH_KIND = 3;
const ROWS = 300;

interface Server {
    readonly child: ChildProcess;
    readonly base: string;
    readonly token: string;
    post(path: string, body: object): Promise<Answered>;
    get(path: string): Promise<Answered>;
    end(signal: NodeJS.Signals): Promise<number | null>;
}

const alive = new Set<ChildProcess>();
afterEach(() => {
    for (const child of alive) child.kill('SIGKILL');
});

function launched(data: string): ChildProcess {
    const args = serveArguments(data);
    const child = spawn(process.execPath, [CLI, ...args], { cwd: tmpdir() });
    alive.add(child);
    child.once('close', () => alive.delete(child));
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

/** Texts of concepts by name, and which rows are stored, as far as that is known: a request that was cut off may have been carried out or not. */
class Known {
    readonly texts = new Map<string, string | undefined>();
    /** What else a name may hold while its request is under way. */
    readonly open = new Map<string, string | undefined>();
    /** The versions of which the rows may be; one of them is. */
    rows = new Set<string | undefined>([undefined]);
    acknowledged = 0;

    async check(server: Server, round: number): Promise<void> {
        const kept = await conceptsIn(server);
        const names = new Set([...this.texts.keys(), ...this.open.keys(), ...kept.keys()]);
        for (const name of names) {
            const allowed = [this.texts.get(name), ...(this.open.has(name) ? [this.open.get(name)] : [])];
            expect([round, name, allowed.includes(kept.get(name))]).toEqual([round, name, true]);
            this.texts.set(name, kept.get(name));
        }
        this.open.clear();
        const version = await versionOfRows(server);
        expect([round, version, this.rows.has(version)]).toEqual([round, version, true]);
        this.rows = new Set([version]);
    }
}

/** The version that all stored rows have; undefined where none are stored. */
async function versionOfRows(server: Server): Promise<string | undefined> {
    const { status, body, text } = await server.get('/concepts/p/fetch?output_predicate=r&page_size=1000');
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(text);
    const { rows, count } = body.data as { rows: readonly [number, string][]; count: number };
    const version = rows[0]?.[1];
    expect([count, rows]).toEqual([ROWS, Array.from({ length: ROWS }, (_, i) => [i, version])]);
    return version;
}

/** Saves and deletes concepts one after the other until the server is gone. */
async function saving(lane: number, round: number, server: Server, known: Known, done: () => void): Promise<void> {
    for (let i = 0; ; i++) {
        const name = `c${lane}_${i % 7}`;
        const text = i % 5 === 4 ? undefined : `${name}("${round} ${i} ${'x'.repeat((i % 3) * 3000)}").`;
        known.open.set(name, text);
        const answer = await (text === undefined
            ? server.post('/concepts/p/cleanup', { concept_names: [name] })
            : server.post('/concepts/p/save', { definition: text, concept_name: name })
        ).catch(() => undefined);
        if (answer === undefined) return;
        expect(answer.status).toBe(200);
        known.acknowledged++;
        known.texts.set(name, text);
        known.open.delete(name);
        done();
    }
}

/** Stores rows of one version after the other until the server is gone. */
async function running(round: number, server: Server, known: Known, begins: () => void, done: (took: number) => void): Promise<void> {
    for (let i = 0; ; i++) {
        const version = `${round} ${i}`;
        const text = Array.from({ length: ROWS }, (_, n) => `r(${n}, "${version}").`).join(' ');
        known.open.set('r', text);
        const saved = await server.post('/concepts/p/save', { definition: text, concept_name: 'r' }).catch(() => undefined);
        if (saved === undefined) return;
        expect(saved.status).toBe(200);
        known.texts.set('r', text);
        known.open.delete('r');
        known.rows.add(version);
        begins();
        const began = performance.now();
        const run = await server.post('/concepts/p/run/r', { force_rerun: true }).catch(() => undefined);
        if (run === undefined) return;
        expect(run.status).toBe(200);
        known.acknowledged++;
        known.rows = new Set([version]);
        done(performance.now() - began);
    }
}

/** Ends a server that is about to start on a directory after some milliseconds. */
async function killedAtStart(data: string, milliseconds: number): Promise<void> {
    const child = launched(data);
    const whole = ended(child);
    await new Promise(resolve => setTimeout(resolve, milliseconds));
    child.kill('SIGKILL');
    await whole;
}

async function killing(first: number, rounds: number): Promise<number> {
    const data = emptyFolder();
    const known = new Known();
    let server = await started(data);
    /** Milliseconds that a start takes. */
    let starting = 1000;
    expect((await server.post('/projects/save', { project: { id: 'p', name: 'One' } })).status).toBe(200);
    for (let round = first; round < first + rounds; round++) {
        let left = 1 + ((round * 7) % 13);
        let enough = (): void => undefined;
        let ran: (took: number) => void = () => undefined;
        let runs = 0;
        let again = (): void => undefined;
        const busy = new Promise<void>(resolve => {
            enough = () => void (--left === 0 && resolve());
        });
        const hasRun = new Promise<number>(resolve => {
            ran = resolve;
        });
        const runsAgain = new Promise<void>(resolve => {
            again = () => void (runs++ === 1 && resolve());
        });
        const lanes = round % EACH_KIND === 0 ? [0] : [0, 1, 2];
        const clients = lanes.map(lane => saving(lane, round, server, known, enough));
        clients.push(running(round, server, known, again, ran));
        await (round % EACH_KIND === 0 ? hasRun : round % EACH_KIND === 1 ? busy : runsAgain);
        // Rows are stored towards the end of a run.
        const wait = round % EACH_KIND === 2 ? (await hasRun) * (0.75 + ((round * 0.1) % 0.35)) : (round * 5) % 17;
        await new Promise(resolve => setTimeout(resolve, wait));
        await server.end('SIGKILL');
        await Promise.all(clients);
        await killedAtStart(data, starting * ((round * 0.37) % 1));
        const began = performance.now();
        server = await started(data);
        starting = performance.now() - began;
        await known.check(server, round);
    }
    expect(await server.end('SIGTERM')).toBe(0);
    expect(fs.readdirSync(join(data, 'store'))).toEqual(['rulelang.duckdb', 'rulelang.duckdb.committed']);
    return known.acknowledged;
}

test(`nothing that was answered is lost in ${KILLS} kills, of servers at work and of servers that start`, async () => {
    const rounds = KILLS / 2 / SIDE_BY_SIDE;
    const acknowledged = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, side) => killing(side * rounds, rounds)));
    console.log(`${acknowledged.reduce((sum, n) => sum + n, 0)} requests were answered`);
    for (const answers of acknowledged) expect(answers).toBeGreaterThan(rounds);
}, 1_200_000);

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
            const definition = `c${i}("${String(i).repeat(80_000)}").`;
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
    for (let round = 0; round < 3; round++) {
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
