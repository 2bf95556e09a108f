import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDataDirectory, StoreUnavailable } from '#server/store/data-directory.ts';
import { openStore } from '#server/store/store.ts';

function mounted(): string | undefined {
    const folder = fs.mkdtempSync(join(tmpdir(), 'rulelang-small-'));
    try {
        execFileSync('sh', ['-c', 'mount -t tmpfs -o size=8m tmpfs "$1"', 'sh', folder], { stdio: 'ignore' });
        return folder;
    } catch {
        return undefined;
    }
}

test('a failure that ends the database is over when there is room again', async context => {
    const disk = mounted();
    if (disk === undefined) return context.skip('a small disk can only be mounted by root');
    try {
        const store = await openStore(openDataDirectory(join(disk, 'data')));
        await store.run('CREATE TABLE t (i BIGINT, x VARCHAR)');
        const count = async (): Promise<number | undefined> => (await store.query<{ n: number }>('SELECT count(*) AS n FROM t'))[0]?.n;
        let kept = 0;
        for (let isFull = false; !isFull; ) {
            const text = Array.from({ length: 2000 }, () => Math.random().toString(36)).join('');
            await store.run('INSERT INTO t VALUES ($1, $2)', [kept, text]).then(
                () => kept++,
                error => {
                    expect(error).toBeInstanceOf(StoreUnavailable);
                    expect(error.message).toBe('its disk is full');
                    isFull = true;
                },
            );
        }
        expect(kept).toBeGreaterThan(10);
        expect(await count()).toBe(kept);
        // Writing the log into the file fails, which DuckDB answers nothing after.
        const asked = [store.query('CHECKPOINT'), ...Array.from({ length: 5 }, count)];
        const outcomes = await Promise.allSettled(asked);
        expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
        for (const outcome of outcomes.slice(1))
            if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreUnavailable);
            else expect(outcome.value).toBe(kept);
        expect(await count()).toBe(kept);
        await expect(store.run('INSERT INTO t VALUES (-1, $1)', ['x'.repeat(100_000)])).rejects.toBeInstanceOf(StoreUnavailable);
        execFileSync('sh', ['-c', 'mount -o remount,size=64m "$1"', 'sh', disk]);
        await store.run('INSERT INTO t VALUES (-1, NULL)');
        expect(await count()).toBe(kept + 1);
        await store.query('CHECKPOINT');
        await store.close();
    } finally {
        execFileSync('sh', ['-c', 'umount "$1"', 'sh', disk]);
    }
});
