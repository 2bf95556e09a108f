interface FormatAbout {
    /** What kind of file it is, in a dialogue that asks for one; the ending of the file is the name of the format. */
    readonly kind: string;
    /** In a menu. */
    readonly label: string;
    /** Holds several outputs. */
    readonly several: boolean;
    /** Lines for the help of the command line. */
    readonly help: readonly string[];
}

/** The formats in which rows are written to files and to standard output, in the order of the help. `ROW_WRITERS` writes them. */
export const RESULT_FORMATS = {
    json: {
        kind: 'JSON',
        label: 'JSON',
        several: true,
        help: ['one object with resultSet, types and columnNames; nulls are', '{"$null":"z1"}, whole numbers beyond 2^53 are strings'],
    },
    csv: {
        kind: 'CSV',
        label: 'CSV',
        several: false,
        help: ['one output with a header line; nulls are their labels: z1'],
    },
    ndjson: {
        kind: 'JSON lines',
        label: 'JSON, one object per line',
        several: false,
        help: ['one output, one JSON object per line with the column names as keys'],
    },
} as const satisfies Record<string, FormatAbout>;

export type ResultFormat = keyof typeof RESULT_FORMATS;

export const RESULT_FORMAT_NAMES = Object.keys(RESULT_FORMATS) as ResultFormat[];
