import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { V1 } from '../api/calls.ts';
import { isAtWork, runsOf, toolsOf } from '../api/children.ts';
import { startServices } from '../api/services.ts';
import { heavyProgram } from '../support/heavy-texts.ts';
import { until } from '../support/until.ts';

/** A pattern that needs years, in a part of the language where only a built-in matcher can help. */
const PATTERN = 'a("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"). b(X) :- a(X), rlike(X, "(?=(a+)+$)b"). @output("b").';
const JOIN = 'n(0). n(Y) :- n(X), X < 3000, Y = X + 1. m(X, Y, Z) :- n(X), n(Y), n(Z), X * Y > Z * 9000000. @output("m").';

/** A zombie that nobody has waited for yet does nothing any more. */
function lives(pid: number): boolean {
    try {
        return !/\) [ZX] /u.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
        return false;
    }
}

describe.skipIf(process.platform !== 'linux')('what runs when the services are killed ends soon after them', () => {
    test.each([
        ['a pattern that goes back and back', 'evaluate', PATTERN, runsOf],
        ['a join', 'evaluate', JOIN, runsOf],
        ['a text that is read, and the process for the next one', 'analyze', heavyProgram('cycle of empty predicates', 35_000), toolsOf],
    ])('%s', async (_, route, program, childrenOf) => {
        const services = await startServices();
        const server = services.process.pid ?? 0;
        const request = {
            method: 'POST',
            headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ program }),
        };
        const running = (async () => {
            // A text that is read for too long is given up: then it is sent again.
            for (;;) await fetch(`${services.base}${V1}/rulelang/${route}`, request).then(answer => answer.text());
        })().catch(() => undefined);
        const children = await until(
            'a process at work, which hears nothing',
            () => childrenOf(services.process),
            pids => pids.some(pid => isAtWork(pid)),
        );
        process.kill(server, 'SIGKILL');
        const left = await until(
            'the processes to end',
            () => children.filter(lives),
            pids => pids.length === 0,
        );
        expect(left).toEqual([]);
        await running;
    });
});
