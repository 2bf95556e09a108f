import { basename, dirname, join } from 'node:path';
import type { NullLabel } from '#engine/values/text.ts';
import { uniqueName } from '#language/library/unique-name.ts';
import { chosenFile } from '#server/files/grants.ts';
import { type AccessContext, accessContext, type UserPath } from '#server/files/open-granted.ts';
import { type PreparedFile, writeTarget } from '#server/files/write-granted.ts';
import { type ExportFormat, RESULT_FORMATS, type ResultFormat } from '#server/protocol/result-formats.ts';
import type { BoundFile } from '#server/sources/bound-file.ts';
import { EXCEL_FILES } from '#server/sources/excel/excel-file.ts';
import { PARQUET_FILES } from '#server/sources/parquet-file.ts';
import type { NamedRows } from '#server/terminal/print-json.ts';
import { ROW_WRITERS } from '#server/terminal/row-writers.ts';

/** Signs of the name of a sheet, with room for a number: 31 at most. */
const LONGEST_SHEET = 28;

export interface ExportOptions {
    readonly format: ExportFormat;
    /** The file that the user chose, whole. */
    readonly path: string;
    readonly label: NullLabel;
    /** Hears of the temporary file when it appears and when it is gone. */
    readonly onTemporary: (path: string, exists: boolean) => void;
}

/**
 * Writes the rows of outputs to the file that the user chose; it appears whole or not at all. A workbook has a sheet for each output, and of a
 * format that holds one output the first is written.
 */
export async function exportRows(outputs: readonly NamedRows[], { format, path, label, onTemporary }: ExportOptions): Promise<void> {
    const folder = dirname(path);
    const access = accessContext(chosenFile(join(folder, basename(path))));
    const place = { base: folder, parts: [basename(path)], shown: basename(path) };
    const file = writeTarget(place, access).prepare(temporary => onTemporary(temporary, true));
    try {
        if (isPrinted(format)) {
            const encoder = new TextEncoder();
            ROW_WRITERS[format].write(outputs, { limit: Number.POSITIVE_INFINITY, label, file: file.path }, piece =>
                file.write(typeof piece === 'string' ? encoder.encode(piece) : piece),
            );
        } else await writeTables(outputs, format, { place, access }, file);
        file.finish();
        file.commit();
    } finally {
        file.discard();
        onTemporary(file.temporary, false);
    }
}

type TableFormat = Exclude<ExportFormat, ResultFormat>;

function isPrinted(format: ExportFormat): format is ResultFormat {
    return Object.hasOwn(RESULT_FORMATS, format);
}

interface Placed {
    readonly place: UserPath;
    readonly access: AccessContext;
}

async function writeTables(outputs: readonly NamedRows[], format: TableFormat, at: Placed, { write, handle }: PreparedFile): Promise<void> {
    const checkpoint = (): void => undefined;
    const [first] = outputs;
    if (first === undefined) return;
    switch (format) {
        case 'parquet':
            await PARQUET_FILES.write(boundFile(first.name, format, at), first, { write, handle, appends: false, checkpoint });
            return;
        case 'excel': {
            const sheets = new Set<string>();
            let bytes: Uint8Array | undefined;
            for (const rows of outputs) {
                const sheet = outputs.length === 1 ? undefined : uniqueName(rows.name.slice(0, LONGEST_SHEET), '_', sheets);
                const changed = await EXCEL_FILES.change(boundFile(rows.name, format, at, sheet), bytes, rows, checkpoint);
                bytes = changed?.bytes ?? bytes;
            }
            if (bytes !== undefined) write(bytes);
        }
    }
}

/** The file as that of an output bind, which is written with the names of its columns. */
function boundFile(predicate: string, type: TableFormat, { place: path, access }: Placed, sheet?: string): BoundFile {
    const span = { start: 0, end: 0 };
    const file: BoundFile = {
        bind: {
            annotation: { name: 'bind', arguments: [], nameSpan: span, span },
            place: { file: '', offset: 0, line: 0, column: 0 },
            kind: 'bind',
            predicate,
            direction: 'output',
            type,
            options: new Map([['useHeaders', 'true'], ...(sheet === undefined ? [] : [['dataAddress', `'${sheet}'!A1`] as const])]),
            outer: '',
            inner: path.shown ?? '',
        },
        path,
        shown: path.shown ?? '',
        access,
        at: () => file,
    };
    return file;
}
