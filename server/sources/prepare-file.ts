import { RunStopped, stop } from '#engine/reports/reports.ts';
import type { OutputRows, WriteOutcome } from '#engine/sources/source.ts';
import { say } from '#language/program/say.ts';
import { listGranted } from '#server/files/open-granted.ts';
import { type PreparedFile, type WriteTarget, writeTarget } from '#server/files/write-granted.ts';
import { type BoundFile, type FileWriting, readableTarget } from './bound-file.ts';
import { isPattern } from './file-parts.ts';
import { refuseOptions } from './refuse-options.ts';
import { type SaveMode, saveMode } from './save-mode.ts';

/** Who hears of the temporary file: its name before it exists, then the file itself. */
export interface Preparing {
    readonly announce: (temporary: string) => void;
    readonly created: (prepared: PreparedFile) => void;
}

/** The target of a bind; ends the run where it is not granted, or where the bind asks for what is not carried out. */
export function requireWritable(file: BoundFile): { readonly target: WriteTarget; readonly mode: SaveMode } {
    const { bind, path, shown, access } = file;
    const what = path.parts.some(isPattern) ? say`it is a pattern for names` : isFolder(file) ? say`it is a folder` : undefined;
    if (what !== undefined) {
        const remedy = say`name one file: a run writes the rows of an output into one`;
        stop('RT064', { ...access.report, remedy }, shown, say`cannot be written: ${what}`);
    }
    refuseOptions(bind, ['query'], access.report);
    return { target: writeTarget(path, access), mode: saveMode(bind, shown, access.report) };
}

function isFolder(file: BoundFile): boolean {
    const { path, access } = readableTarget(file);
    try {
        return listGranted(path, access) !== undefined;
    } catch (error) {
        if (error instanceof RunStopped) return false;
        throw error;
    }
}

/** Writes the rows beside the target, as `saveMode` says. */
export async function prepareFile(
    file: BoundFile,
    format: FileWriting,
    rows: OutputRows,
    checkpoint: () => void,
    { announce, created }: Preparing,
): Promise<WriteOutcome> {
    const { shown, access } = file;
    const { target, mode } = requireWritable(file);
    if (target.existing !== undefined && mode === 'ignore') return 'kept';
    if (target.existing !== undefined && mode === 'error') {
        stop('RT064', { ...access.report, source: { file: shown } }, shown, say`exists already, and saveMode=errorIfExists keeps it`);
    }
    const prepared = target.prepare(announce);
    created(prepared);
    const holds = target.existing !== undefined && target.existing.size > 0;
    const appends = mode === 'append' && holds;
    await format.write(file, rows, { write: prepared.write, handle: prepared.handle, appends, checkpoint });
    prepared.finish();
    return holds && !appends ? 'replaced' : undefined;
}
