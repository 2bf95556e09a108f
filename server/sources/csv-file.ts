import { csvOptions } from '#engine/sources/csv-options.ts';
import { peekCsv } from '#engine/sources/csv-peek.ts';
import { readCsv } from '#engine/sources/csv-reader.ts';
import { writeCsv } from '#engine/sources/csv-writer.ts';
import { type BoundFile, copyTarget, type FileFormat, withFile } from './bound-file.ts';

const PEEKED = 1 << 16;
const LF = 0x0a;

export const CSV_FILES: FileFormat = {
    load: (file, target) => {
        const options = optionsOf(file);
        const { bind, shown, access } = file;
        withFile(file, bytes => readCsv({ bytes, file: shown, options, predicate: bind.predicate, context: access.report }, target));
    },
    peek: file => {
        const options = optionsOf(file);
        const { shown, access } = file;
        return withFile(file, bytes => peekCsv({ bytes, file: shown, options, context: access.report, windowSize: PEEKED }));
    },
    write: (file, rows, target) => {
        const options = optionsOf(file);
        const { shown, access } = file;
        if (target.appends && copyTarget(file, target) !== LF && options.recordSeparator === undefined)
            target.prepared.write(Uint8Array.of(LF));
        const output = { options, file: shown, continues: target.appends, context: access.report };
        writeCsv(rows, output, target.prepared.write, target.checkpoint);
    },
};

function optionsOf({ bind, shown, access }: BoundFile): ReturnType<typeof csvOptions> {
    return csvOptions(bind.options, shown, access.report);
}
