import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CLI, ended } from '../cli/command-line.ts';
import { type Answered, answered, serveArguments } from './services.ts';

/** Disks without room, and files that may not grow, while the services store what they are given. Only root may mount small disks. */

const OLD = 'kept(1). kept(2). @output("kept").';
/** Some 10 MB in the store. */
const LARGE =
    'n(1). n(Y) :- n(X), Y = X + 1, X < 120000. kept(X, T) :- n(X), T = concat("row ", X, " ", X * 7919, " of a text that fills the disk, and more of it ", X * 104729). @output("kept").';
const FULL = 'The store is not available: its disk is full';
const LIMITED = 'The store is not available: its files may not grow any more';

const endings: (() => void)[] = [];
afterEach(() => {
    for (const end of endings.splice(0).reverse()) end();
});

function smallDisk(size: string): string | undefined {
    const folder = fs.mkdtempSync(join(tmpdir(), 'rulelang-small-'));
    try {
        execFileSync('sh', ['-c', 'mount -t tmpfs -o "size=$2" tmpfs "$1"', 'sh', folder, size], { stdio: 'ignore' });
    } catch {
        return undefined;
    }
    endings.push(() => execFileSync('sh', ['-c', 'umount -l "$1"', 'sh', folder]));
    return folder;
}

/** `rulelang serve`, whose files may have `blocks` of 512 bytes. */
function launched(data: string, blocks = 'unlimited'): ChildProcess {
    const args = ['-c', 'ulimit -f "$1"; shift; exec "$@"', 'sh', blocks, process.execPath, CLI, ...serveArguments(data)];
    const child = spawn('sh', args, { cwd: tmpdir() });
    endings.push(() => child.kill('SIGKILL'));
    return child;
}

async function started(data: string, blocks?: string) {
    const child = launched(data, blocks);
    const whole = ended(child);
    await new Promise<void>((resolve, reject) => {
        child.stdout?.once('data', () => resolve());
        void whole.then(({ stderr }) => reject(new Error(stderr)));
    });
    const { base_url: base, engine_url: engine } = JSON.parse(fs.readFileSync(join(data, 'endpoints.json'), 'utf8'));
    const authorization = `Bearer ${fs.readFileSync(join(data, 'auth/token'), 'utf8').trim()}`;
    const send = async (url: string, body?: object): Promise<Answered> =>
        answered(
            await fetch(url, {
                method: body === undefined ? 'GET' : 'POST',
                headers: { authorization, 'content-type': 'application/json' },
                ...(body !== undefined && { body: JSON.stringify(body) }),
            }),
        );
    const call = (path: string, body?: object): Promise<Answered> => send(`${base}/api/v1${path}`, body);
    return {
        call,
        engine: (path: string, body?: object) => send(`${engine}${path}`, body),
        save: (definition: string) => call('/concepts/p/save', { definition }),
        run: () => call('/concepts/p/run/kept', { force_rerun: true }),
        kept: async () => (await call('/concepts/p/fetch?output_predicate=kept')).body.data,
        stop: async () => {
            child.kill('SIGINT');
            return (await whole).code;
        },
    };
}

type Server = Awaited<ReturnType<typeof started>>;

/** A run whose rows have no room leaves the rows of the one before it. */
async function expectRefusedRun({ call, save, run, kept }: Server, message: string): Promise<void> {
    await call('/projects/save', { project: { id: 'p', name: 'p' } });
    await save(OLD);
    expect((await run()).status).toBe(200);
    await save(LARGE);
    const refused = await run();
    expect([refused.status, refused.body]).toMatchObject([503, { code: 'store_unavailable', message, data: null }]);
    expect(await kept()).toMatchObject({ rows: [[1], [2]], count: 2 });
    expect((await call('/rulelang/status')).body.data).toMatchObject({ status: 'ready', running: 0, waiting: 0 });
    const notKept = await call('/concepts/p/run/kept', { persist_outputs: false });
    expect(notKept.body.data).toMatchObject({ rows_processed: 120_000, persisted: false });
    await save(OLD);
    expect((await run()).body.data).toMatchObject({ results: [[1], [2]], persisted: true });
}

test('a disk that fills while a run stores its rows keeps what was there, and everything works again with room', async context => {
    const disk = smallDisk('8m');
    if (disk === undefined) return context.skip('a small disk can only be mounted by root');
    const server = await started(join(disk, 'data'));
    await expectRefusedRun(server, FULL);

    const fd = fs.openSync(join(disk, 'fill'), 'w');
    expect(() => {
        for (;;) fs.writeSync(fd, Buffer.alloc(4096));
    }).toThrow('ENOSPC');
    fs.closeSync(fd);
    const { call, engine } = server;
    const text = 'x'.repeat(60_000);
    for (const [path, body] of [
        ['/projects/save', { project: { name: 'p', metadata: { text } } }],
        ['/dashboards/p/save', { dashboard: { name: 'd', definition: { text } } }],
        ['/users/save-config', { config_data: { text } }],
    ] as const)
        expect([path, (await call(path, body)).body]).toMatchObject([path, { code: 'store_unavailable', message: FULL }]);
    const set = { key: 'a', value: text };
    const unset = await engine('/config-info/set', set);
    expect([unset.status, unset.body]).toEqual([503, { status: 'FAILURE', message: 'The properties cannot be kept: its disk is full' }]);
    expect((await engine('/actuator/health')).body).toMatchObject({ status: 'DOWN', components: { diskSpace: { status: 'DOWN' } } });
    expect(await server.kept()).toMatchObject({ count: 2 });
    expect((await call('/users/load-config')).body.data).not.toHaveProperty('text');

    execFileSync('sh', ['-c', 'mount -o remount,size=96m "$1"', 'sh', disk]);
    expect((await call('/users/save-config', { config_data: { text } })).status).toBe(200);
    expect((await engine('/config-info/set', set)).body.status).toBe('SUCCESS');
    await server.save(LARGE);
    expect((await server.run()).body.data).toMatchObject({ rows_processed: 120_000, persisted: true });
    expect(await server.stop()).toBe(0);
    expect(fs.readdirSync(join(disk, 'data/store'))).toEqual(['rulelang.duckdb', 'rulelang.duckdb.committed']);
});

test('files that may not grow any more are told, and nothing is lost', async () => {
    const data = join(fs.mkdtempSync(join(tmpdir(), 'rulelang-limited-')), 'data');
    const server = await started(data, '6000');
    await expectRefusedRun(server, LIMITED);
    expect(await server.stop()).toBe(0);
    const again = await started(data);
    expect(await again.kept()).toMatchObject({ rows: [[1], [2]], count: 2 });
    expect(await again.stop()).toBe(0);
});

test.each(['16k', '64k', '300k'])('services do not start on a disk of %s, and say why', async size => {
    const disk = smallDisk(size);
    if (disk === undefined) return;
    const { code, stdout, stderr } = await ended(launched(join(disk, 'data')));
    expect([code, stdout, stderr]).toEqual([1, '', 'rulelang serve: the data directory is not available: its disk is full\n']);
    expect(fs.readdirSync(join(disk, 'data'), { recursive: true })).toEqual(expect.not.arrayContaining([expect.stringMatching(/duckdb/u)]));
});
