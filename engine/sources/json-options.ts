import type { ReportContext } from '../reports/reports.ts';
import { type Packing, unpackedName } from './packing.ts';
import { type ColumnChoice, sourceOptions } from './source-options.ts';

/** How a JSON file is laid out (9.3). */
export interface JsonOptions {
    /** One JSON text; otherwise every line is one (NDJSON), as the names `.ndjson` and `.jsonl` say too. */
    readonly multiline: boolean;
    /** As the program names it. */
    readonly encoding: string;
    /** Absent where the bytes are the text. */
    readonly packing?: Packing;
    /** One null per column instead of one per cell. */
    readonly sameNull: boolean;
    /** The source columns that are read, in this order; all where absent. */
    readonly selectedColumns?: readonly ColumnChoice[];
}

export const DEFAULT_JSON_OPTIONS: JsonOptions = { multiline: true, encoding: 'UTF-8', sameNull: false };

/** Reads the options of a bind; a value that cannot be used ends the run with RT064 for `file`. */
export function jsonOptions(options: ReadonlyMap<string, string>, file: string, context: ReportContext): JsonOptions {
    const { text, flag, sameNull, ...common } = sourceOptions(options, file, context);
    const packing = common.packing();
    const selectedColumns = common.selectedColumns();
    return {
        multiline: flag('multiline', !/\.(?:ndjson|jsonl)$/iu.test(unpackedName(file))),
        encoding: text('encoding')?.trim() ?? DEFAULT_JSON_OPTIONS.encoding,
        sameNull: sameNull(),
        ...(packing === undefined ? {} : { packing }),
        ...(selectedColumns === undefined ? {} : { selectedColumns }),
    };
}
