import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDataDirectory } from '#server/store/data-directory.ts';
import { keepRun, runsOf } from '#server/store/runs.ts';
import { openStore } from '#server/store/store.ts';
import { callsTo } from './calls.ts';
import { type Services, startServices } from './services.ts';

let services: Services;
const { post, get, data } = callsTo(() => services);

interface Run {
    readonly concept_name: string;
    readonly state: string;
    readonly [name: string]: unknown;
}

interface Progress {
    readonly row_count: number;
    readonly stratum: number;
}

const runs = (query = ''): Promise<Run[]> => data(get(`/concepts/p/runs${query}`));
const running = (): Promise<{ state: string; since: string; concept: unknown; progress: Progress | null }[]> =>
    data(get('/rulelang/running'));
const save = (definition: string) => data(post('/concepts/p/save', { definition }));
const ENDLESS = 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. endless(X) :- n(X). @output("endless").';

beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'p', name: 'One' } }));
    await save('@param("least", 2). town("Rome", 3). town("Pisa", 1). large(T) :- town(T, N), N >= ?least. @output("large").');
    await save('@input("rows"). @bind("rows", "csv", ".", "nowhere.csv"). broken(X) :- rows(X).');
    await save(ENDLESS);
});
afterAll(() => services.stop());

describe('the last runs of a project', () => {
    test('say what became of each, the latest first', async () => {
        expect(await runs()).toEqual([]);
        const before = Date.now();
        const { execution_id: first } = await data<{ execution_id: string }>(post('/concepts/p/run/large', { params: { least: 1 } }));
        await data(post('/concepts/p/run/large', { force_rerun: false, params: { least: 1 } }));
        await data(post('/concepts/p/run/large', { persist_outputs: false }));
        await post('/concepts/p/run/broken', {});
        await post('/concepts/p/run/nowhere', {});
        const found = await runs();
        const usual = { concept_name: 'large', concept_type: 'logic', state: 'succeeded', error: null };
        expect(found).toEqual([
            expect.objectContaining({
                concept_name: 'broken',
                state: 'failed',
                execution_id: null,
                row_count: null,
                persisted: false,
                error: { code: 'source_unavailable', message: expect.stringContaining('nowhere.csv') },
            }),
            expect.objectContaining({ ...usual, row_count: 1, cached: false, persisted: false, params: [] }),
            expect.objectContaining({ ...usual, execution_id: first, row_count: 2, cached: true, persisted: true, params: ['least'] }),
            expect.objectContaining({ ...usual, execution_id: first, row_count: 2, cached: false, persisted: true, params: ['least'] }),
        ]);
        for (const { started_at: at, execution_time: took } of found) {
            expect(Date.parse(at as string)).toBeGreaterThanOrEqual(before);
            expect(took).toBeGreaterThanOrEqual(0);
        }
        expect(await runs('?limit=1')).toEqual(found.slice(0, 1));
        expect(await data(get('/concepts/p/runs?limit=200'))).toEqual(found);
    });

    test('follow a new name, and go with their concept', async () => {
        const before = await runs();
        await data(post('/concepts/p/rename', { name: 'large', new_name: 'big' }));
        expect((await runs()).map(({ concept_name: name }) => name)).toEqual(['broken', 'big', 'big', 'big']);
        await data(post('/concepts/p/cleanup', { concept_names: ['broken'] }));
        expect(await runs()).toEqual(before.slice(1).map(run => ({ ...run, concept_name: 'big' })));
    });

    test('are of one scope', async () => {
        expect((await get('/concepts/p/runs?scope=organization')).body.code).toBe('project_not_found');
        expect((await get('/concepts/p/runs?limit=201')).body.code).toBe('validation_error');
    });
});

