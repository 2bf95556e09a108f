import type { SharedBlocks } from '#engine/sources/shared-blocks.ts';
import { BlockClaims } from './block-claims.ts';
import type { Task, TaskWork } from './tasks.ts';
import type { Team } from './team.ts';

/** Blocks that are done and not taken, for each thread. */
const AHEAD = 4;
/** Milliseconds after which a waiting thread checks whether it still should. */
const PATIENCE = 50;
/** The number of the thread that takes the blocks. */
const OWN = 0;

/** Lets messages of other threads arrive. */
const heard = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Has all threads of a team and this one do the blocks from `first` on; `own` is what this one makes of a block. */
export function sharedBlocks<T>(
    team: Team,
    work: TaskWork,
    [first, blocks]: readonly [number, number],
    own: (block: number) => T,
): SharedBlocks<T> {
    const claims = BlockClaims.begin(first, blocks, AHEAD * (team.size + 1));
    const found = new Map<number, { readonly thread: number; readonly result: T }>();
    let wake = (): void => undefined;
    let failure: { readonly reason: unknown } | undefined;
    const task: Task = { work, blocks, claims: claims.shared };
    const done = team
        .perform(task, (thread, { block, result }) => {
            found.set(block, { thread, result: result as T });
            wake();
        })
        .catch(reason => {
            failure = { reason };
            wake();
        });
    return {
        take: async (block, check) => {
            claims.take(block);
            for (;;) {
                await heard();
                const known = found.get(block);
                found.delete(block);
                if (known !== undefined) return known;
                if (failure !== undefined) throw failure.reason;
                const next = claims.claim();
                if (next === block) return undefined;
                if (next !== undefined) found.set(next, { thread: OWN, result: own(next) });
                else {
                    await new Promise<void>(resolve => {
                        const late = setTimeout(resolve, PATIENCE);
                        wake = () => {
                            clearTimeout(late);
                            resolve();
                        };
                    });
                    check();
                }
            }
        },
        end: () => {
            claims.end();
            return done;
        },
    };
}
