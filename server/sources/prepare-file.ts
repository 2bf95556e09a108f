import { stop } from '#engine/reports.ts';
import type { OutputRows } from '#engine/sources/source.ts';
import { say } from '#language/program/say.ts';
import { type PreparedFile, writeTarget } from '#server/files/write-granted.ts';
import type { BoundFile, FileWriting } from './bound-file.ts';
import { saveMode } from './save-mode.ts';

/** Who hears of the temporary file: its name before it exists, then the file itself. */
export interface Preparing {
    readonly announce: (temporary: string) => void;
    readonly created: (prepared: PreparedFile) => void;
}

/** Writes the rows beside the target, as `saveMode` says; nothing where the target stays as it is. */
export async function prepareFile(
    file: BoundFile,
    format: FileWriting,
    rows: OutputRows,
    checkpoint: () => void,
    { announce, created }: Preparing,
): Promise<void> {
    const { bind, shown, access } = file;
    refuseOutputFormat(file);
    const target = writeTarget(file.path, access);
    const mode = saveMode(bind, shown, access.report);
    if (target.existing !== undefined && mode === 'ignore') return;
    if (target.existing !== undefined && mode === 'error') {
        stop('RT064', { ...access.report, source: { file: shown } }, shown, say`exists already, and saveMode=errorIfExists keeps it`);
    }
    const prepared = target.prepare(announce);
    created(prepared);
    const appends = mode === 'append' && target.existing !== undefined && target.existing.size > 0;
    await format.write(file, rows, { write: prepared.write, handle: prepared.handle, appends, checkpoint });
    prepared.finish();
}

/** RT065 for the option `outputFormat`, which this evaluator does not carry out. */
export function refuseOutputFormat({ bind, access }: BoundFile): void {
    if (bind.options.has('outputFormat')) stop('RT065', access.report, say`Option 'outputFormat' of a ${bind.type} bind`);
}
