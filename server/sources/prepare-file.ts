import { type ReportContext, stop } from '#engine/reports.ts';
import type { OutputRows } from '#engine/sources/source.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { type PreparedFile, writeTarget } from '#server/files/write-granted.ts';
import type { BoundFile, FileFormat } from './bound-file.ts';

/** Who hears of the temporary file: its name before it exists, then the file itself. */
export interface Preparing {
    readonly announce: (temporary: string) => void;
    readonly created: (prepared: PreparedFile) => void;
}

/** Writes the rows beside the target, as `saveMode` says; nothing where the target stays as it is. */
export async function prepareFile(
    file: BoundFile,
    format: FileFormat,
    rows: OutputRows,
    checkpoint: () => void,
    { announce, created }: Preparing,
): Promise<void> {
    const { bind, shown, access } = file;
    if (bind.options.has('outputFormat')) stop('RT065', access.report, say`Option 'outputFormat' of a ${bind.type} bind`);
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

type SaveMode = 'overwrite' | 'append' | 'error' | 'ignore';

const SAVE_MODES = new Map<string, SaveMode>([
    ['overwrite', 'overwrite'],
    ['append', 'append'],
    ['errorifexists', 'error'],
    ['error', 'error'],
    ['ignore', 'ignore'],
]);

/** What `saveMode` of a bind says; RT064 where that is none. */
export function saveMode(bind: Bind, shown: string, context: ReportContext): SaveMode {
    const text = bind.options.get('saveMode')?.trim() ?? 'overwrite';
    return (
        SAVE_MODES.get(text.toLowerCase()) ??
        stop('RT064', context, shown, say`cannot be used with saveMode='${text}': write overwrite, append, errorIfExists or ignore`)
    );
}
