import { basename, dirname, join } from 'node:path';
import type { Listing } from '#engine/results/listing.ts';
import type { NullLabel } from '#engine/values/text.ts';
import { chosenFile } from '#server/files/grants.ts';
import { accessContext } from '#server/files/open-granted.ts';
import { writeTarget } from '#server/files/write-granted.ts';
import type { ResultFormat } from '#server/protocol/result-formats.ts';
import { ROW_WRITERS } from '#server/terminal/row-writers.ts';

export interface ExportOptions {
    readonly format: ResultFormat;
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
    const encoder = new TextEncoder();
    try {
        ROW_WRITERS[format].write([rows], { limit: rows.count, label, file: file.path }, piece =>
            file.write(typeof piece === 'string' ? encoder.encode(piece) : piece),
        );
        file.finish();
        file.commit();
    } finally {
        file.discard();
        onTemporary(file.temporary, false);
    }
    return { rows: rows.count };
}
