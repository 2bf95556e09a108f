import { DEFAULT_CSV_OPTIONS } from '#engine/sources/csv-options.ts';
import { writeCsv } from '#engine/sources/csv-writer.ts';
import type { RunFormat } from '#server/protocol/jobs.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { printTable } from '#server/terminal/print-table.ts';
import { visible, visibleJson } from '#server/terminal/visible-text.ts';
import { type GivenRows, valueRows } from './given-rows.ts';
import type { Terminal } from './terminal.ts';

/** Prints rows of an output as `rulelang run` does; `remark` is what stands below a table. */
export function printRows(name: string, rows: GivenRows, format: RunFormat, remark: string, terminal: Terminal): void {
    const isTerminal = terminal.streams.outputWidth !== undefined;
    const printJson = (text: string): void => terminal.print(isTerminal ? visibleJson(text) : text);
    switch (format) {
        case 'table':
            printGivenTable(rows, terminal);
            (isTerminal ? terminal.print : terminal.say)(`${colourOf(terminal.streams.outputColour).quiet(remark)}\n`);
            return;
        case 'json':
            printJson(answerJson(name, rows));
            return;
        case 'ndjson':
            printJson(rows.rows.map(row => `${objectJson(rows.columns.map((column, at) => [column, row[at] ?? null]))}\n`).join(''));
            return;
        case 'csv':
            printCsv(rows, text => terminal.print(isTerminal ? text.split('\n').map(visible).join('\n') : text));
            return;
    }
}

/** Prints rows as a table, without a remark. */
export function printGivenTable(rows: GivenRows, { streams, print }: Terminal): void {
    const style = {
        colour: colourOf(streams.outputColour),
        label: () => '',
        ...(streams.outputWidth !== undefined && { width: streams.outputWidth }),
    };
    printTable(valueRows(rows), rows.rows.length, style, print);
}

function printCsv(rows: GivenRows, print: (text: string) => void): void {
    const decoder = new TextDecoder();
    writeCsv(
        valueRows(rows),
        { options: { ...DEFAULT_CSV_OPTIONS, useHeaders: true }, file: 'standard output', nullLabel: () => '' },
        bytes => print(decoder.decode(bytes, { stream: true })),
        () => undefined,
    );
}

/** Names come from programs, so no object is built from them. */
function answerJson(name: string, { columns, types, rows }: GivenRows): string {
    const lines = rows.map(row => `\n      ${JSON.stringify(row)}`).join(',');
    const list = `[${lines}${rows.length === 0 ? '' : '\n    '}]`;
    const members = [
        ['resultSet', list],
        ['types', JSON.stringify(types)],
        ['columnNames', JSON.stringify(columns)],
    ].map(([member, json]) => `  "${member}": {\n    ${JSON.stringify(name)}: ${json}\n  }`);
    return `{\n${members.join(',\n')}\n}\n`;
}

function objectJson(members: readonly (readonly [string, unknown])[]): string {
    return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
}
