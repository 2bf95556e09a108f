import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until as waitUntil } from '../support/until.ts';
import { callsTo } from './calls.ts';
import { runsOf } from './children.ts';
import { type Answered, type Services, startServices } from './services.ts';

let services: Services;
const { post, get, data } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
});
afterAll(() => services.stop());

const PROJECTS = ['p', 'q', 'r'];
beforeEach(async () => {
    for (const project of PROJECTS) await data(post('/projects/save', { project: { id: project, name: project } }));
});
afterEach(async () => {
    if (services.process.exitCode !== null) return;
    await data(get('/rulelang/stop'));
    await until(status => status.running === 0);
    for (const project of PROJECTS) await data(post('/projects/cleanup', { project: { id: project } }));
});

/** Runs until somebody ends it. */
const ENDLESS = 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. endless(X) :- n(X). @output("endless").';
/** Takes a second. */
const SLOW = '@param("last", 1000000). n(1). n(Y) :- n(X), Y = X + 1, X < ?last. slow(M) :- n(X), M = max(X). @output("slow").';
const QUICK = 'quick(1). @output("quick").';

interface Status {
    readonly status: string;
    readonly running: number;
    readonly waiting: number;
}
interface Run {
    readonly results: readonly unknown[][];
    readonly persisted: boolean;
}

const save = (project: string, definition: string) => data(post(`/concepts/${project}/save`, { definition }));
const asked = (project: string, concept: string, body: object = {}, signal?: AbortSignal) =>
    post(`/concepts/${project}/run/${concept}`, body, signal === undefined ? {} : { signal });
const outcome = async (answer: Promise<Answered>): Promise<readonly unknown[]> => {
    const { status, body } = await answer;
    return [status, body.status, body.code];
};

const until = (holds: (status: Status) => boolean): Promise<Status> =>
    waitUntil('a status', () => data<Status>(get('/rulelang/status')), holds);
const running = () =>
    data<{ readonly progress: { readonly phase: string; readonly row_count: number } | null }[]>(get('/rulelang/running'));

/** Does something while the run that is under way stands still, in the middle of its evaluation. */
async function meanwhile(work: () => Promise<void>): Promise<void> {
    await waitUntil('a run that evaluates', running, ([first]) => first?.progress?.phase === 'evaluating');
    const processes = runsOf(services.process);
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    try {
        await work();
    } finally {
        for (const pid of processes) process.kill(pid, 'SIGCONT');
    }
}

const STOPPED = [409, 'conflict', 'evaluation_stopped'];

describe('lanes', () => {
    test('one run of a project at a time, two projects side by side, the others wait', async () => {
        for (const project of ['p', 'q', 'r']) await save(project, ENDLESS);
        const running = [asked('p', 'endless'), asked('q', 'endless')];
        await until(status => status.running === 2);
        const waiting = [asked('p', 'endless'), asked('r', 'endless')];
        expect(await until(status => status.waiting === 2)).toMatchObject({ status: 'busy', running: 2 });
        expect(await data(get('/rulelang/stop'))).toEqual({ stopped: 4 });
        for (const answer of [...running, ...waiting]) expect(await outcome(answer)).toEqual(STOPPED);
        expect(await data(get('/rulelang/status'))).toMatchObject({ status: 'ready', running: 0, waiting: 0 });
    });

    test('a lane is free again after every kind of end', async () => {
        await save('p', QUICK);
        await save('p', 'failing(X) :- quick(X, X). @output("failing").');
        await save('p', 'lacking(?x).\n@output("lacking").');
        for (const concept of ['failing', 'lacking', 'quick']) await asked('p', concept);
        expect((await asked('p', 'quick')).status).toBe(200);
        expect((await until(status => status.running === 0)).waiting).toBe(0);
    });

    test('forty at once: one runs, thirty-two wait, the rest is refused', async () => {
        await save('p', ENDLESS);
        const answers = Array.from({ length: 40 }, () => asked('p', 'endless'));
        let refused = 0;
        for (const answer of answers)
            void answer.then(({ status, headers }) => {
                if (status === 503 && headers.get('retry-after') === '1') refused++;
            });
        // Those that come later than the stop would run.
        await until(status => status.waiting === 32 && refused === 7);
        expect(await data(get('/rulelang/stop'))).toEqual({ stopped: 33 });
        const outcomes = (await Promise.all(answers.map(outcome))).map(one => one.join(' '));
        expect(outcomes.filter(one => one === '503 error engine_busy')).toHaveLength(7);
        expect(outcomes.filter(one => one === '409 conflict evaluation_stopped')).toHaveLength(33);
    });

    test('waiting does not count as time of the evaluation', async () => {
        await save('p', ENDLESS);
        const leaving = new AbortController();
        const first = asked('p', 'endless', {}, leaving.signal).catch(() => undefined);
        await until(status => status.running === 1);
        const second = asked('p', 'endless', { compute: { backend: 'local', timeout_seconds: 1 } });
        await until(status => status.waiting === 1);
        await meanwhile(async () => {
            await new Promise(resolve => setTimeout(resolve, 1_500));
            expect(await data(get('/rulelang/status'))).toMatchObject({ running: 1, waiting: 1 });
        });
        const turn = performance.now();
        leaving.abort();
        expect((await second).body.code).toBe('evaluation_timeout');
        // All of its time was left when its turn came; timers count in whole milliseconds.
        expect(performance.now() - turn).toBeGreaterThan(990);
        await first;
    });

    test('a step that takes too long is named', async () => {
        await save('p', ENDLESS);
        await save('p', 'later(X) :- endless(X). @output("later").');
        const { status, body } = await asked('p', 'later', { compute: { backend: 'local', timeout_seconds: 4 } });
        expect([status, body.code, body.message, body.details?.concept_name]).toEqual([
            504,
            'evaluation_timeout',
            'Evaluation exceeded 4 s',
            'endless',
        ]);
    });
});

