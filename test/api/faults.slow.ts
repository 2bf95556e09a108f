import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ended, rulelang, start } from '../cli/command-line.ts';
import { until } from '../support/until.ts';
import { callsTo } from './calls.ts';
import { isAtWork, runsOf } from './children.ts';
import { type Services, serveArguments, startServices } from './services.ts';

let services: Services;
const { post, get, data } = callsTo(() => services);

const DAY = 86_400_000;
const ENDLESS = 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. endless(X) :- n(X). @output("endless").';
/** Some 40 MB of rows. */
const FEW =
    'n(1). n(Y) :- n(X), Y = X + 1, X < 400000. many(X, Y) :- n(X), Y = concat("row ", "of a long text that fills the lines ", "twice and thrice"). @output("many").';
/** The rows of 130 MB. */
const LARGE = FEW.replace('twice', 'twice '.repeat(45));
/** More rows than there is room for where no reader takes them. */
const MANY = FEW.replace('400000', '50000').replace('twice', 'twice '.repeat(5600));
const STORED_ROWS = 30_000;
const STORED = `n(1). n(Y) :- n(X), Y = X + 1, X < ${STORED_ROWS}. many(X, Y) :- n(X), Y = X * 2. @output("many").`;
/** Characters between two looks at the memory. */
const LOOK_AFTER = 16_000_000;
/** MiB that the services may need for a slow reader: what is not collected yet, and not its rows as well. */
const LARGEST_GROWTH = 160;
const LONG = (rows: number): string => Array.from({ length: rows }, (_, i) => `long(${i}, "${'x'.repeat(8_000)}").`).join('\n');

interface Status {
    readonly running: number;
    readonly waiting: number;
}
const status = () => data<Status>(get('/rulelang/status'));

