import { putFiles } from '#server/browser/file-system.ts';
import type { FileBytes } from './messages.ts';

let hears: (files: readonly FileBytes[]) => void = () => undefined;

/** Sets the listener for files that runs have written. */
export function onWritten(listener: (files: readonly FileBytes[]) => void): void {
    hears = listener;
}

/** The files are there for the language server and for later runs, too. */
export function runWrote(files: readonly FileBytes[]): void {
    putFiles(files);
    hears(files);
}
