import fs from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Gets a third of the time of what has none, where such a process gets a tenth. */
const BEFORE_PROCESSES = constants.priority.PRIORITY_BELOW_NORMAL / 2;

/** On cores that are all busy a process goes last, so that whoever started it can answer people; it may be gone already. */
export function yieldProcess(pid: number): void {
    yieldTo(pid, constants.priority.PRIORITY_BELOW_NORMAL);
}

/** The thread that calls this goes behind others, and before such processes; Linux alone gives threads priorities of their own. */
export function yieldThread(): void {
    if (process.platform !== 'linux') return;
    yieldTo(Number(fs.readlinkSync('/proc/thread-self').split('/').at(-1)), BEFORE_PROCESSES);
}

function yieldTo(id: number, priority: number): void {
    try {
        setPriority(id, priority);
    } catch {
        // Its exit tells that it is gone.
    }
}
