import type { FollowWork, RunTeam } from '../contracts/team.ts';
import type { PartwiseRelation } from '../relations/partwise-relation.ts';
import { followBlocks, SourceFollower } from './follow-sources.ts';

/** A recursion that has made so many rows, and is going to make so many more, takes some ten milliseconds. */
const MUCH = 1 << 18;
/** Blocks of which a source that leads to much does not make one of them the last of all. */
const BLOCKS = 128;

/** Whether what is left after so many rows of so many sources is worth other threads. */
export function isMuch({ much = MUCH }: RunTeam, rows: number, sources: number, all: number): boolean {
    return rows >= much && sources > 0 && (rows / sources) * (all - sources) >= much;
}

/** How sources are put into blocks. */
export function sharing(sources: number, counts: boolean): Pick<FollowWork, 'block' | 'counts'> {
    return { block: Math.max(1, Math.ceil(sources / BLOCKS)), counts };
}

/** Follows the sources with all threads of a team, and adds what is found in the order of the sources. */
export async function followShared(
    team: RunTeam,
    work: FollowWork,
    sources: Int32Array,
    filled: PartwiseRelation,
    check: () => void,
): Promise<void> {
    const own = new SourceFollower(work);
    const shared = team.follow(work, block => own.follow(block));
    try {
        for (let block = 0; block < followBlocks(work); block++) {
            const { counts, values } = (await shared.take(block, check))?.result ?? own.follow(block);
            const from = block * work.block;
            filled.addParts(sources.subarray(from, from + counts.length), counts, values);
            check();
        }
    } finally {
        await shared.end();
        filled.relation.memory.release(work.values.byteLength);
    }
}
