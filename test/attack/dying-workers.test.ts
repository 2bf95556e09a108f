import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { toolsOf } from '../api/children.ts';
import { type Services, startServices } from '../api/services.ts';
import { heavyProgram } from '../support/heavy-texts.ts';

const SMALL = { program: 'a(1). @output("a").' };
/** Takes seconds to read. */
const LONG = { program: heavyProgram('cycle of empty predicates', 35_000) };
/** Of an import, which may have 64 MiB: each object is sixteen times as large in memory. */
const BOMB = `{"export_data": [${'{},'.repeat(20_000_000)}{}]}`;
const TOO_MUCH_MEMORY = 'more than 512 MB of memory';

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

/** The process that has read for so long that it reads the long text. */
async function busy(): Promise<number> {
    for (;;) {
        const found = workers().find(pid => seconds(pid) > 1);
        if (found !== undefined) return found;
        await new Promise(resolve => setTimeout(resolve, 100));
    }
}

/** The time of a core that a process has used. */
function seconds(pid: number): number {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
}

describe.skipIf(process.platform !== 'linux')('a process that reads texts and dies', () => {
    test.each([
        ['SIGABRT', 422, 'analysis_timeout', `Reading the program took ${TOO_MUCH_MEMORY}`],
        ['SIGSEGV', 500, 'internal_error', 'Internal error'],
        ['SIGKILL', 500, 'internal_error', 'Internal error'],
    ] as const)('by %s takes its question with it, and nothing else', async (signal, status, code, message) => {
        const reading = post('/rulelang/analyze', LONG);
        const dying = await busy();
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
        for (let round = 0; round < 3; round++) {
            expect((await post('/rulelang/analyze', SMALL)).status).toBe(200);
            const before = workers();
            for (const pid of before) process.kill(pid, 'SIGKILL');
            await expect.poll(() => workers().filter(pid => before.includes(pid)), { timeout: 30_000 }).toEqual([]);
        }
        expect((await post('/rulelang/analyze', SMALL)).status).toBe(200);
    });
});

test('a body that makes too many objects of its bytes ends the process that reads it', { timeout: 120_000 }, async () => {
    const reading = call('POST', '/api/v1/projects/import-project', { text: BOMB, headers: { 'content-type': 'application/json' } });
    expect((await post('/rulelang/analyze', SMALL)).status).toBe(200);
    const { status, body } = await reading;
    expect([status, body.message]).toEqual([422, `Reading the request took ${TOO_MUCH_MEMORY}`]);
    const definition = `a("${'x'.repeat(100_000)}"). @output("a").`;
    expect((await post('/concepts/p/save', { definition })).status).toBe(200);
});
