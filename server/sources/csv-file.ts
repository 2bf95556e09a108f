import { type ReportContext, stop } from '#engine/reports.ts';
import { csvOptions } from '#engine/sources/csv-options.ts';
import { peekCsv } from '#engine/sources/csv-peek.ts';
import { readCsv } from '#engine/sources/csv-reader.ts';
import { writeCsv } from '#engine/sources/csv-writer.ts';
import type { OutputRows, RowTarget } from '#engine/sources/source.ts';
import type { Bind, SourceSchema } from '#language/program/analysed-program.ts';
import { type AccessContext, openGranted, type UserPath } from '#server/files/open-granted.ts';
import { type PreparedFile, type WriteTarget, writeTarget } from '#server/files/write-granted.ts';

/** A CSV file that a bind names. */
export interface CsvFile {
    readonly bind: Bind;
    readonly path: UserPath;
    /** The name that people read. */
    readonly shown: string;
    readonly access: AccessContext;
}

const PEEKED = 1 << 16;

export function loadCsvFile(file: CsvFile, mappedNames: ReadonlyMap<number, string>, target: RowTarget): void {
    const { bind, shown, access } = file;
    const options = csvOptions(bind.options, shown, access.report);
    const bytes = openGranted(file.path, access);
    try {
        readCsv({ bytes, file: shown, options, predicate: bind.predicate, mappedNames, context: access.report }, target);
    } finally {
        bytes.close();
    }
}

/** The columns that the first record shows; undefined for a file without records. */
export function peekCsvFile(file: CsvFile): SourceSchema | undefined {
    const options = csvOptions(file.bind.options, file.shown, file.access.report);
    const bytes = openGranted(file.path, file.access);
    try {
        return peekCsv({ bytes, file: file.shown, options, context: file.access.report, windowSize: PEEKED });
    } finally {
        bytes.close();
    }
}

/** Writes the rows beside the target, as `saveMode` says; undefined where the target stays as it is. */
export function prepareCsvFile(
    file: CsvFile,
    rows: OutputRows,
    checkpoint: () => void,
    announce: (temporary: string) => void,
    created: (prepared: PreparedFile) => void,
): void {
    const { bind, shown, access } = file;
    const options = csvOptions(bind.options, shown, access.report);
    if (bind.options.has('outputFormat')) stop('RT065', access.report, "Option 'outputFormat' of a csv bind");
    const target = writeTarget(file.path, access);
    const mode = saveMode(bind, shown, access.report);
    if (target.existing !== undefined && mode === 'ignore') return;
    if (target.existing !== undefined && mode === 'error') {
        stop('RT064', { ...access.report, source: { file: shown } }, shown, 'exists already, and saveMode=errorIfExists keeps it');
    }
    const prepared = target.prepare(announce);
    created(prepared);
    const continues = mode === 'append' && copyExisting(file, target, prepared, checkpoint);
    writeCsv(rows, { options, file: shown, continues, context: access.report }, prepared.write, checkpoint);
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

function saveMode(bind: Bind, shown: string, context: ReportContext): SaveMode {
    const text = bind.options.get('saveMode')?.trim() ?? 'overwrite';
    return (
        SAVE_MODES.get(text.toLowerCase()) ??
        stop('RT064', context, shown, `cannot be used with saveMode='${text}': write overwrite, append, errorIfExists or ignore`)
    );
}

/** Copies what the target holds, with a line break at its end; true where there was something. */
function copyExisting(file: CsvFile, target: WriteTarget, prepared: PreparedFile, checkpoint: () => void): boolean {
    if (target.existing === undefined || target.existing.size === 0) return false;
    const { grants } = file.access;
    const bytes = openGranted(file.path, { ...file.access, grants: { ...grants, readRoots: grants.writeRoots } });
    const chunk = new Uint8Array(PEEKED);
    let last = 0;
    try {
        for (let got = bytes.read(chunk); got > 0; got = bytes.read(chunk)) {
            prepared.write(chunk.subarray(0, got));
            last = chunk[got - 1] ?? 0;
            checkpoint();
        }
    } finally {
        bytes.close();
    }
    if (last !== 0x0a && file.bind.options.get('recordSeparator') === undefined) prepared.write(Uint8Array.of(0x0a));
    return true;
}
