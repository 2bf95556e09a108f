import {
    type Disposable,
    l10n,
    type NotebookCell,
    NotebookCellData,
    NotebookCellKind,
    NotebookCellStatusBarAlignment,
    NotebookCellStatusBarItem,
    NotebookData,
    notebooks,
    Uri,
    window,
    workspace,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { trusted } from '#extension/host/trusted.ts';
import type { Runs } from '#extension/runs/runs.ts';
import type { ResultsPanels } from '#extension/webviews/results/host.ts';
import { NOTEBOOK_TYPE } from '#server/protocol/notebooks/notebook-blocks.ts';
import { answerOutputs } from './answer-outputs.ts';
import { exportNotebookAsHtml, exportNotebookAsProgram } from './export-notebook.ts';
import { createNotebookController } from './notebook-controller.ts';
import { notebookSerializer } from './notebook-serializer.ts';

interface Surroundings {
    readonly server: Server;
    readonly runs: Runs;
    readonly panels: ResultsPanels;
    readonly subscriptions: Disposable[];
    readonly register: (name: string, handler: (...args: never[]) => Promise<CommandOutcome>) => void;
}

/** Notebooks: their files, their runs and their commands. */
export function offerNotebooks({ server, runs, panels, subscriptions, register }: Surroundings): void {
    createNotebookController(server, runs, subscriptions);
    answerOutputs({ server, runs, panels, subscriptions });
    subscriptions.push(
        workspace.registerNotebookSerializer(NOTEBOOK_TYPE, notebookSerializer, { transientOutputs: true }),
        notebooks.registerNotebookCellStatusBarItemProvider(NOTEBOOK_TYPE, { provideCellStatusBarItems: rowItems }),
    );
    register('newNotebook', newNotebook);
    register('exportNotebookAsProgram', trusted(exportNotebookAsProgram));
    register('exportNotebookAsHtml', trusted(exportNotebookAsHtml));
    register(
        'openNotebookRows',
        trusted(async (uri?: unknown, key?: unknown) => {
            if (typeof uri !== 'string' || typeof key !== 'string') return 'nothing to do';
            panels.showOutput(Uri.parse(uri), key);
            return 'done';
        }),
    );
}

async function newNotebook(): Promise<CommandOutcome> {
    const cell = new NotebookCellData(NotebookCellKind.Code, '', 'rulelang');
    const notebook = await workspace.openNotebookDocument(NOTEBOOK_TYPE, new NotebookData([cell]));
    await window.showNotebookDocument(notebook);
    return 'done';
}

/** Below a cell with rows: what opens all of them, with what explains and draws them. */
function rowItems(cell: NotebookCell): NotebookCellStatusBarItem[] {
    return cell.outputs.flatMap(({ metadata }) => {
        const key: unknown = metadata?.output;
        if (typeof key !== 'string') return [];
        const name = key.replace(/\/\d+$/u, '');
        const item = new NotebookCellStatusBarItem(`$(table) ${name}`, NotebookCellStatusBarAlignment.Right);
        item.tooltip = l10n.t("Open all rows of '{0}', to explain and draw them", name);
        item.command = { title: l10n.t('Open rows'), command: 'rulelang.openNotebookRows', arguments: [cell.notebook.uri.toString(), key] };
        return [item];
    });
}
