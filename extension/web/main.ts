import { commands, type ExtensionContext, window, workspace } from 'vscode';
import { newSampleProgram } from '#extension/commands/new-sample-program.ts';
import { createServer, type Server } from '#extension/host/client.ts';
import { rememberLastEditor } from '#extension/host/last-editor.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { createSecretValues } from '#extension/host/secret-values.ts';
import { trusted } from '#extension/host/trusted.ts';
import { createProgramFeatures } from '#extension/program-features.ts';
import { createProgramParameters } from '#extension/runs/given-parameters.ts';
import { createRunHistory } from '#extension/runs/run-history.ts';
import { createRuns } from '#extension/runs/runs.ts';
import { NO_KEPT_ROWS } from './no-kept-rows.ts';
import { serverWorker } from './server-worker.ts';

let server: Server | undefined;

/**
 * The extension where there is no machine behind the editor, as in an editor that is a page: language server and runs are workers of the page.
 * What needs processes, databases or services is not there, and the manifest does not offer it.
 */
export function activate(context: ExtensionContext): void {
    const { subscriptions } = context;
    const log = window.createOutputChannel('Rulelang', { log: true });
    rememberLastEditor(subscriptions);
    const started = createServer(context, log, serverWorker(context, log));
    server = started;
    const history = createRunHistory({ ...context, storageUri: undefined }, NO_KEPT_ROWS, log);
    const parameters = createProgramParameters(context, createSecretValues(context), started);
    const state = context.workspaceState;
    const runs = createRuns({
        server: started,
        kept: NO_KEPT_ROWS,
        history,
        parameters,
        connected: async () => [],
        log,
        state,
        subscriptions,
    });
    const register = (name: string, handler: (...args: never[]) => Promise<CommandOutcome>): void => {
        subscriptions.push(commands.registerCommand(`rulelang.${name}`, handler));
    };
    const { run } = createProgramFeatures({ context, server: started, runs, parameters, log, register });
    register('runProgram', trusted(run.runProgram));
    register('newSampleProgram', newSampleProgram);
    subscriptions.push(
        log,
        workspace.onDidGrantWorkspaceTrust(() => started.trustGranted()),
    );
    started.start().catch(reason => log.error(`The language server could not be started: ${reason}`));
}

export async function deactivate(): Promise<void> {
    await server?.stop();
}
