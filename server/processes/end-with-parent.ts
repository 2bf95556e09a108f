import { Worker } from 'node:worker_threads';

const LOOK_EVERY = 500;
const THREAD = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/**
 * The code of the thread. A process whose parent is gone belongs to another one on most systems; on the rest its parent's number belongs to
 * no process.
 */
const WATCHING = `
const parent = process.ppid;
const isThere = () => {
    try {
        process.kill(parent, 0);
        return true;
    } catch (error) {
        return error.code !== 'ESRCH';
    }
};
setInterval(() => {
    if (process.ppid !== parent || !isThere()) process.kill(process.pid, 'SIGKILL');
}, ${LOOK_EVERY});
`;

/**
 * Ends this process when the one that started it is gone, also while a pattern or a database keeps the main thread from hearing that
 * its channel was closed. Costs a thread with next to no memory.
 */
export function endWithParent(): void {
    process.on('disconnect', () => process.exit());
    new Worker(WATCHING, { eval: true, resourceLimits: THREAD, execArgv: [], env: {} }).unref();
}