/** Ends a process, unless it has just ended by itself. */
function end(pid: number, signal: 'SIGKILL' | 'SIGABRT'): void {
    try {
        process.kill(pid, signal);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

/** Goes away after the first bytes of an answer; gives the processes that there were then, the oldest one first. */
async function leave(path: string, init: RequestInit = {}): Promise<readonly number[]> {
    const leaving = new AbortController();
    const response = await fetch(`${services.base}/api/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
        signal: leaving.signal,
    });
    expect(response.status).toBe(200);
    expect((await response.body?.getReader().read())?.value?.length).toBeGreaterThan(0);
    const children = runsOf(services.process);
    leaving.abort();
    return children.sort((a, b) => a - b);
}

/** Waits until a process has ended, and nothing but the one that waits for the next run is there. */
async function gone(child: number | undefined): Promise<void> {
    expect(child).toBeDefined();
    await expect.poll(() => runsOf(services.process), { interval: 20 }).not.toContain(child);
    expect(runsOf(services.process).length).toBeLessThanOrEqual(1);
}

describe.runIf(fs.existsSync('/proc'))('one server', () => {
    beforeAll(async () => {
        services = await startServices();
        await data(post('/projects/save', { project: { id: 'p', name: 'p' } }));
    });
    afterAll(() => services.stop());

    // The first one: what a server has done before hides what it needs.
    test('a reader that takes its time gets every row, and costs no memory', async () => {
        const memory = (): number =>
            Number(/^VmRSS:\s+(\d+)/mu.exec(fs.readFileSync(`/proc/${services.process.pid}/status`, 'utf8'))?.[1]) / 1024;
        const response = await fetch(`${services.base}/api/v1/rulelang/evaluate`, {
            method: 'POST',
            headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ program: LARGE }),
        });
        const before = memory();
        let highest = before;
        // Every row has been written for the reader before it takes the first of them.
        await until('the evaluation to end', status, ({ running }) => running === 0);
        highest = Math.max(highest, memory());
        let text = '';
        let read = 0;
        for await (const piece of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
            text += piece;
            read += piece.length;
            if (read < LOOK_AFTER) continue;
            read = 0;
            highest = Math.max(highest, memory());
        }
        expect(JSON.parse(text).data.resultSet.many).toHaveLength(400_000);
        expect(highest - before).toBeLessThan(LARGEST_GROWTH);
    });

    test('a client that goes away in the middle of its rows ends its evaluation', async () => {
        const [evaluating] = await leave('/rulelang/evaluate', { method: 'POST', body: JSON.stringify({ program: MANY }) });
        await gone(evaluating);
        expect(await status()).toMatchObject({ running: 0, waiting: 0 });
        // It ended because its client had left, and not since nobody took what it wrote.
        expect(services.log()).not.toContain('SpoolFull');

        await data(post('/concepts/p/save', { definition: ENDLESS }));
        const leaving = new AbortController();
        const run = post('/concepts/p/run/endless', {}, { signal: leaving.signal });
        await expect.poll(() => runsOf(services.process).map(pid => isAtWork(pid))).toEqual([true]);
        const [endless] = runsOf(services.process);
        leaving.abort();
        await expect(run).rejects.toThrow();
        await gone(endless);
        expect(await status()).toMatchObject({ running: 0, waiting: 0 });
    });

    test('an evaluation whose process dies is told, whatever it was doing, and the next one is right', async () => {
        await data(post('/concepts/p/save', { definition: 'one(1). @output("one").' }));
        await data(post('/concepts/p/save', { definition: STORED }));
        const began = performance.now();
        await data(post('/concepts/p/run/many', {}));
        const took = performance.now() - began;
        const KILLS = 4;
        const outcomes = new Set<unknown>();
        for (let i = 0; i < KILLS; i++) {
            const run = post('/concepts/p/run/many', { force_rerun: true });
            await expect.poll(() => runsOf(services.process), { interval: 5 }).toHaveLength(1);
            await new Promise(resolve => setTimeout(resolve, (took * i) / KILLS));
            const killed = runsOf(services.process);
            for (const child of killed) end(child, i % 2 === 0 ? 'SIGKILL' : 'SIGABRT');
            const outcome = await run.then(
                ({ status: http, body }) => (http === 200 ? 'done' : `${http} ${body.code} ${body.message}`),
                (error: Error) => error.message,
            );
            // One that waited for the next question counts as there until the services have heard of its end.
            await expect.poll(() => runsOf(services.process).filter(child => killed.includes(child))).toEqual([]);
            outcomes.add(outcome.replace(/SIG[A-Z]+|code \d+/u, 'it'));
            // What was stored before is there still, or what this run has stored.
            expect((await data<{ count: number }>(get('/concepts/p/fetch?output_predicate=many'))).count).toBe(STORED_ROWS);
            expect((await data<{ results: unknown }>(post('/concepts/p/run/one', { force_rerun: true }))).results).toEqual([[1]]);
        }
        // Rows that were on their way are cut off.
        expect(['done', 'terminated', '500 internal_error Internal error']).toEqual(expect.arrayContaining([...outcomes]));
        await data(post('/concepts/p/save', { definition: ENDLESS }));
        const endless = post('/concepts/p/run/endless', {});
        await until(
            'a run at work',
            () => runsOf(services.process),
            pids => pids.some(pid => isAtWork(pid)),
        );
        for (const child of runsOf(services.process)) end(child, 'SIGKILL');
        expect([(await endless).status, (await endless).body.code]).toEqual([500, 'internal_error']);
        await expect.poll(status).toMatchObject({ running: 0, waiting: 0 });
        const errors = services
            .log()
            .split('\n')
            .filter(line => line.includes('"error"'));
        expect(errors.filter(line => !line.includes('The run process was ended by SIG'))).toEqual([]);
    });

    test('clients that go away in the middle of a page leave nothing open', async () => {
        for (let i = 0; i < 10; i++)
            await data(post('/concepts/p/save', { definition: LONG(100).replaceAll('long(', `long${i}(`), concept_name: `long${i}` }));
        await data(post('/concepts/p/run/long0', {}));
        const open = (): number => fs.readdirSync(`/proc/${services.process.pid}/fd`).length;
        await leave('/concepts/p/list');
        await expect.poll(async () => (await status()).running).toBe(0);
        const before = open();
        for (let i = 0; i < 10; i++)
            await leave(i % 2 === 0 ? '/concepts/p/list' : '/concepts/p/fetch?output_predicate=long0&page_size=1000');
        await expect.poll(open).toBeLessThanOrEqual(before + 2);
        expect((await data<{ count: number }>(get('/concepts/p/fetch?output_predicate=long0'))).count).toBe(100);
    });
});

describe('a server of its own', () => {
    afterEach(async () => {
        delete process.env.NODE_OPTIONS;
        await services.stop();
    });

    test('a clock that jumps by days ends nothing early and nothing late', async () => {
        const folder = fs.mkdtempSync(join(tmpdir(), 'rulelang-clock-'));
        const shift = join(folder, 'shift');
        fs.writeFileSync(shift, '0');
        // The wall clock as programs read it; the monotonic one goes on.
        const clock = `const fs = require('node:fs'); const Real = Date; const now = () => Real.now() + Number(fs.readFileSync(${JSON.stringify(shift)}, 'utf8'));
globalThis.Date = class Date extends Real { constructor(...given) { if (given.length === 0) super(now()); else super(...given); } static now() { return now(); } };`;
        fs.writeFileSync(join(folder, 'clock.cjs'), clock);
        process.env.NODE_OPTIONS = `--require ${join(folder, 'clock.cjs')}`;
        services = await startServices();
        const jump = (days: number): void => fs.writeFileSync(shift, String(days * DAY));
        const saved = await data<{ updated_at: string }>(post('/projects/save', { project: { id: 'p', name: 'p' } }));
        await data(post('/concepts/p/save', { definition: ENDLESS }));
        for (const days of [2, -2]) {
            jump(0);
            const began = performance.now();
            const timed = post('/concepts/p/run/endless', { compute: { backend: 'local', timeout_seconds: 1 } });
            await expect.poll(async () => (await status()).running).toBe(1);
            jump(days);
            const { status: http, body } = await timed;
            expect([http, body.code]).toEqual([504, 'evaluation_timeout']);
            const took = performance.now() - began;
            expect(took).toBeGreaterThan(900);
        }
        jump(-2);
        await data(post('/concepts/p/save', { definition: 'one(1). @output("one").' }));
        const run = await data<{ execution_time: number; results: unknown }>(post('/concepts/p/run/one', {}));
        expect(run.results).toEqual([[1]]);
        expect(run.execution_time).toBeGreaterThanOrEqual(0);
        expect(run.execution_time).toBeLessThan(DAY / 1000);
        jump(2);
        const later = await data<{ updated_at: string }>(post('/projects/save', { project: { id: 'p', name: 'again' } }));
        expect(Date.parse(later.updated_at) - Date.parse(saved.updated_at)).toBeGreaterThan(DAY);
        fs.rmSync(folder, { recursive: true });
    });

    test('a second server on the directory is refused and disturbs nothing', async () => {
        services = await startServices();
        const endpoints = join(services.data, 'endpoints.json');
        const written = fs.readFileSync(endpoints, 'utf8');
        const second = await rulelang(services.folder, serveArguments(services.data));
        expect([second.code, second.stdout]).toEqual([1, '']);
        expect(second.stderr).toContain(`in use by process ${services.process.pid}`);
        expect(fs.readFileSync(endpoints, 'utf8')).toBe(written);
        await data(post('/projects/save', { project: { id: 'p', name: 'p' } }));
    });

    test('addresses that a killed server left are believed by nobody, and replaced', async () => {
        services = await startServices();
        const { data: directory, folder } = services;
        const endpoints = join(directory, 'endpoints.json');
        const stale = fs.readFileSync(endpoints, 'utf8');
        const closed = new Promise(resolve => services.process.once('close', resolve));
        services.process.kill('SIGKILL');
        await closed;
        expect(fs.readFileSync(endpoints, 'utf8')).toBe(stale);
        const opened = await rulelang(folder, ['open', '--print', '--data-dir', directory]);
        expect([opened.code, opened.stdout]).toEqual([1, '']);
        expect(opened.stderr).toContain('no services run');

        const child = start(folder, serveArguments(directory));
        const whole = ended(child);
        await new Promise(resolve => child.stdout?.once('data', resolve));
        const { base_url: base, pid } = JSON.parse(fs.readFileSync(endpoints, 'utf8'));
        expect(pid).toBe(child.pid);
        expect((await fetch(`${base}/api/v1/users/get-role`, { headers: { authorization: `Bearer ${services.token}` } })).status).toBe(200);
        child.kill('SIGINT');
        expect((await whole).code).toBe(0);
        expect(fs.existsSync(endpoints)).toBe(false);
    });
});
