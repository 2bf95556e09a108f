import { setImmediate } from 'node:timers/promises';
import type { Listing } from '#engine/results/listing.ts';
import { say } from '#language/program/say.ts';
import { joinedBytes } from '#server/files/joined-bytes.ts';
import { openNamed } from '#server/files/open-granted.ts';
import { privateFile } from '#server/files/write-granted.ts';
import { isRefusal, refuse } from '#server/notices/refusal.ts';
import type { ResultOf } from '#server/protocol/methods.ts';
import type { FromProcess, KeptAbout, ProcessMethods } from '#server/protocol/run-process.ts';
import { type KeptProgram, keepProgram, readProgramBeside } from './kept-program.ts';
import { type KeptListings, keptRunBytes, readKeptRun } from './kept-run-file.ts';
import type { Results } from './results.ts';
import type { MadeOf } from './run-difference.ts';

/** Writes the rows of a run to a file, and its program beside it. A file appears whole or not at all; others are answered meanwhile. Refuses what is larger than it may be. */
export async function keepRun(
    path: string,
    about: KeptAbout,
    largest: number,
    { listings, database, program }: Pick<Results, 'listings' | 'database'> & { readonly program?: KeptProgram | undefined },
    send: (message: FromProcess) => void,
): Promise<ResultOf<ProcessMethods, 'rulelang/keep'>> {
    const announce = (temporary: string, exists: boolean): void => send({ kind: 'temporary', path: temporary, exists });
    const file = privateFile(path, temporary => announce(temporary, true));
    let bytes = 0;
    try {
        for (const piece of keptRunBytes(about, listings, database.dictionary)) {
            bytes += piece.length;
            if (bytes > largest) refuse(say`The rows are more than are kept`);
            file.write(piece);
            await setImmediate();
        }
        file.finish();
        file.commit();
    } finally {
        file.discard();
        announce(file.temporary, false);
    }
    if (program !== undefined) bytes += keepProgram(path, program, announce);
    return { bytes, ...(about.inputs && { program: about.inputs.program }) };
}

const ABOUT_NOTHING: KeptAbout = { milliseconds: 0, notices: [], outputs: [], facts: 0, note: '' };

/** The rows of an evaluation for another thread, which reads them with `rowsInBytes`. */
export function rowsAsBytes({ listings, database }: Pick<Results, 'listings' | 'database'>): Uint8Array {
    return joinedBytes([...keptRunBytes(ABOUT_NOTHING, listings, database.dictionary)]);
}

export function rowsInBytes(bytes: Uint8Array): readonly Listing[] {
    return readKeptRun(bytes).listings;
}

/** The same, and what the run was made of. */
export function madeRun(path: string): KeptListings & MadeOf {
    const kept = keptRun(path);
    const { inputs } = kept.about;
    return { ...kept, program: inputs && readProgramBeside(path, inputs) };
}

/** The rows that a file keeps; refuses a file that is none, or damaged. */
export function keptRun(path: string): KeptListings {
    const opened = openNamed(path);
    try {
        const bytes = new Uint8Array(opened.size);
        let length = 0;
        while (length < bytes.length) {
            const got = opened.read(bytes.subarray(length));
            if (got === 0) break;
            length += got;
        }
        return readKeptRun(bytes.subarray(0, length));
    } catch (error) {
        if (isRefusal(error, 'file')) refuse(say`The file of kept rows cannot be read: ${error.message}`);
        throw error;
    } finally {
        opened.close();
    }
}
