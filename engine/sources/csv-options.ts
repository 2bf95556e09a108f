import { type ReportContext, stop } from '../reports.ts';

export type QuoteMode = 'minimal' | 'all' | 'non_numeric' | 'none';

/** How the text of a CSV file is laid out (9.3). */
export interface CsvOptions {
    readonly useHeaders: boolean;
    readonly delimiter: string;
    /** Undefined for the default: LF or CRLF. */
    readonly recordSeparator?: string;
    readonly quoteMode: QuoteMode;
    readonly nullString: string;
    readonly multiline: boolean;
    /** As the program names it. */
    readonly encoding: string;
    /** One null per column instead of one per cell. */
    readonly sameNull: boolean;
    /** The source columns that are read, in this order; all where absent. */
    readonly selectedColumns?: readonly ColumnChoice[];
}

/** A column of the source by name, or a range of columns by zero-based number, ends included. */
export type ColumnChoice =
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'range'; readonly first: number; readonly last: number };

export const DEFAULT_CSV_OPTIONS: CsvOptions = {
    useHeaders: false,
    delimiter: ',',
    quoteMode: 'minimal',
    nullString: '\\N',
    multiline: false,
    encoding: 'UTF-8',
    sameNull: false,
};

const QUOTE_MODES: readonly QuoteMode[] = ['minimal', 'all', 'non_numeric', 'none'];

/** Reads the options of a bind; a value that cannot be used ends the run with RT064 for `file`. */
export function csvOptions(options: ReadonlyMap<string, string>, file: string, context: ReportContext): CsvOptions {
    const refuse = (key: string, wanted: string): never =>
        stop('RT064', context, file, `cannot be used with ${key}='${options.get(key)}': ${wanted}`);
    const flag = (key: string): boolean => {
        const text = options.get(key)?.trim().toLowerCase() ?? 'false';
        return text === 'true' || (text === 'false' ? false : refuse(key, 'write true or false'));
    };
    const delimiter = withControls(options.get('delimiter') ?? DEFAULT_CSV_OPTIONS.delimiter);
    if (delimiter === '' || /["\r\n]/.test(delimiter))
        refuse('delimiter', 'a delimiter is one or more characters other than quotes and line breaks');
    const separator = withControls(options.get('recordSeparator') ?? '\n');
    if (separator === '' || separator.includes('"') || separator[0] === delimiter[0]) {
        refuse('recordSeparator', 'a record separator is one or more characters other than quotes and the delimiter');
    }
    const mode = (options.get('quoteMode') ?? DEFAULT_CSV_OPTIONS.quoteMode).trim().toLowerCase();
    const quoteMode = QUOTE_MODES.find(known => known === mode) ?? refuse('quoteMode', `write one of ${QUOTE_MODES.join(', ')}`);
    const compression = options.get('compression')?.trim().toLowerCase() ?? 'none';
    if (compression !== 'none' && compression !== 'uncompressed') stop('RT065', context, `Option 'compression' of a csv bind`);
    if (options.has('query')) stop('RT065', context, `Option 'query' of a csv bind`);
    const selected = options.get('selectedColumns');
    return {
        useHeaders: flag('useHeaders'),
        delimiter,
        ...(separator === '\n' || separator === '\r\n' ? {} : { recordSeparator: separator }),
        quoteMode,
        nullString: withControls(options.get('nullString') ?? DEFAULT_CSV_OPTIONS.nullString),
        multiline: flag('multiline'),
        encoding: options.get('encoding')?.trim() ?? DEFAULT_CSV_OPTIONS.encoding,
        sameNull: options.get('nullGenerationMode')?.trim().toUpperCase() === 'SAME_NULL',
        ...(selected === undefined
            ? {}
            : {
                  selectedColumns:
                      columnChoices(selected) ?? refuse('selectedColumns', "write numbers, ranges and names: [0:2; 4; 'Name']"),
              }),
    };
}

/** In option values `\n`, `\t` and `\r` denote the control characters (D-68); the null marker `\N` stays as it is. */
function withControls(text: string): string {
    return text.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\r', '\r');
}

function columnChoices(text: string): ColumnChoice[] | undefined {
    const inside = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1];
    if (inside === undefined) return undefined;
    const choices: ColumnChoice[] = [];
    for (const item of inside.split(';').map(part => part.trim())) {
        const range = /^(\d+)(?:\s*:\s*(\d+))?$/.exec(item);
        const name = /^'(.*)'$|^"(.*)"$/s.exec(item);
        if (range) {
            const first = Number(range[1]);
            const last = Number(range[2] ?? range[1]);
            if (last < first) return undefined;
            choices.push({ kind: 'range', first, last });
        } else if (name) {
            choices.push({ kind: 'name', name: name[1] ?? name[2] ?? '' });
        } else {
            return undefined;
        }
    }
    return choices;
}
