import fs from 'node:fs';

/** Bytes of memory that a process holds; undefined where the system does not say, or the process is gone. */
export function residentBytes(pid: number): number | undefined {
    let status: string;
    try {
        status = fs.readFileSync(`/proc/${pid}/status`, 'latin1');
    } catch {
        return undefined;
    }
    const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** Removes a temporary file that a process left behind. */
export function removeTemporary(path: string): void {
    fs.rmSync(path, { force: true });
}
