import { parentPort } from 'node:worker_threads';
import { SourceFollower } from '#engine/evaluate/follow-sources.ts';
import { RangeReader, rangeBuffers } from '#engine/sources/csv-ranges.ts';
import { openedFile } from '#server/files/open-granted.ts';
import { BlockClaims } from './block-claims.ts';
import type { BlockDone, Task, TaskWork } from './tasks.ts';

/** The thread of a team: does what it is asked to, one task after another. */
parentPort?.on('message', ({ work, blocks, claims: shared }: Task) => {
    const done = doing(work);
    const claims = BlockClaims.join(blocks, shared);
    for (let block = claims.waitFor(); block !== undefined; block = claims.waitFor()) {
        const { result, buffers } = done(block);
        const message: BlockDone = { block, result };
        parentPort?.postMessage(message, buffers as ArrayBuffer[]);
    }
    parentPort?.postMessage('done');
});

/** Returns the function that makes the result of a block, with the buffers to transfer. */
function doing(task: TaskWork): (block: number) => { readonly result: BlockDone['result']; readonly buffers: readonly ArrayBufferLike[] } {
    switch (task.kind) {
        case 'csv': {
            const { descriptor, size, layout } = task;
            const reader = new RangeReader(openedFile(descriptor, size), layout);
            return block => {
                const result = reader.read(block);
                return { result, buffers: rangeBuffers(result) };
            };
        }
        case 'follow': {
            const follower = new SourceFollower(task.work);
            return block => {
                const result = follower.follow(block);
                return { result, buffers: [result.counts.buffer, result.values.buffer] };
            };
        }
    }
}
