import { basename } from 'node:path/posix';
import { l10n, type NotebookCell, NotebookCellKind, type NotebookCellOutput, type NotebookDocument, Uri, window, workspace } from 'vscode';
import { newProgramPlace, openNewProgram } from '#extension/commands/new-program.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { NOTEBOOK_TYPE } from '#server/protocol/notebooks/notebook-blocks.ts';
import { notebookHtml, type PageOutput } from '#server/protocol/notebooks/notebook-html.ts';
import { notebookRules } from '#server/protocol/notebooks/notebook-rules.ts';
import { shownIn } from './cell-outputs.ts';

/** Opens the notebook that is looked at as a program that has not been saved. */
export async function exportNotebookAsProgram(): Promise<CommandOutcome> {
    const notebook = lookedAt();
    if (notebook === undefined) return 'nothing to do';
    await openNewProgram(await newProgramPlace(nameOf(notebook)), notebookRules(notebook.getCells().map(plainCell)));
    return 'done';
}

/** Writes the notebook that is looked at, with the rows that it shows, as a page. */
export async function exportNotebookAsHtml(given?: unknown): Promise<CommandOutcome> {
    const notebook = lookedAt();
    if (notebook === undefined) return 'nothing to do';
    const beside = notebook.uri.with({
        scheme: notebook.isUntitled ? 'file' : notebook.uri.scheme,
        path: notebook.uri.path.replace(/(?:\.\w+)?$/u, '.html'),
    });
    const title = l10n.t('Export notebook as HTML');
    const target = given instanceof Uri ? given : await window.showSaveDialog({ title, defaultUri: beside, filters: { HTML: ['html'] } });
    if (target === undefined) return 'nothing to do';
    const cells = notebook.getCells().map(cell => ({ ...plainCell(cell), outputs: cell.outputs.flatMap(pageOutputs) }));
    await workspace.fs.writeFile(target, new TextEncoder().encode(notebookHtml(nameOf(notebook), cells)));
    return 'done';
}

function lookedAt(): NotebookDocument | undefined {
    const notebook = window.activeNotebookEditor?.notebook;
    return notebook?.notebookType === NOTEBOOK_TYPE ? notebook : undefined;
}

function nameOf({ uri }: NotebookDocument): string {
    return basename(uri.path).replace(/\.\w+$/u, '');
}

function plainCell({ kind, document }: NotebookCell): { kind: 'code' | 'markdown'; language: string; text: string } {
    return { kind: kind === NotebookCellKind.Code ? 'code' : 'markdown', language: document.languageId, text: document.getText() };
}

function pageOutputs(output: NotebookCellOutput): PageOutput[] {
    const rows = shownIn(output);
    if (rows !== undefined) return [{ kind: 'rows', ...rows }];
    const error = output.items.find(({ mime }) => mime === 'application/vnd.code.notebook.error');
    const { message } = JSON.parse(new TextDecoder().decode(error?.data) || '{}') as { readonly message?: string };
    return message === undefined ? [] : [{ kind: 'message', message }];
}
