import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import type { Grants } from './grants.ts';
import { readText } from './named-text.ts';
import { accessContext, openGranted } from './open-granted.ts';

/** Bytes of a document. */
const MOST = 5 * 1024 * 1024;

/**
 * Reads the text behind a `file:` address; undefined if it is another address. RT063 for a file that the grants leave out, RT064 for one that
 * cannot be read.
 */
export function textAtAddress(address: string, grants: Grants): string | undefined {
    if (!/^file:\/(?:\/\/)?[^/]/iu.test(address) || !URL.canParse(address) || /%2f|%5c/iu.test(address)) return undefined;
    const path = fileURLToPath(address);
    const opened = openGranted({ base: dirname(path), parts: [path] }, accessContext(grants));
    try {
        if (opened.size > MOST) stop('RT064', { source: { file: path } }, path, say`is larger than ${MOST / 1024 / 1024} MiB`);
        return readText(opened, path).text;
    } finally {
        opened.close();
    }
}
