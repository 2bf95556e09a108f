import fs from 'node:fs';
import { proportionalBytes, residentBytes } from './process-memory.ts';

/** Up to so many processes are counted. */
const MOST = 2000;

/** A process and all that it has started and is still there; the process alone where the system does not tell (Linux does). */
export function processTree(root: number): readonly number[] {
    const found = [root];
    for (let at = 0; at < found.length && found.length < MOST; at++) for (const child of childrenOf(found[at] ?? root)) found.push(child);
    return found;
}

/** Whether processes hold more memory together, what they share counted once. */
export function holdMore(processes: readonly number[], bytes: number): boolean {
    // What they share takes long to find out.
    return sumOf(processes, residentBytes) > bytes && sumOf(processes, proportionalBytes) > bytes;
}

function sumOf(processes: readonly number[], bytesOf: (pid: number) => number | undefined): number {
    return processes.reduce((sum, pid) => sum + (bytesOf(pid) ?? 0), 0);
}

function childrenOf(pid: number): number[] {
    try {
        return fs
            .readdirSync(`/proc/${pid}/task`)
            .flatMap(task => fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' '))
            .filter(child => child !== '')
            .map(Number);
    } catch {
        return [];
    }
}
