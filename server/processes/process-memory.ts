import fs from 'node:fs';
import { totalmem } from 'node:os';

/** Bytes of memory that a process holds; undefined where the system does not say, or the process is gone. */
export function residentBytes(pid: number): number | undefined {
    return bytesIn(`/proc/${pid}/status`, /^VmRSS:\s*(\d+) kB$/m);
}

/** The same with its share of what it has in common with others. */
export function proportionalBytes(pid: number): number | undefined {
    return bytesIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s*(\d+) kB$/m);
}

function bytesIn(path: string, pattern: RegExp): number | undefined {
    let told: string;
    try {
        told = fs.readFileSync(path, 'latin1');
    } catch {
        return undefined;
    }
    const kilobytes = pattern.exec(told)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** Removes a temporary file that a process left behind. */
export function removeTemporary(path: string): void {
    fs.rmSync(path, { force: true });
}

/** Returns the memory that this process may use: the machine's, or less inside a container. */
export function usableMemory(): number {
    const constrained = process.constrainedMemory();
    return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
