import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { csvOptions } from '#engine/sources/csv-options.ts';
import { readCsv } from '#engine/sources/csv-reader.ts';
import type { Connectors } from '#engine/sources/source.ts';

/** Reads the csv binds of a program that stands in a folder; nothing is written. */
export function csvConnectors(folder: string): Connectors {
    return {
        source: bind => {
            if (bind.type !== 'csv') return undefined;
            const file = join(folder, bind.outer, bind.inner);
            return {
                name: file,
                load: target => {
                    const handle = openSync(file, 'r');
                    const bytes = { read: (into: Uint8Array) => readSync(handle, into) };
                    try {
                        readCsv({ bytes, file, options: csvOptions(bind.options, file, {}), predicate: bind.predicate }, target);
                    } finally {
                        closeSync(handle);
                    }
                },
            };
        },
        sink: bind => ({ name: bind.inner, write: () => {}, commit: () => {}, discard: () => {} }),
    };
}
