import { basename, dirname, join, resolve } from 'node:path';
import { chosenFile } from '#server/files/grants.ts';
import { accessContext } from '#server/files/open-granted.ts';
import { writeTarget } from '#server/files/write-granted.ts';
import type { JobContext } from './job-context.ts';

/** Writes a file that the user named on the command line, whole or not at all. */
export function writeNamed(path: string, bytes: Uint8Array, { send }: Pick<JobContext, 'send'>): void {
    const folder = dirname(resolve(path));
    const access = accessContext(chosenFile(join(folder, basename(path))));
    const file = writeTarget({ base: folder, parts: [basename(path)], shown: path }, access).prepare(temporary =>
        send({ kind: 'temporary', path: temporary, exists: true }),
    );
    try {
        file.write(bytes);
        file.finish();
        file.commit();
    } finally {
        file.discard();
        send({ kind: 'temporary', path: file.temporary, exists: false });
    }
}
