import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { atWork, runsOf } from '../api/children.ts';
import { type Answered, answered, type Services, startServices } from '../api/services.ts';
import { until } from '../support/until.ts';

const ENDLESS = 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. @output("n").';
const SHORT = 'p(1). @output("p").';
const INTERNAL = 'internal_error';

let services: Services;
const { post, get, data } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'p', name: 'p' } }));
    await data(post('/concepts/p/save', { definition: ENDLESS }));
    await data(post('/concepts/p/save', { definition: SHORT }));
});
afterAll(() => services.stop());

/** The processes of runs. */
const children = (): number[] => runsOf(services.process);

/** Ends the process that waits for the next run, if there is one, so that every child is one of a run. */
async function endWaiting(): Promise<void> {
    for (const pid of children()) process.kill(pid, 'SIGKILL');
    await until('the processes of runs to end', children, pids => pids.length === 0);
}

/** Ends the process of a run by a signal while it evaluates. */
async function killed(run: () => Promise<Answered>, signal: NodeJS.Signals): Promise<Answered> {
    await endWaiting();
    const answer = run();
    process.kill(await atWork(children, 1), signal);
    return answer;
}

const engine = async (program: string): Promise<Answered> =>
    answered(await fetch(`${services.engine}/evaluate`, { method: 'POST', body: new URLSearchParams({ program }) }));

describe.skipIf(process.platform !== 'linux')('a run process that crashes', () => {
    test('is an error inside, with its reason in the log', async () => {
        const { status, body } = await killed(() => post('/rulelang/evaluate', { program: ENDLESS }), 'SIGSEGV');
        expect([status, body.code, body.message]).toEqual([500, INTERNAL, expect.not.stringContaining('SIGSEGV')]);
        const id = body.details?.log_id;
        // What is logged comes by another way than the answer.
        const line = (): string | undefined =>
            services
                .log()
                .split('\n')
                .find(text => text.includes(`"${id}"`) && text.includes('"error"'));
        await expect.poll(line).toContain('The run process was ended by SIGSEGV');
        expect((await post('/rulelang/evaluate', { program: SHORT })).status).toBe(200);
    });

    test('of a concept is one, too, and is remembered as such', async () => {
        const { status, body } = await killed(() => post('/concepts/p/run/n', {}), 'SIGKILL');
        expect([status, body.code]).toEqual([500, INTERNAL]);
        expect((await post('/concepts/p/run/p', {})).status).toBe(200);
        const runs = await data<object[]>(get('/concepts/p/runs'));
        expect(runs).toContainEqual(
            expect.objectContaining({ concept_name: 'n', state: 'failed', error: expect.objectContaining({ code: INTERNAL }) }),
        );
    });

    test('while its rows are sent breaks the connection off, with its reason in the log', async () => {
        await endWaiting();
        const long = 'x'.repeat(400);
        const program = `n(1). n(Y) :- n(X), Y = X + 1, X < 300000. w(X, "${long}") :- n(X). @output("w").`;
        const response = await fetch(`${services.engine}/evaluate`, { method: 'POST', body: new URLSearchParams({ program }) });
        const reader = response.body?.getReader();
        expect((await reader?.read())?.done).toBe(false);
        for (const pid of children()) process.kill(pid, 'SIGSEGV');
        const rest = async (): Promise<void> => {
            while ((await reader?.read())?.done === false);
        };
        await expect(rest()).rejects.toThrow();
        await expect
            .poll(() => services.log().split('\n'))
            .toContainEqual(expect.stringMatching(/"aborted":"Error".*The run process was ended by SIGSEGV/u));
        expect((await engine(SHORT)).status).toBe(200);
    });

    test('of the engine is one, too', async () => {
        const { status, body } = await killed(() => engine(ENDLESS), 'SIGABRT');
        expect([status, body.error, body.message]).toEqual([500, 'EVALUATION_FAILED', 'Internal error']);
        await expect.poll(services.log).toContain('ended by SIGABRT');
        expect((await engine(SHORT)).status).toBe(200);
    });
});
