import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ended, start } from '../cli/command-line.ts';
import { callsTo } from './calls.ts';
import { type Services, serveArguments, startServices } from './services.ts';

let services: Services;
const { post, get, data } = callsTo(() => services);

afterEach(async () => {
    await services.stop();
});

interface Page {
    readonly rows: readonly (readonly number[])[];
    readonly count: number;
    readonly total_pages: number;
}

const save = (definition: string) => data(post('/concepts/p/save', { definition }));
const page = (query: string) => data<Page>(get(`/concepts/p/fetch?output_predicate=${query}`));

/** Rows `(i, i * 7919 modulo 1,000,003)`: the second column is a permutation of a part of its range. */
const MILLION = (rows: number) =>
    `n(1). n(Y) :- n(X), Y = X + 1, X < ${rows}. many(X, M) :- n(X), M = math:mod(X * 7919, 1000003). @output("many").`;
const PRIME = 1_000_003;
const second = (x: number): number => (x * 7919) % PRIME;

test('a million rows: every page costs the same, in any order', { timeout: 300_000 }, async () => {
    // Before the services start: a busy client does not see that its connections are closed.
    const firsts = new Int32Array(PRIME);
    for (let x = 1; x <= 1_000_000; x++) firsts[second(x)] = x;
    const inOrder = Array.from(firsts, (x, y) => [x, y] as const)
        .reverse()
        .filter(([x]) => x > 0);
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'p', name: 'p' } }));
    await save(MILLION(1_000_000));
    let longest = 0;
    let ended = false;
    const watch = (async () => {
        while (!ended) {
            const began = performance.now();
            await get('/rulelang/status');
            longest = Math.max(longest, performance.now() - began);
            await new Promise(resolve => setTimeout(resolve, 50));
        }
    })();
    const began = performance.now();
    const run = await data<{ rows_processed: number; results: unknown[]; truncated: boolean }>(post('/concepts/p/run/many', {}));
    const took = performance.now() - began;
    ended = true;
    await watch;
    expect([run.rows_processed, run.results.length, run.truncated]).toEqual([1_000_000, 10_000, true]);
    const times: string[] = [`run and store ${took.toFixed(0)} ms, longest answer meanwhile ${longest.toFixed(0)} ms`];
    const timed = async (query: string): Promise<Page> => {
        const start = performance.now();
        const found = await page(query);
        times.push(`${query} ${(performance.now() - start).toFixed(0)} ms`);
        return found;
    };
    const first = await timed('many&page=1&page_size=30');
    expect(first).toMatchObject({ count: 1_000_000, total_pages: 33_334 });
    expect(first.rows[0]).toEqual([1, second(1)]);
    expect((await timed('many&page=33334&page_size=30')).rows.map(([x]) => x)).toEqual(Array.from({ length: 10 }, (_, i) => 999_991 + i));
    for (const number of [1, 500, 1000])
        expect((await timed(`many&page=${number}&page_size=1000&order_by=1:desc`)).rows).toEqual(
            inOrder.slice((number - 1) * 1000, number * 1000),
        );
    expect((await timed('many&page=1000&page_size=1000&order_by=0:desc')).rows.at(-1)).toEqual([1, second(1)]);
    process.stdout.write(`${times.join('\n')}\n`);
    await save(MILLION(1_000_001));
    const { status, body } = await post('/concepts/p/run/many', {});
    expect([status, body.code, body.message, body.details]).toEqual([
        422,
        'result_too_large',
        "More than 1000000 rows in 'many'",
        { concept_name: 'many' },
    ]);
    expect((await page('many')).count).toBe(1_000_000);
});

/** The services again, with the data that others left. */
async function restarted({ folder, data: directory, token }: Services): Promise<Services> {
    const child = start(folder, serveArguments(directory));
    const whole = ended(child);
    await new Promise<void>((resolve, reject) => {
        child.stdout?.once('data', () => resolve());
        child.once('close', () => reject(new Error('serve ended')));
    });
    const { base_url: base } = JSON.parse(fs.readFileSync(join(directory, 'endpoints.json'), 'utf8'));
    return {
        ...services,
        base,
        token,
        process: child,
        log: () => '',
        stop: async () => {
            child.kill('SIGINT');
            return (await whole).code;
        },
    };
}

test('a server that is killed while runs store rows has all that was answered, and nothing by halves', { timeout: 300_000 }, async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'p', name: 'p' } }));
    const SIZE = 60_000;
    const ROUNDS = 3;
    await save(`@param("v", 0). n(1). n(Y) :- n(X), Y = X + 1, X < ${SIZE}. many(X, V) :- n(X), V = ?v. @output("many").`);
    let answered = 0;
    for (let round = 0; round < ROUNDS; round++) {
        let asked = answered;
        let took = 0;
        const runs = (async () => {
            for (;;) {
                asked = answered + 1;
                const began = performance.now();
                await data(post('/concepts/p/run/many', { params: { v: asked } }));
                took = performance.now() - began;
                answered = asked;
            }
        })().catch(() => undefined);
        const before = answered;
        while (answered === before) await new Promise(resolve => setTimeout(resolve, 20));
        // At another moment of a run each time.
        await new Promise(resolve => setTimeout(resolve, (took * (round + 1)) / ROUNDS));
        services.process.kill('SIGKILL');
        await runs;
        services = await restarted(services);
        const ends = await Promise.all(['0', '0:desc'].map(order => page(`many&page_size=1&order_by=${order}`)));
        expect(ends.map(({ count }) => count)).toEqual([SIZE, SIZE]);
        const [[first = 0, low = 0] = [], [last = 0, high = 0] = []] = ends.map(({ rows }) => rows[0]);
        expect([first, last]).toEqual([1, SIZE]);
        expect(high).toBe(low);
        expect([answered, asked]).toContain(low);
        answered = low;
    }
    expect(answered).toBeGreaterThanOrEqual(ROUNDS);
});