describe('ends', () => {
    test('stop ends what runs, and nothing is stored', async () => {
        await save('p', `${QUICK.replaceAll('quick', 'endless')}`);
        await asked('p', 'endless');
        await save('p', ENDLESS);
        const answer = asked('p', 'endless');
        await until(status => status.running === 1);
        await data(get('/rulelang/stop'));
        expect(await outcome(answer)).toEqual(STOPPED);
        expect(await data(get('/concepts/p/fetch?output_predicate=endless'))).toMatchObject({ rows: [[1]], count: 1 });
        expect((await get('/rulelang/stop')).body).toMatchObject({ data: { stopped: 0 }, message: 'No evaluation in progress' });
    });

    test('stop ends a run that stores its rows, and none of them stay', async () => {
        await save('p', 'n(1). n(Y) :- n(X), Y = X + 1, X < 900000. many(X, X) :- n(X). @output("many").');
        const answer = asked('p', 'many');
        await until(status => status.running === 1);
        for (let sent = false; !sent; ) {
            await new Promise(resolve => setTimeout(resolve, 300));
            await data(get('/rulelang/stop'));
            sent = await Promise.race([answer.then(() => true), new Promise<boolean>(resolve => setTimeout(() => resolve(false), 100))]);
        }
        expect(await outcome(answer)).toEqual(STOPPED);
        expect(await outcome(get('/concepts/p/fetch?output_predicate=many'))).toEqual([404, 'error', 'results_not_found']);
    });

    test('stop at any moment of a run leaves a whole answer', async () => {
        const chain = Array.from({ length: 5 }, (_, i) => `c${i}`);
        for (const [i, name] of chain.entries())
            await save('p', `${name}(X) :- ${i === 0 ? 'X = 1' : `c${i - 1}(X)`}. @output("${name}").`);
        const run = () =>
            post('/concepts/main/p/run', {
                concept_name: 'c4',
                force_rerun: true,
                materialize_intermediate_concepts: true,
                persist_outputs: true,
            });
        const began = performance.now();
        await data(run());
        const took = performance.now() - began;
        /** Stops a run after a while, and tells whether it was done by then. */
        const isDone = async (delay: number): Promise<boolean> => {
            const answer = run();
            await new Promise(resolve => setTimeout(resolve, delay));
            const stopped = await data<{ stopped: number }>(get('/rulelang/stop'));
            const { status, body } = await answer;
            if (status === 200) expect([stopped.stopped, (body.data as Run).results]).toEqual([0, [[1]]]);
            else expect([stopped.stopped, status, body.code]).toEqual([1, 409, 'evaluation_stopped']);
            expect((await data<{ count: number }>(get('/concepts/p/fetch?output_predicate=c4'))).count).toBe(1);
            return status === 200;
        };
        for (const share of [0.2, 0.4, 0.6, 0.8]) await isDone(took * share);
        // Then around the moment in which a run is done: later where it was not, sooner where it was.
        let share = 0.7;
        for (let i = 0; i < 8; i++) share += (await isDone(took * share)) ? -0.06 : 0.1;
    });

    test('a client that goes away ends its run, waiting or not', async () => {
        await save('p', ENDLESS);
        const [first, second] = [new AbortController(), new AbortController()];
        const running = asked('p', 'endless', {}, first.signal).catch(() => undefined);
        await until(status => status.running === 1);
        const waiting = asked('p', 'endless', {}, second.signal).catch(() => undefined);
        await until(status => status.waiting === 1);
        second.abort();
        await until(status => status.waiting === 0);
        first.abort();
        await until(status => status.running === 0);
        await Promise.all([running, waiting]);
        await save('p', QUICK);
        expect((await asked('p', 'quick')).status).toBe(200);
    });
});

