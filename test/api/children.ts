import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';

/** Of a second, as Linux counts the time of processes. */
const TICKS = 100;

/** The processes of runs that services have started. */
export function runsOf(services: ChildProcess): number[] {
    return childrenOf(services, /(?:tool|read)-worker/u);
}

/** The processes that read texts for services. */
export function toolsOf(services: ChildProcess): number[] {
    return childrenOf(services, /run-process|read-worker/u);
}

/** Whether a process has used so many seconds of a processor, which one that waits has not: a state that each machine comes to in its time. */
export function isAtWork(pid: number, seconds = 1): boolean {
    try {
        const [user, system] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').slice(11, 13) ?? [];
        return Number(user) + Number(system) >= seconds * TICKS;
    } catch {
        return false;
    }
}

/**
 * What a process has started and runs a program like none of `others`. One that has ended counts until it is waited for, which is when
 * the process hears of it.
 */
function childrenOf({ pid: parent }: ChildProcess, others: RegExp): number[] {
    const pids = fs.readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return pids.filter(pid => !others.test(commandOf(pid))).map(Number);
}

/** Empty for one that has ended. */
function commandOf(pid: string): string {
    try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
        return '';
    }
}
