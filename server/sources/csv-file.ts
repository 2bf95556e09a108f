import { chosenColumns } from '#engine/sources/column-plan.ts';
import { csvColumns } from '#engine/sources/csv-columns.ts';
import { byteEncoding } from '#engine/sources/csv-encoding.ts';
import { csvOptions } from '#engine/sources/csv-options.ts';
import { peekCsv } from '#engine/sources/csv-peek.ts';
import { readCsv } from '#engine/sources/csv-reader.ts';
import { writeCsv } from '#engine/sources/csv-writer.ts';
import { type BoundFile, copyLines, copyTarget, type FileFormat, verifyEncoding, withFile } from './bound-file.ts';
import { writePacked } from './packed-target.ts';

const PEEKED = 1 << 16;
const LF = Uint8Array.of(0x0a);

export const CSV_FILES: FileFormat = {
    verify: file => {
        const options = optionsOf(file);
        const { bind, shown, access } = file;
        verifyEncoding(file, options.encoding);
        if (bind.direction === 'input' && !options.useHeaders) chosenColumns(undefined, { file: shown, options, context: access.report });
    },
    load: (file, target) => {
        const options = optionsOf(file);
        const { bind, shown, access } = file;
        withFile(file, bytes => readCsv({ bytes, file: shown, options, predicate: bind.predicate, context: access.report }, target));
    },
    peek: (file, records) => {
        const options = optionsOf(file);
        const { shown, access } = file;
        return withFile(file, bytes => peekCsv({ bytes, file: shown, options, context: access.report, windowSize: PEEKED }, records));
    },
    survey: ({ withBytes, name, options }, checkpoint) =>
        withBytes(bytes => [csvColumns({ bytes, file: name, options: csvOptions(options, name, {}) }, checkpoint)]),
    write: (file, rows, target) => {
        const options = optionsOf(file);
        const { packing, recordSeparator, encoding } = options;
        const { shown, access } = file;
        return writePacked(packing, target, packed => {
            if (packed.appends) {
                if (recordSeparator !== undefined) copyTarget(file, packed, packing);
                else copyLines(file, packed, packing, byteEncoding(encoding, shown, access.report).encode(LF));
            }
            const output = { options, file: shown, continues: packed.appends, context: access.report };
            writeCsv(rows, output, packed.write, packed.checkpoint);
        });
    },
};

function optionsOf({ bind, shown, access }: BoundFile): ReturnType<typeof csvOptions> {
    return csvOptions(bind.options, shown, access.report);
}
