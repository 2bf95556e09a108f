interface FormatAbout {
    /** The kind of file in a dialogue that asks for one, and the ending of its name. */
    readonly kind: string;
    readonly ending: string;
    /** In a menu. */
    readonly label: string;
    /** Holds several outputs. */
    readonly several: boolean;
}

interface PrintedAbout extends FormatAbout {
    /** Lines for the help of the command line. */
    readonly help: readonly string[];
}

/** The formats in which rows are written to files and to standard output, in the order of the help. `ROW_WRITERS` writes them. */
export const RESULT_FORMATS = {
    json: {
        ending: 'json',
        kind: 'JSON',
        label: 'JSON',
        several: true,
        help: ['one object with resultSet, types and columnNames; nulls are', '{"$null":"z1"}, whole numbers beyond 2^53 are strings'],
    },
    csv: {
        ending: 'csv',
        kind: 'CSV',
        label: 'CSV',
        several: false,
        help: ['one output with a header line; nulls are their labels: z1'],
    },
    ndjson: {
        ending: 'ndjson',
        kind: 'JSON lines',
        label: 'JSON, one object per line',
        several: false,
        help: ['one output, one JSON object per line with the column names as keys'],
    },
    md: {
        ending: 'md',
        kind: 'Markdown',
        label: 'Markdown table',
        several: false,
        help: ['one output as a table of Markdown'],
    },
    sql: {
        ending: 'sql',
        kind: 'SQL',
        label: 'SQL inserts',
        several: false,
        help: ['one output as INSERT statements; nulls are NULL'],
    },
    facts: {
        ending: 'facts',
        kind: 'Facts',
        label: 'Facts of the rule language',
        several: true,
        help: ['clauses that read back to the same facts; a null is a', 'Skolem term, #z(1), the same in all of them'],
    },
} as const satisfies Record<string, PrintedAbout>;

export type ResultFormat = keyof typeof RESULT_FORMATS;

export const RESULT_FORMAT_NAMES = Object.keys(RESULT_FORMATS) as ResultFormat[];

/** The formats of exported files: all of `RESULT_FORMATS`, and binary ones, which a terminal cannot show. */
export const EXPORT_FORMATS = {
    ...RESULT_FORMATS,
    parquet: { ending: 'parquet', kind: 'Parquet', label: 'Parquet', several: false },
    excel: { ending: 'xlsx', kind: 'Excel', label: 'Excel workbook', several: true },
} as const satisfies Record<string, FormatAbout>;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

export const EXPORT_FORMAT_NAMES = Object.keys(EXPORT_FORMATS) as ExportFormat[];

/** How rows are printed for people, with the lines that help says of it. */
export const TABLE_FORMATS = {
    table: ['for people: fits the terminal, at most 1,000 rows there without --limit'],
    box: ['the same with lines around the cells'],
    record: ['the same with a line for each value, for rows of many columns'],
} as const;

export type TableFormat = keyof typeof TABLE_FORMATS;

export const TABLE_FORMAT_NAMES = Object.keys(TABLE_FORMATS) as TableFormat[];

export function isTableFormat(format: string): format is TableFormat {
    return Object.hasOwn(TABLE_FORMATS, format);
}
