import { gzipSync } from 'node:zlib';
import { csvColumns } from '#engine/sources/csv-columns.ts';
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
    peek: (file, records) => {
        const options = optionsOf(file);
        const { shown, access } = file;
        return withFile(file, bytes => peekCsv({ bytes, file: shown, options, context: access.report, windowSize: PEEKED }, records));
    },
    survey: ({ withBytes, name, options }, checkpoint) =>
        withBytes(bytes => csvColumns({ bytes, file: name, options: csvOptions(options, name, {}) }, checkpoint)),
    write: (file, rows, target) => {
        const isPacked = isGzip(file);
        const options = optionsOf(isPacked ? withoutCompression(file) : file);
        const { shown, access } = file;
        const plain = target.prepared.write;
        if (target.appends && copyTarget(file, target) !== LF && options.recordSeparator === undefined && !isPacked)
            plain(Uint8Array.of(LF));
        const output = { options, file: shown, continues: target.appends, context: access.report };
        writeCsv(rows, output, isPacked ? bytes => plain(gzipSync(bytes)) : plain, target.checkpoint);
    },
};

/** A gzip file is a sequence of packed pieces (RFC 1952), so that each piece of text is packed by itself. */
function isGzip({ bind }: BoundFile): boolean {
    return bind.options.get('compression')?.trim().toLowerCase() === 'gzip';
}

function withoutCompression(file: BoundFile): BoundFile {
    const options = new Map(file.bind.options);
    options.delete('compression');
    return { ...file, bind: { ...file.bind, options } };
}

function optionsOf({ bind, shown, access }: BoundFile): ReturnType<typeof csvOptions> {
    return csvOptions(bind.options, shown, access.report);
}
