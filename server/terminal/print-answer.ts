import type { Listing } from '#engine/results/listing.ts';
import type { NullLabel } from '#engine/values/text.ts';
import { counted, countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { visible } from '#server/notices/visible-text.ts';
import type { RunFormat } from '#server/protocol/jobs.ts';
import { isTableFormat, type TableFormat } from '#server/protocol/result-formats.ts';
import { colourOf } from './colour.ts';
import { labelNulls } from './label-nulls.ts';
import { TEXT_WIDTH, wrapped } from './notice-text.ts';
import { ROW_WRITERS } from './row-writers.ts';
import { printForPeople } from './table-printers.ts';

export interface Answer {
    /** The outputs to print. */
    readonly listings: readonly Listing[];
    /** Every output of the program, in its order. */
    readonly all: readonly Listing[];
    readonly label: NullLabel;
}

export interface AnswerStyle {
    readonly format: RunFormat;
    /** Rows printed per output. */
    readonly limit: number;
    /** The width of the terminal; absent where standard output is none. */
    readonly width?: number;
    readonly colour: boolean;
    /** Returns a remark on the values of a table, if there is one. */
    readonly remark: (listing: Listing) => string | undefined;
    /** Milliseconds since the run began. */
    readonly elapsed: () => number;
    readonly print: (text: string | Uint8Array) => void;
    readonly say: (text: string) => void;
}

/** Prints the outputs of a run; everything that is not a result goes to `say`. */
export function printAnswer(answer: Answer, style: AnswerStyle): void {
    const { format, limit, width, print } = style;
    labelNulls(answer, limit);
    if (isTableFormat(format)) {
        printTables(answer, format, style);
        return;
    }
    const { write, visible: shown } = ROW_WRITERS[format];
    const decoder = new TextDecoder();
    const show = (piece: string | Uint8Array): void =>
        print(shown(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })));
    write(answer.listings, { limit, label: answer.label, file: say`standard output` }, width === undefined ? print : show);
    for (const { name, count } of answer.listings) if (count > limit) style.say(`${name}: ${rowCountText(count, limit)}\n`);
}

function printTables({ listings, label }: Answer, format: TableFormat, style: AnswerStyle): void {
    const colour = colourOf(style.colour);
    const remark = style.width === undefined ? style.say : style.print;
    for (const [at, listing] of listings.entries()) {
        if (listings.length > 1) style.print(`${at > 0 ? '\n' : ''}${colour.underlined(visible(listing.name))}\n`);
        printForPeople(
            format,
            listing,
            style.limit,
            { ...(style.width === undefined ? {} : { width: style.width }), colour, label },
            style.print,
        );
        const time = listings.length === 1 ? ` · ${secondsText(style.elapsed())}` : '';
        const name = style.width === undefined && listings.length > 1 ? `${visible(listing.name)}: ` : '';
        remark(`${colour.quiet(`${name}${rowCountText(listing.count, style.limit)}${time}`)}\n`);
        const words = style.remark(listing);
        if (words !== undefined) remark(`${colour.quiet(wrapped(`${name}${visible(words)}`, style.width ?? TEXT_WIDTH, '  '))}\n`);
    }
    if (listings.length !== 1) style.say(say`${listings.length} outputs · ${secondsText(style.elapsed())}\n`);
}

/** `1,288,924 rows`, or how many of them are printed. */
function rowCountText(count: number, limit: number): string {
    const rows = counted(count, 'row');
    return count > limit ? say`${countText(limit)} of ${rows}; --limit all prints every row` : rows;
}

function secondsText(milliseconds: number): string {
    return `${(milliseconds / 1000).toFixed(1)} s`;
}
