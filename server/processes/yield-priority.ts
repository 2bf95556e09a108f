import { constants, setPriority } from 'node:os';

/**
 * The priority of processes that go last on busy cores, so that the process which started them can answer people. They get a tenth of its
 * time.
 */
export const LAST = constants.priority.PRIORITY_BELOW_NORMAL;
/** Of those that people wait for who do something small: a third of that time, so that they come before the others. */
export const BEFORE_LAST = LAST / 2;

/** Lowers the priority of a process that was started; it may be gone already. */
export function yieldProcess(pid: number, priority: number): void {
    try {
        setPriority(pid, priority);
    } catch {
        // Its exit tells that it is gone.
    }
}
