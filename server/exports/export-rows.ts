import { basename, dirname, join } from 'node:path';
import type { Listing } from '#engine/results/listing.ts';
import { DEFAULT_CSV_OPTIONS } from '#engine/sources/csv-options.ts';
import { writeCsv } from '#engine/sources/csv-writer.ts';
import type { NullLabel } from '#engine/values/text.ts';
import { chosenFile } from '#server/files/grants.ts';
import { accessContext } from '#server/files/open-granted.ts';
import { type PreparedFile, writeTarget } from '#server/files/write-granted.ts';
import type { ExportFormat } from '#server/protocol/run-methods.ts';
import { printJson, printNdjson } from '#server/terminal/print-json.ts';

export interface ExportOptions {
    readonly format: ExportFormat;
    /** The file that the user chose, whole. */
    readonly path: string;
    readonly label: NullLabel;
    /** Hears of the temporary file when it appears and when it is gone. */
    readonly onTemporary: (path: string, exists: boolean) => void;
}

/** Writes rows to the file that the user chose; it appears whole or not at all. */
export function exportRows(rows: Listing, { format, path, label, onTemporary }: ExportOptions): { rows: number } {
    const folder = dirname(path);
    const access = accessContext(chosenFile(join(folder, basename(path))));
    const file = writeTarget({ base: folder, parts: [basename(path)], shown: basename(path) }, access).prepare(temporary =>
        onTemporary(temporary, true),
    );
    try {
        writeRows(rows, format, label, file);
        file.finish();
        file.commit();
    } finally {
        file.discard();
        onTemporary(file.temporary, false);
    }
    return { rows: rows.count };
}

function writeRows(rows: Listing, format: ExportFormat, label: NullLabel, file: PreparedFile): void {
    const encoder = new TextEncoder();
    const print = (text: string): void => file.write(encoder.encode(text));
    switch (format) {
        case 'csv':
            writeCsv(
                rows,
                { options: { ...DEFAULT_CSV_OPTIONS, useHeaders: true }, file: file.path, nullLabel: label },
                file.write,
                () => undefined,
            );
            return;
        case 'json':
            printJson([rows], rows.count, label, print);
            return;
        case 'ndjson':
            printNdjson(rows, rows.count, label, print);
            return;
    }
}
