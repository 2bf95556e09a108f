import {
    type CancellationToken,
    type Disposable,
    l10n,
    type NotebookCell,
    type NotebookCellExecution,
    type NotebookDocument,
    notebooks,
    workspace,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { placeInCell } from '#extension/host/notebook-cells.ts';
import type { RunSession, Runs } from '#extension/runs/runs.ts';
import { type AskedChart, askedChart } from '#server/protocol/notebooks/asked-chart.ts';
import { CELL_LANGUAGES, NOTEBOOK_TYPE } from '#server/protocol/notebooks/notebook-blocks.ts';
import { queryName } from '#server/protocol/notebooks/notebook-program.ts';
import type { OutputSummary } from '#server/protocol/runs.ts';
import { messageOutput, problemOutput, rowsOutput } from './cell-outputs.ts';

/** Rows of a predicate below its cell. */
const ROWS = 100;
/** Times that the server is asked about a cell, and the milliseconds in between. */
const TRIALS = 50;
const PAUSE = 200;

/** Runs the cells of notebooks: the program of all cells once for those that are run together, each of which shows the rows of its own predicates. */
export function createNotebookController(server: Server, runs: Runs, subscriptions: Disposable[]): void {
    const controller = notebooks.createNotebookController('rulelang', NOTEBOOK_TYPE, 'Rulelang');
    controller.supportedLanguages = [...CELL_LANGUAGES];
    controller.supportsExecutionOrder = true;
    let order = 0;
    const begin = (cell: NotebookCell): NotebookCellExecution => {
        const execution = controller.createNotebookCellExecution(cell);
        execution.executionOrder = ++order;
        execution.start(Date.now());
        void execution.clearOutput();
        return execution;
    };

    const execute = async (cells: readonly NotebookCell[], notebook: NotebookDocument): Promise<void> => {
        const executions = cells.map(begin);
        const end = async (
            execution: NotebookCellExecution,
            outputs: Parameters<NotebookCellExecution['replaceOutput']>[0],
            isFine: boolean,
        ): Promise<void> => {
            await execution.replaceOutput(outputs);
            execution.end(isFine, Date.now());
        };
        const refuse = async (message: string): Promise<void> => {
            for (const one of executions) await end(one, messageOutput(message), false);
        };
        if (!workspace.isTrusted) {
            await refuse(l10n.t('Programs are run only in a workspace that you trust.'));
            return;
        }
        try {
            // Scripts are run as they are saved.
            if (notebook.isDirty && !notebook.isUntitled && notebook.getCells().some(({ document }) => document.languageId === 'python'))
                await notebook.save();
            const shown = await Promise.all(executions.map(({ cell }) => predicatesOf(server, cell)));
            const predicates = [...new Set(shown.flat())];
            if (predicates.length === 0) {
                await Promise.all(executions.map(one => end(one, emptyOutput(one.cell), false)));
                return;
            }
            const session = runs.start(notebook.uri, { predicates });
            const tokens = executions.map(({ token }) => stopWith(token, runs, session));
            await session.ended;
            for (const token of tokens) token.dispose();
            await Promise.all(
                executions.map(async (one, i) => {
                    const { outputs, isFine } = await outputsOf(server, session, one.cell, shown[i] ?? []);
                    await end(one, outputs, isFine);
                }),
            );
        } catch (reason) {
            await refuse(reason instanceof Error ? reason.message : String(reason));
        }
    };
    controller.executeHandler = execute;
    subscriptions.push(controller);
}

function stopWith(token: CancellationToken, runs: Runs, session: RunSession): Disposable {
    return token.onCancellationRequested(() => runs.stop(session));
}

/** The predicates whose rows a cell shows. */
async function predicatesOf(server: Server, { document }: NotebookCell): Promise<readonly string[]> {
    const range = { start: { line: 0, character: 0 }, end: { line: document.lineCount, character: 0 } };
    // The server hears of a notebook a moment after it was opened, or after the server has started.
    for (let tried = 0; tried < TRIALS; tried++) {
        const predicates = await server.ask('rulelang/cellPredicates', { uri: document.uri.toString(), range });
        if (predicates !== null) return predicates;
        await new Promise(resolve => setTimeout(resolve, PAUSE));
    }
    return [];
}

interface CellOutputs {
    readonly outputs: Parameters<NotebookCellExecution['replaceOutput']>[0];
    readonly isFine: boolean;
}

async function outputsOf(server: Server, session: RunSession, cell: NotebookCell, predicates: readonly string[]): Promise<CellOutputs> {
    const { shown } = session;
    switch (shown.kind) {
        case 'finished': {
            if (predicates.length === 0) return { outputs: emptyOutput(cell), isFine: false };
            const own = predicates.flatMap(name => shown.outputs.filter(output => output.name === name));
            const chart = askedChart(cell.document.getText());
            const drawn = own.filter(({ columns }) => chart?.columns.every(name => columns.some(column => column.name === name)));
            const isDrawn = (output: OutputSummary): boolean => drawn.length === 0 || drawn.includes(output);
            const outputs = own.map(output => firstRows(server, session, output, isDrawn(output) ? chart : undefined));
            return { outputs: await Promise.all(outputs), isFine: true };
        }
        case 'failed': {
            const errors = shown.notices.filter(({ severity }) => severity === 'error');
            const ofCell = errors.filter(({ range }) => range !== undefined && placeInCell(cell.notebook, range)?.cell === cell);
            return { outputs: problemOutput(cell.notebook, ofCell.length > 0 ? ofCell : errors), isFine: false };
        }
        case 'stopped':
            return { outputs: messageOutput(l10n.t('The run was stopped.')), isFine: false };
        default:
            return {
                outputs: messageOutput('message' in shown && shown.message !== undefined ? shown.message : l10n.t('The run gave no rows.')),
                isFine: false,
            };
    }
}

async function firstRows(
    server: Server,
    { serial, reference: run }: RunSession,
    output: OutputSummary,
    chart: AskedChart | undefined,
): Promise<ReturnType<typeof rowsOutput>> {
    const page = { rows: output.rows, matching: output.rows, offset: 0, cells: [] };
    if (run === undefined || output.rows === 0) return rowsOutput(serial, output, page, chart);
    return rowsOutput(
        serial,
        output,
        await server.ask('rulelang/page', { run, view: { output: output.key }, offset: 0, limit: ROWS }),
        chart,
    );
}

/** Why a cell has nothing to show. */
function emptyOutput({ document }: NotebookCell): ReturnType<typeof messageOutput> {
    const { languageId } = document;
    if (languageId === 'sql' && queryName(document.getText()) === undefined)
        return messageOutput(l10n.t("A query is run as a rule: write its head into the first line, such as '-- big(City, People) <-'."));
    if (!CELL_LANGUAGES.includes(languageId)) return messageOutput(l10n.t("Cells of '{0}' are kept, but not run.", languageId));
    return messageOutput(l10n.t('This cell defines no predicate.'));
}
