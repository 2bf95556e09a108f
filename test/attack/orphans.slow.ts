import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { V1 } from '../api/calls.ts';
import { runsOf, toolsOf } from '../api/children.ts';
import { startServices } from '../api/services.ts';
import { heavyProgram } from '../support/heavy-texts.ts';

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

async function until(isSo: () => boolean, seconds: number): Promise<boolean> {
    for (let look = 0; look < seconds * 10; look++) {
        if (isSo()) return true;
        await new Promise(resolve => setTimeout(resolve, 100));
    }
    return isSo();
}

describe.skipIf(process.platform !== 'linux')('what runs when the services are killed ends soon after them', () => {
    test.each([
        ['a pattern that goes back and back', 'evaluate', PATTERN, runsOf],
        ['a join', 'evaluate', JOIN, runsOf],
        ['a text that is read, and the process for the next one', 'analyze', heavyProgram('cycle of empty predicates', 35_000), toolsOf],
    ])('%s', async (_, route, program, childrenOf) => {
        const services = await startServices();
        const server = services.process.pid ?? 0;
        const running = fetch(`${services.base}${V1}/rulelang/${route}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ program }),
        }).catch(() => undefined);
        expect(await until(() => childrenOf(services.process).length > 0, 20)).toBe(true);
        // Long enough that it works and hears nothing.
        await new Promise(resolve => setTimeout(resolve, 2000));
        const children = childrenOf(services.process);
        expect(children.length).toBeGreaterThan(0);
        process.kill(server, 'SIGKILL');
        expect(await until(() => !children.some(lives), 20)).toBe(true);
        await running;
    });
});
