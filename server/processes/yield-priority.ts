import fs from 'node:fs';
import { constants, setPriority } from 'node:os';

/** On cores that are all busy a process goes last, so that whoever started it can answer people; it may be gone already. */
export function yieldProcess(pid: number): void {
    try {
        setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
        // Its exit tells that it is gone.
    }
}

/** The same for the thread that calls this; Linux alone gives threads priorities of their own. */
export function yieldThread(): void {
    if (process.platform !== 'linux') return;
    yieldProcess(Number(fs.readlinkSync('/proc/thread-self').split('/').at(-1)));
}
