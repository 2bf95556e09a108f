import { basename, dirname, join } from 'node:path';
import type { NullLabel } from '#engine/values/text.ts';
import { chosenFile } from '#server/files/grants.ts';
import { type AccessContext, accessContext, type UserPath } from '#server/files/open-granted.ts';
import { type PreparedFile, writeTarget } from '#server/files/write-granted.ts';
import { type ExportFormat, RESULT_FORMATS, type ResultFormat } from '#server/protocol/result-formats.ts';
import type { BoundFile } from '#server/sources/bound-file.ts';
import { EXCEL_FILES } from '#server/sources/excel/excel-file.ts';
import { PARQUET_FILES } from '#server/sources/parquet-file.ts';
import type { NamedRows } from '#server/terminal/print-json.ts';
import { ROW_WRITERS } from '#server/terminal/row-writers.ts';

export interface ExportOptions {
    readonly format: ExportFormat;
    /** The file that the user chose, whole. */
    readonly path: string;
    readonly label: NullLabel;
    /** Hears of the temporary file when it appears and when it is gone. */
    readonly onTemporary: (path: string, exists: boolean) => void;
}

/** Writes rows to the file that the user chose; it appears whole or not at all. */
export async function exportRows(rows: NamedRows, { format, path, label, onTemporary }: ExportOptions): Promise<{ rows: number }> {
    const folder = dirname(path);
    const access = accessContext(chosenFile(join(folder, basename(path))));
    const place = { base: folder, parts: [basename(path)], shown: basename(path) };
    const file = writeTarget(place, access).prepare(temporary => onTemporary(temporary, true));
    try {
        if (isPrinted(format)) {
            const encoder = new TextEncoder();
            ROW_WRITERS[format].write([rows], { limit: rows.count, label, file: file.path }, piece =>
                file.write(typeof piece === 'string' ? encoder.encode(piece) : piece),
            );
        } else await writeTable(rows, format, boundFile(rows.name, format, place, access), file);
        file.finish();
        file.commit();
    } finally {
        file.discard();
        onTemporary(file.temporary, false);
    }
    return { rows: rows.count };
}

type TableFormat = Exclude<ExportFormat, ResultFormat>;

function isPrinted(format: ExportFormat): format is ResultFormat {
    return Object.hasOwn(RESULT_FORMATS, format);
}

async function writeTable(rows: NamedRows, format: TableFormat, bound: BoundFile, { write, handle }: PreparedFile): Promise<void> {
    const checkpoint = (): void => undefined;
    switch (format) {
        case 'parquet':
            await PARQUET_FILES.write(bound, rows, { write, handle, appends: false, checkpoint });
            return;
        case 'excel': {
            const changed = await EXCEL_FILES.change(bound, undefined, rows, checkpoint);
            if (changed !== undefined) write(changed.bytes);
        }
    }
}

/** The file as that of an output bind, which is written with the names of its columns. */
function boundFile(predicate: string, type: TableFormat, path: UserPath, access: AccessContext): BoundFile {
    const span = { start: 0, end: 0 };
    const file: BoundFile = {
        bind: {
            annotation: { name: 'bind', arguments: [], nameSpan: span, span },
            place: { file: '', offset: 0, line: 0, column: 0 },
            kind: 'bind',
            predicate,
            direction: 'output',
            type,
            options: new Map([['useHeaders', 'true']]),
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
