import { rmSync } from 'node:fs';
import { unpackedExtension } from '../vscode/harness.ts';
import buildOnce from './build-once.ts';

/** Builds and packages the extension and unpacks it before the first window opens; the windows share it. */
export default function unpackOnce(): (() => void) | undefined {
    buildOnce();
    if (process.env.UNPACKED_EXTENSION !== undefined) return undefined;
    const folder = unpackedExtension();
    process.env.UNPACKED_EXTENSION = folder;
    return () => rmSync(folder, { recursive: true, force: true });
}
