import { say } from '#language/program/say.ts';
import type { RunFormat } from '#server/protocol/jobs.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { isTableFormat, type ResultFormat, type TableFormat } from '#server/protocol/result-formats.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { ROW_WRITERS } from '#server/terminal/row-writers.ts';
import { printForPeople } from '#server/terminal/table-printers.ts';
import { type GivenRows, valueRows } from './given-rows.ts';
import type { Terminal } from './terminal.ts';

/** Prints rows of an output as `rulelang run` does; `remark` is what stands below a table. */
export function printRows(name: string, rows: GivenRows, format: RunFormat, remark: string, terminal: Terminal): void {
    const isTerminal = terminal.streams.outputWidth !== undefined;
    if (isTableFormat(format)) {
        printGivenTable(rows, terminal, format);
        (isTerminal ? terminal.print : terminal.say)(`${colourOf(terminal.streams.outputColour).quiet(remark)}\n`);
        return;
    }
    const text = AS_GIVEN[format]?.(name, rows) ?? writtenText(name, rows, format);
    terminal.print(isTerminal ? ROW_WRITERS[format].visible(text) : text);
}

/** Formats that print a JSON answer as it came. */
const AS_GIVEN: Partial<Record<ResultFormat, (name: string, rows: GivenRows) => string>> = {
    json: answerJson,
    ndjson: (_, { columns, rows }) => rows.map(row => `${objectJson(columns.map((column, at) => [column, row[at] ?? null]))}\n`).join(''),
};

function writtenText(name: string, rows: GivenRows, format: ResultFormat): string {
    const decoder = new TextDecoder();
    let text = '';
    ROW_WRITERS[format].write(
        [{ name, ...valueRows(rows) }],
        { limit: rows.rows.length, label: () => '', file: say`standard output` },
        piece => {
            text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
        },
    );
    return text;
}

/** Prints rows as a table, without a remark. */
export function printGivenTable(rows: GivenRows, { streams, print }: Terminal, format: TableFormat = 'table'): void {
    const style = {
        colour: colourOf(streams.outputColour),
        label: () => '',
        ...(streams.outputWidth !== undefined && { width: streams.outputWidth }),
    };
    printForPeople(format, valueRows(rows), rows.rows.length, style, print);
}

/** Names come from programs, so no object is built from them. */
function answerJson(name: string, { columns, types, rows }: GivenRows): string {
    const lines = rows.map(row => `\n      ${jsonOf(row)}`).join(',');
    const list = `[${lines}${rows.length === 0 ? '' : '\n    '}]`;
    const members = [
        ['resultSet', list],
        ['types', JSON.stringify(types)],
        ['columnNames', JSON.stringify(columns)],
    ].map(([member, json]) => `  "${member}": {\n    ${JSON.stringify(name)}: ${json}\n  }`);
    return `{\n${members.join(',\n')}\n}\n`;
}

function objectJson(members: readonly (readonly [string, unknown])[]): string {
    return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`).join()}}`;
}
