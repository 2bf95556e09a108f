import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { V1 } from '../api/calls.ts';
import { startServices } from '../api/services.ts';

/** A pattern that needs years, in a part of the language where only a built-in matcher can help. */
const PATTERN = 'a("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"). b(X) :- a(X), rlike(X, "(?=(a+)+$)b"). @output("b").';
const JOIN = 'n(0). n(Y) :- n(X), X < 3000, Y = X + 1. m(X, Y, Z) :- n(X), n(Y), n(Z), X * Y > Z * 9000000. @output("m").';

function childrenOf(pid: number): number[] {
    const processes = fs.readdirSync('/proc').filter(name => /^\d+$/u.test(name));
    return processes.filter(name => parentOf(name) === pid).map(Number);
}

function parentOf(pid: string): number | undefined {
    try {
        return Number(
            fs
                .readFileSync(join('/proc', pid, 'stat'), 'utf8')
                .split(') ')
                .at(-1)
                ?.split(' ')[1],
        );
    } catch {
        return undefined;
    }
}

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
        ['a pattern that goes back and back', PATTERN],
        ['a join', JOIN],
    ])('%s', async (_, program) => {
        const services = await startServices();
        const server = services.process.pid ?? 0;
        const running = fetch(`${services.base}${V1}/rulelang/evaluate`, {
            method: 'POST',
            headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ program }),
        }).catch(() => undefined);
        expect(await until(() => childrenOf(server).length > 0, 20)).toBe(true);
        // Long enough that it evaluates and hears nothing.
        await new Promise(resolve => setTimeout(resolve, 2000));
        const runs = childrenOf(server);
        expect(runs.length).toBeGreaterThan(0);
        process.kill(server, 'SIGKILL');
        expect(await until(() => !runs.some(lives), 20)).toBe(true);
        await running;
    });
});
