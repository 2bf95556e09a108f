import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { atWork, toolsOf } from '../api/children.ts';
import { type Services, startServices } from '../api/services.ts';
import { heavyProgram } from '../support/heavy-texts.ts';
import { until } from '../support/until.ts';

const SMALL = { program: 'a(1). @output("a").' };
/** Takes seconds to read. */
const LONG = { program: heavyProgram('cycle of empty predicates', 35_000) };
const TOO_MUCH_MEMORY = 'more than 512 MB of memory';

let services: Services;
const { post, data } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'p', name: 'p' } }));
});
afterAll(async () => {
    expect(await services.stop()).toBe(0);
});

/** The processes that read texts. */
const workers = (): number[] => toolsOf(services.process);

describe.skipIf(process.platform !== 'linux')('a process that reads texts and dies', () => {
    test.each([
        ['SIGABRT', 422, 'analysis_timeout', `Reading the program took ${TOO_MUCH_MEMORY}`],
        ['SIGKILL', 500, 'internal_error', 'Internal error'],
    ] as const)('by %s takes its question with it, and nothing else', async (signal, status, code, message) => {
        const reading = post('/rulelang/analyze', LONG);
        const dying = await atWork(workers, 1);
        const saving = post('/concepts/p/save', { definition: SMALL.program });
        process.kill(dying, signal);
        const answer = await reading;
        expect([answer.status, answer.body.code, answer.body.message]).toEqual([status, code, expect.stringContaining(message)]);
        expect((await saving).status).toBe(200);
        expect((await post('/rulelang/analyze', SMALL)).status).toBe(200);
        expect(workers()).not.toContain(dying);
        if (status === 500) expect(services.log()).toContain(`the process that reads texts was ended by ${signal}`);
    });

    test('while nobody asks is replaced for the next question', async () => {
        expect((await post('/rulelang/analyze', SMALL)).status).toBe(200);
        const before = workers();
        for (const pid of before) process.kill(pid, 'SIGKILL');
        await until('the workers of before to end', workers, pids => !pids.some(pid => before.includes(pid)));
        expect((await post('/rulelang/analyze', SMALL)).status).toBe(200);
    });
});