test('what runs and what waits is told, and a run that was stopped is remembered', async () => {
    expect(await running()).toEqual([]);
    const began = Date.now();
    const asked = [
        post('/concepts/p/run/endless', {}),
        post('/rulelang/evaluate', { program: ENDLESS }),
        post('/concepts/p/run/endless', {}),
    ];
    await expect.poll(async () => (await running()).map(({ state }) => state)).toEqual(['running', 'running', 'waiting']);
    const now = await running();
    const concept = { scope: 'user', project_id: 'p', concept_name: 'endless', purpose: 'run' };
    expect(now.map(one => one.concept)).toEqual(expect.arrayContaining([concept, null, concept]));
    expect(now[2]?.concept).toEqual(concept);
    for (const { since } of now) {
        expect(Date.parse(since)).toBeGreaterThanOrEqual(began);
        expect(Date.parse(since)).toBeLessThanOrEqual(Date.now());
    }
    await get('/rulelang/stop');
    await Promise.all(asked);
    expect(await running()).toEqual([]);
    const stopped = { concept_name: 'endless', state: 'stopped', error: { code: 'evaluation_stopped', message: 'Evaluation was stopped' } };
    expect((await runs('?limit=2')).map(run => run)).toMatchObject([stopped, stopped]);
    const late = await post('/concepts/p/run/endless', { compute: { backend: 'local', timeout_seconds: 1 } });
    expect(late.body.code).toBe('evaluation_timeout');
    expect(await runs('?limit=1')).toMatchObject([{ state: 'timed_out', error: { code: 'evaluation_timeout' } }]);
});

test('an evaluation says how far it is in the concept and in the chain', async () => {
    await save('base(1). @output("base").');
    await save('@input("base"). m(1). m(Y) :- m(X), Y = X + 1, X < 100000000000. after(X) :- m(X), base(Y). @output("after").');
    const asked = post('/concepts/p/run/after', {});
    const progress = async () => (await running())[0]?.progress;
    await expect.poll(progress).toMatchObject({ concept_name: 'after', step: 2, steps: 2, phase: 'evaluating', predicate: { name: 'm' } });
    const first = await progress();
    await expect.poll(async () => (await progress())?.row_count).toBeGreaterThan(first?.row_count ?? 0);
    expect(first?.stratum).toBeGreaterThan(0);
    await get('/rulelang/stop');
    await asked;
});

test('two hundred runs of a project are remembered, and all of the others', async () => {
    const path = join(fs.mkdtempSync(join(tmpdir(), 'rulelang-runs-')), 'data');
    const store = await openStore(openDataDirectory(path));
    const columns = Array.from({ length: 13 }, () => "''").join(', ');
    for (const id of ['a', 'b']) await store.run(`INSERT INTO concepts VALUES ('${id}', 'user', '${id}', ${columns})`);
    const ended = {
        executionId: null,
        state: 'succeeded',
        seconds: 1,
        isCached: false,
        isPersisted: false,
        parameters: [],
        error: null,
    } as const;
    const keep = (id: string, rowCount: number) =>
        keepRun(store, { scope: 'user', projectId: id, conceptId: id }, { ...ended, rowCount, startedAt: '2026-01-01T00:00:00.000Z' });
    await keep('b', 7);
    await keep('a', 1);
    await store.run(
        "INSERT INTO runs SELECT runs.* REPLACE (range AS number, range AS row_count) FROM runs, range(2, 202) WHERE project_id = 'a'",
    );
    for (const run of [202, 203]) await keep('a', run);
    await keep('gone', 1);
    const kept = (await runsOf(store, 'user', 'a', 1000)).map(({ rowCount }) => rowCount);
    expect(kept).toEqual(Array.from({ length: 200 }, (_, i) => 203 - i));
    expect((await runsOf(store, 'user', 'b', 1000)).map(({ rowCount }) => rowCount)).toEqual([7]);
    expect(await store.query("SELECT * FROM runs WHERE concept_id = 'gone'")).toEqual([]);
    await store.close();
    fs.rmSync(path, { recursive: true });
});
