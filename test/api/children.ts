import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';

/** The processes of runs that services have started. */
export function runsOf(services: ChildProcess): number[] {
    return childrenOf(services, /(?:tool|read)-worker/u);
}

/** The processes that read texts for services. */
export function toolsOf(services: ChildProcess): number[] {
    return childrenOf(services, /run-process|read-worker/u);
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