describe.runIf(process.platform === 'linux')('what a run sees', () => {
    test('is the project as it was when it began; nobody waits for it', async () => {
        await save('p', SLOW);
        await save('p', 'base(1). @output("base").');
        await save('p', 'top(X, M) :- base(X), slow(M). @output("top").');
        const answer = asked('p', 'top');
        await meanwhile(async () => {
            await save('p', 'base(2). @output("base").');
            await save('p', 'top(X, 0) :- base(X). @output("top").');
            expect(await data(get('/rulelang/status'))).toMatchObject({ running: 1 });
        });
        expect(await data<Run>(answer)).toMatchObject({ results: [[1, 1_000_000]], persisted: true });
        const [record] = (await data<{ concept_name: string; is_stale: boolean }[]>(get('/concepts/p/list'))).filter(
            ({ concept_name: name }) => name === 'top',
        );
        expect(record).toMatchObject({ is_stale: true, row_count: 1, is_populated: true });
        expect(await data<Run>(asked('p', 'top'))).toMatchObject({ results: [[2, 0]] });
    });

    test('rows of a concept that was deleted meanwhile are told and not stored', async () => {
        await save('p', SLOW);
        const answer = asked('p', 'slow');
        await meanwhile(async () => {
            await data(post('/concepts/p/cleanup', { concept_names: ['slow'] }));
        });
        expect(await data<Run>(answer)).toMatchObject({ results: [[1_000_000]], persisted: false });
        await save('p', SLOW);
        expect(await outcome(get('/concepts/p/fetch?output_predicate=slow'))).toEqual([404, 'error', 'results_not_found']);
    });

    test('rows go to a concept that was renamed meanwhile', async () => {
        await save('p', SLOW);
        const answer = asked('p', 'slow');
        await meanwhile(async () => {
            await data(post('/concepts/p/rename', { name: 'slow', new_name: 'slower' }));
        });
        expect(await data<Run>(answer)).toMatchObject({ results: [[1_000_000]], persisted: true });
        expect(await data(get('/concepts/p/fetch?output_predicate=slower'))).toMatchObject({ rows: [[1_000_000]] });
    });

    test('a concept that was deleted while its run waited is not there', async () => {
        await save('p', ENDLESS);
        await save('p', QUICK);
        const leaving = new AbortController();
        const first = asked('p', 'endless', {}, leaving.signal).catch(() => undefined);
        await until(status => status.running === 1);
        const second = asked('p', 'quick');
        await until(status => status.waiting === 1);
        await data(post('/concepts/p/cleanup', { concept_names: ['quick'] }));
        leaving.abort();
        await first;
        expect(await outcome(second)).toEqual([404, 'error', 'concept_not_found']);
    });
});

// The last one: nothing is served after it.
test('a signal ends runs with an answer', async () => {
    await save('p', ENDLESS);
    const answer = asked('p', 'endless');
    await until(status => status.running === 1);
    expect(await services.stop()).toBe(0);
    expect(await outcome(answer)).toEqual([503, 'error', 'shutting_down']);
});
