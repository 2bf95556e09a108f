import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { atWork, toolsOf } from '../api/children.ts';
import { type Services, startServices } from '../api/services.ts';
import { heavyProgram } from '../support/heavy-texts.ts';
import { until } from '../support/until.ts';

const SMALL = { program: 'a(1). @output("a").' };
/** Takes seconds to read. */
const LONG = { program: heavyProgram('cycle of empty predicates', 35_000) };
/** Of an import, which may have 64 MiB: each object is sixteen times as large in memory. */
const BOMB = `{"export_data": [${'{},'.repeat(20_000_000)}{}]}`;

let services: Services;
const { call, post, data } = callsTo(() => services);

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
    test('by SIGSEGV takes its question with it, and nothing else', async () => {
        const reading = post('/rulelang/analyze', LONG);
        const dying = await atWork(workers, 1);
        const saving = post('/concepts/p/save', { definition: SMALL.program });
        process.kill(dying, 'SIGSEGV');
        const answer = await reading;
        expect([answer.status, answer.body.code, answer.body.message]).toEqual([500, 'internal_error', 'Internal error']);
        expect((await saving).status).toBe(200);
        expect((await post('/rulelang/analyze', SMALL)).status).toBe(200);
        expect(workers()).not.toContain(dying);
        expect(services.log()).toContain('the process that reads texts was ended by SIGSEGV');
    });

    test('while nobody asks is replaced for the next question', async () => {
        for (let round = 0; round < 3; round++) {
            expect((await post('/rulelang/analyze', SMALL)).status).toBe(200);
            const before = workers();
            for (const pid of before) process.kill(pid, 'SIGKILL');
            await until('the workers of before to end', workers, pids => !pids.some(pid => before.includes(pid)));
        }
        expect((await post('/rulelang/analyze', SMALL)).status).toBe(200);
    });
});

test('a body that makes too many objects of its bytes ends the process that reads it', { timeout: 120_000 }, async () => {
    const reading = call('POST', '/api/v1/projects/import-project', { text: BOMB, headers: { 'content-type': 'application/json' } });
    expect((await post('/rulelang/analyze', SMALL)).status).toBe(200);
    const { status, body } = await reading;
    expect([status, body.message]).toEqual([422, 'Reading the request took more than 512 MB of memory']);
    const definition = `a("${'x'.repeat(100_000)}"). @output("a").`;
    expect((await post('/concepts/p/save', { definition })).status).toBe(200);
});
