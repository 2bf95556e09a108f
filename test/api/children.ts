import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { expect } from 'vitest';
import { until } from '../support/until.ts';

/** The processes of runs that services have started. */
export function runsOf(services: ChildProcess): number[] {
    return childrenOf(services, /(?:tool|read)-worker/u);
}

/** The processes that read texts for services. */
export function toolsOf(services: ChildProcess): number[] {
    return childrenOf(services, /run-process|read-worker/u);
}

/** The seconds of a core that a process has used; none for one that is gone. */
function secondsOf(pid: number): number {
    try {
        const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
        return (Number(fields[11]) + Number(fields[12])) / 100;
    } catch {
        return 0;
    }
}

/** Whether a process has used so many seconds of a core, which one that waits has not: a state that each machine comes to in its time. */
export const isAtWork = (pid: number, seconds = 1): boolean => secondsOf(pid) >= seconds;

/** The first of these processes that has worked for so many seconds of a core more than when this was asked. */
export async function atWork(processes: () => readonly number[], seconds: number): Promise<number> {
    const before = new Map(processes().map(pid => [pid, secondsOf(pid)]));
    const working = (): number | undefined => processes().find(pid => secondsOf(pid) - (before.get(pid) ?? 0) > seconds);
    return (await until('a process at work', working)) ?? expect.fail('No process is at work');
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
