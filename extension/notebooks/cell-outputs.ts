import { l10n, NotebookCellOutput, NotebookCellOutputItem, type NotebookDocument } from 'vscode';
import { placeInCell } from '#extension/host/notebook-cells.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import type { ShownNotice } from '#extension/webviews/results/messages.ts';
import type { AskedChart } from '#server/protocol/notebooks/asked-chart.ts';
import { rowsText, type ShownRows } from '#server/protocol/notebooks/rows-html.ts';
import type { OutputSummary, ResultPage } from '#server/protocol/runs.ts';
import { PROBLEMS_MIME, type ProblemsOutput, ROWS_MIME, type RowsOutput } from './outputs/messages.ts';

/** The rows of a predicate below a cell, of a run that the window knows by a number: the first of them, and how many there are. */
export function rowsOutput(run: number, output: OutputSummary, { cells }: ResultPage, chart?: AskedChart): NotebookCellOutput {
    const { name, columns, rows } = output;
    const given: RowsOutput = { run, output, cells, ...(chart && { chart }) };
    const shown = { columns, cells };
    const count = countWords(name, cells.length, rows);
    const text = cells.length === 0 ? '' : `\n${rowsText(shown)}`;
    return new NotebookCellOutput(
        [NotebookCellOutputItem.json(given, ROWS_MIME), NotebookCellOutputItem.text(`${count}${text}`, 'text/plain')],
        { output: output.key, shown: { count, shown } satisfies CountedRows },
    );
}

interface CountedRows {
    readonly count: string;
    readonly shown: ShownRows;
}

/** The rows that an output shows, where it shows rows. */
export function shownIn({ metadata }: NotebookCellOutput): CountedRows | undefined {
    return metadata?.shown as CountedRows | undefined;
}

/** How many rows there are of a predicate, where some or all of them are shown. */
function countWords(name: string, shown: number, rows: number): string {
    if (shown < rows) return l10n.t('{0}: the first {1} of {2} rows', name, countText(shown), countText(rows));
    return rows === 1 ? l10n.t('{0}: 1 row', name) : l10n.t('{0}: {1} rows', name, countText(rows));
}

/** Shows the problems of the program, each with its cell and line. */
export function problemOutput(notebook: NotebookDocument, notices: readonly ShownNotice[]): NotebookCellOutput {
    const problems = notices.map(({ code, message, remedy, range }): ProblemsOutput['problems'][number] => {
        const place = range && placeInCell(notebook, range);
        const where = place && l10n.t('cell {0}, line {1}', place.cell.index + 1, place.range.start.line + 1);
        return {
            code,
            message,
            ...(remedy !== undefined && { remedy }),
            ...(place && { place: { cell: place.cell.document.uri.toString(), range: place.range } }),
            ...(where !== undefined && { where }),
        };
    });
    const lines = problems.map(({ code, message, remedy, where }) =>
        [where === undefined ? code : `${code} (${where})`, remedy === undefined ? message : `${message}; ${remedy}`].join(': '),
    );
    return new NotebookCellOutput([
        NotebookCellOutputItem.json({ problems } satisfies ProblemsOutput, PROBLEMS_MIME),
        errorItem(lines.join('\n')),
    ]);
}

/** Why a cell shows no rows. */
export function messageOutput(message: string): NotebookCellOutput {
    return new NotebookCellOutput([errorItem(message)]);
}

function errorItem(message: string): NotebookCellOutputItem {
    return NotebookCellOutputItem.error({ name: '', message, stack: message });
}
