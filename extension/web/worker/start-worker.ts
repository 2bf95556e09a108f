import { mountedFiles } from '#server/browser/file-system.ts';
import type { Beginning, FileBytes } from './messages.ts';

let script = '';

/** Sets the address of the script that all workers run. */
export function workersRun(address: string): void {
    script = address;
}

type Role = Beginning extends infer B ? (B extends Beginning ? Omit<B, 'script' | 'files'> : never) : never;

/**
 * Starts a worker with the files that there are. The script may come from another host than the page, whose workers browsers refuse; a worker of
 * the page may load it.
 */
export function startWorker(role: Role, files: readonly FileBytes[] = mountedFiles()): Worker {
    const loading = new Blob([`importScripts(${JSON.stringify(script)});`], { type: 'text/javascript' });
    const address = URL.createObjectURL(loading);
    const worker = new Worker(address, { name: `rulelang-${role.role}` });
    worker.postMessage({ ...role, script, files });
    return worker;
}
