import { withControls } from '#language/library/with-controls.ts';
import type { NumberForm } from '#language/program/number-form.ts';
import { say } from '#language/program/say.ts';
import type { ReportContext } from '../reports/reports.ts';
import type { Packing } from './packing.ts';
import { type ColumnChoice, type SourceOptions, sourceOptions } from './source-options.ts';

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
    /** Absent where the bytes are the text. */
    readonly packing?: Packing;
    /** Of numbers in columns of numbers; absent for digits with a point. */
    readonly numbers?: NumberForm;
    /** The first line names the delimiter, and does not count as a record. */
    readonly namesDelimiter?: true;
    /** Empty lines are records: of one column, whose nulls are empty cells. */
    readonly hasBlankRows?: true;
    /** One null per column instead of one per cell. */
    readonly sameNull: boolean;
    /** The source columns that are read, in this order; all where absent. */
    readonly selectedColumns?: readonly ColumnChoice[];
}

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
    const { text, flag, refuse, ...common } = sourceOptions(options, file, context);
    const delimiter = withControls(text('delimiter') ?? DEFAULT_CSV_OPTIONS.delimiter);
    if (delimiter === '' || /["\r\n]/.test(delimiter))
        refuse('delimiter', say`a delimiter is one or more characters other than quotes and line breaks`);
    const separator = withControls(text('recordSeparator') ?? '\n');
    if (separator === '' || separator.includes('"') || separator[0] === delimiter[0]) {
        refuse('recordSeparator', say`a record separator is one or more characters other than quotes and the delimiter`);
    }
    const mode = (text('quoteMode') ?? DEFAULT_CSV_OPTIONS.quoteMode).trim().toLowerCase();
    const quoteMode = QUOTE_MODES.find(known => known === mode) ?? refuse('quoteMode', say`write one of ${QUOTE_MODES.join(', ')}`);
    const packing = common.packing();
    const selectedColumns = common.selectedColumns();
    return {
        useHeaders: flag('useHeaders', false),
        delimiter,
        ...(separator === '\n' || separator === '\r\n' ? {} : { recordSeparator: separator }),
        quoteMode,
        nullString: withControls(text('nullString') ?? DEFAULT_CSV_OPTIONS.nullString),
        multiline: flag('multiline', false),
        ...numberForm(text, refuse),
        encoding: text('encoding')?.trim() ?? DEFAULT_CSV_OPTIONS.encoding,
        sameNull: common.sameNull(),
        ...(packing === undefined ? {} : { packing }),
        ...(selectedColumns === undefined ? {} : { selectedColumns }),
    };
}

function numberForm(text: SourceOptions['text'], refuse: SourceOptions['refuse']): { readonly numbers?: NumberForm } {
    const decimal = text('decimal')?.trim() ?? '.';
    const thousands = text('thousands');
    if (decimal !== '.' && decimal !== ',') refuse('decimal', say`write a point or a comma`);
    if (thousands === undefined || thousands === '') return decimal === '.' ? {} : { numbers: { decimal } };
    if ([...thousands].length !== 1 || /[\d"+\-eE\r\n]/u.test(thousands) || thousands === decimal)
        refuse('thousands', say`write the one sign between groups of three digits, another one than that of 'decimal'`);
    return { numbers: { decimal, thousands } };
}
