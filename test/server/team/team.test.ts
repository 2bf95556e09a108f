import { expect, test } from 'vitest';
import { RunStopped } from '#engine/reports/reports.ts';
import { BlockClaims } from '#server/team/block-claims.ts';
import { sharedBlocks } from '#server/team/shared-blocks.ts';
import { type Team, teamOf } from '#server/team/team.ts';

const WORK = {
    kind: 'follow',
    work: { values: new Int32Array(0), starts: new Int32Array(1), rules: [], block: 1, counts: false },
} as const;

/** A team of one other thread, which does what it may when it is asked to. */
function otherThread(): {
    readonly team: Team;
    readonly step: () => boolean;
    readonly fail: (reason: Error) => void;
    readonly did: number[];
    /** Claims a block and does nothing with it. */
    readonly claim: () => number | undefined;
} {
    const did: number[] = [];
    let step = (): boolean => false;
    let fail: (reason: Error) => void = () => undefined;
    let claim = (): number | undefined => undefined;
    const team: Team = {
        size: 1,
        perform: ({ blocks, claims: shared }, hear) =>
            new Promise((resolve, reject) => {
                const claims = BlockClaims.join(blocks, shared);
                fail = reject;
                claim = () => claims.claim();
                step = () => {
                    const block = claims.claim();
                    if (block === undefined) return false;
                    did.push(block);
                    hear(1, { block, result: { counts: Int32Array.of(block), values: new Int32Array(0) } });
                    if (block === blocks - 1) resolve();
                    return true;
                };
            }),
        follow: () => expect.unreachable(),
        end: () => undefined,
    };
    return { team, step: () => step(), fail: reason => fail(reason), did, claim: () => claim() };
}

test('blocks are taken in their order, each done by one thread, which is not far ahead', async () => {
    const { team, step, did } = otherThread();
    const own: number[] = [];
    const taken: number[] = [];
    const shared = sharedBlocks(team, WORK, [1, 40], block => {
        own.push(block);
        return { counts: Int32Array.of(block), values: new Int32Array(0) };
    });
    while (step());
    expect(did).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (let block = 1; block < 40; block++) {
        if (block % 3 === 0) step();
        const found = await shared.take(block, () => undefined);
        if (found === undefined) own.push(block);
        taken.push(found?.result.counts[0] ?? block);
    }
    expect(taken).toEqual(Array.from({ length: 39 }, (_, i) => i + 1));
    expect([...did, ...own].sort((a, b) => a - b)).toEqual(taken);
    expect(own.length).toBeGreaterThan(0);
});

test('nothing is claimed once the work has ended', () => {
    const claims = BlockClaims.begin(0, 10, 4);
    const other = BlockClaims.join(10, claims.shared);
    expect([claims.claim(), other.claim(), other.waitFor()]).toEqual([0, 1, 2]);
    claims.end();
    expect([claims.claim(), other.claim(), other.waitFor()]).toEqual([undefined, undefined, undefined]);
});

test('whoever waits for a thread may give up', async () => {
    const { team, claim } = otherThread();
    const shared = sharedBlocks(team, WORK, [0, 1], () => expect.unreachable());
    expect(claim()).toBe(0);
    let looks = 0;
    const look = (): void => {
        if (++looks === 3) throw new Error('it was asked to end');
    };
    await expect(shared.take(0, look)).rejects.toThrow('it was asked to end');
});

test('a thread that dies ends the work', async () => {
    const { team, fail } = otherThread();
    const shared = sharedBlocks(team, WORK, [0, 4], () => expect.unreachable());
    fail(new Error('it is gone'));
    await expect(shared.take(0, () => undefined)).rejects.toThrow('it is gone');
    await shared.end();
});

test('a thread that cannot even start ends the run, with a word about it', async () => {
    // What threads are made of lies beside what is built.
    const team = teamOf(2);
    const reason = await team
        ?.perform({ work: WORK, blocks: 1, claims: BlockClaims.begin(0, 1, 1).shared }, () => undefined)
        .catch(error => error);
    team?.end();
    expect(reason).toBeInstanceOf(RunStopped);
    expect(reason.report).toMatchObject({ code: 'RT032', message: expect.stringContaining('the end of one of its threads') });
});

test('one thread needs no team', () => {
    expect(teamOf(1)).toBeUndefined();
});
