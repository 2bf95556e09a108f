import { type Disposable, env, l10n, type NotebookDocument, notebooks, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { openPlaceInCell } from '#extension/host/open-place.ts';
import type { Runs } from '#extension/runs/runs.ts';
import type { ResultsPanels } from '#extension/webviews/results/host.ts';
import { NOTEBOOK_OUTPUTS, type OutputQuestion, type OutputsHostMessage, type OutputsMessage } from './outputs/messages.ts';

interface Surroundings {
    readonly server: Server;
    readonly runs: Runs;
    readonly panels: ResultsPanels;
    readonly subscriptions: Disposable[];
}

/** The id of the renderer in the manifest. */
const RENDERER = 'rulelang-outputs';

/** Answers the outputs of notebooks: they ask for rows, and have rows explained and places opened. */
export function answerOutputs({ server, runs, panels, subscriptions }: Surroundings): void {
    const messaging = notebooks.createRendererMessaging(RENDERER);
    const answer = async (notebook: NotebookDocument, { request, method, params }: OutputQuestion): Promise<OutputsHostMessage> => {
        const run = runs.reference(notebook.uri, params.run);
        if (run === undefined) return { kind: 'refusal', request, message: l10n.t('The rows of this run are gone.'), gone: true };
        try {
            return { kind: 'answer', request, result: await server.ask(method, { ...params, run } as never) };
        } catch (reason) {
            return { kind: 'refusal', request, message: reason instanceof Error ? reason.message : String(reason), gone: false };
        }
    };
    const receive = async (message: OutputsMessage, notebook: NotebookDocument): Promise<OutputsHostMessage | undefined> => {
        switch (message.kind) {
            case 'ready':
                return { kind: 'words', words: l10n.bundle ?? {} };
            case 'ask':
                return answer(notebook, message);
            case 'copy':
                await env.clipboard.writeText(message.text);
                return undefined;
            case 'open':
                panels.showOutput(notebook.uri, message.output);
                return undefined;
            case 'explain':
                // Rows of other runs may stand elsewhere.
                if (runs.of(notebook.uri)?.serial === message.run) panels.explain(notebook.uri, message.view, message.row);
                else void window.showInformationMessage(l10n.t('This row is of an earlier run. Run the cell again to have it explained.'));
                return undefined;
            case 'place': {
                const cell = notebook.getCells().find(({ document }) => document.uri.toString() === message.cell);
                if (cell !== undefined) await openPlaceInCell(cell, message.range);
                return undefined;
            }
        }
    };
    subscriptions.push(
        messaging.onDidReceiveMessage(async ({ editor, message }) => {
            if (!NOTEBOOK_OUTPUTS.fromView(message)) return;
            const said = await receive(message, editor.notebook);
            if (said !== undefined) await messaging.postMessage(said, editor);
        }),
    );
}
