import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { isAtWork, runsOf } from '../api/children.ts';
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

/** The lines of the log with a text. */
const logged = (text: string): string[] =>
    services
        .log()
        .split('\n')
        .filter(line => line.includes(text));

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
    await until('a run at work', children, pids => pids.some(pid => isAtWork(pid)));
    for (const pid of children()) process.kill(pid, signal);
    return answer;
}

const engine = async (program: string): Promise<Answered> =>
    answered(await fetch(`${services.engine}/evaluate`, { method: 'POST', body: new URLSearchParams({ program }) }));

describe.skipIf(process.platform !== 'linux')('a run process that crashes', () => {
    test.each(['SIGKILL', 'SIGSEGV', 'SIGABRT'] as const)('by %s is an error inside, with its reason in the log', async signal => {
        const { status, body } = await killed(() => post('/rulelang/evaluate', { program: ENDLESS }), signal);
        expect([status, body.code, body.message]).toEqual([500, INTERNAL, expect.not.stringContaining(signal)]);
        const id = body.details?.log_id;
        // What is logged comes by another way than the answer.
        await expect.poll(() => logged(`"${id}"`).filter(text => text.includes('"error"'))).toHaveLength(1);
        expect(logged(`"${id}"`).join('')).toContain(`The run process was ended by ${signal}`);
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
        // More than what waits for a reader, so that it does not come to its end.
        const long = 'x'.repeat(4000);
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
        const before = logged('ended by SIGSEGV').length;
        const { status, body } = await killed(() => engine(ENDLESS), 'SIGSEGV');
        expect([status, body.error, body.message]).toEqual([500, 'EVALUATION_FAILED', 'Internal error']);
        await expect.poll(() => logged('ended by SIGSEGV').length).toBeGreaterThan(before);
        expect((await engine(SHORT)).status).toBe(200);
    });
});
