import { commands, type ExtensionContext, l10n, window, workspace } from 'vscode';
import { createExplainMissing } from '#extension/commands/explain-missing.ts';
import { explainPredicate } from '#extension/commands/explain-predicate.ts';
import { createExplainProblem } from '#extension/commands/explain-problem.ts';
import { nameMadeUp } from '#extension/commands/name-made-up.ts';
import { newSampleProgram } from '#extension/commands/new-sample-program.ts';
import type { CommandOutcome } from '#extension/commands/outcome.ts';
import { reorderArguments } from '#extension/commands/reorder-arguments.ts';
import { createRunCommands } from '#extension/commands/run-commands.ts';
import { programTarget } from '#extension/commands/target.ts';
import { createWriteRule } from '#extension/commands/write-rule.ts';
import { createChatParticipant } from '#extension/models/chat-participant.ts';
import { offerTools } from '#extension/models/language-model-tools.ts';
import { createSentRequest } from '#extension/models/sent-request.ts';
import { createTellRow } from '#extension/models/tell-row.ts';
import { createConnections } from '#extension/platform/connections.ts';
import { createLocalServices, ENABLED, type LocalServices } from '#extension/platform/local-services.ts';
import { showServicesInStatusBar } from '#extension/platform/services-status.ts';
import { CONCEPT_SCHEME } from '#extension/projects/concept-uri.ts';
import { createConceptsView, type Register } from '#extension/views/concepts-view.ts';
import { createDataView } from '#extension/views/data-view.ts';
import { createGraphPanels } from '#extension/webviews/graph/host.ts';
import { createResultsPanels } from '#extension/webviews/results/host.ts';
import type { ViewAction } from '#extension/webviews/results/messages.ts';
import { NAME_MADE_UP, REORDER_ARGUMENTS } from '#server/protocol/refactorings.ts';
import { createServer, type Server } from './client.ts';
import { createKeptRuns } from './kept-runs.ts';
import { runByDebugKeys } from './run-by-debug-keys.ts';
import { createRuns } from './runs.ts';
import { createStatusBar } from './status-bar.ts';
import { tellWrongSettings } from './wrong-settings.ts';

/** The server learns these when it starts. */
const LEARNT = [
    ...['maxMemory', 'timeout', 'maxRounds', 'allowNet', 'secrets'].map(name => `rulelang.run.${name}`),
    'rulelang.python',
    'rulelang.model',
];

let server: Server | undefined;
let services: LocalServices | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
    const { subscriptions } = context;
    const log = window.createOutputChannel('Rulelang', { log: true });
    const started = createServer(context, log);
    server = started;
    const kept = createKeptRuns(context, log);
    const runs = createRuns(started, kept, log, subscriptions);
    const sent = createSentRequest(subscriptions);
    const panels = createResultsPanels({
        context,
        server: started,
        runs,
        log,
        tell: createTellRow(context, started, sent),
        run: (document, predicates) => void rerun(document, predicates),
        askMissing: (document, question) => void askMissing(document, question),
    });
    const graphs = createGraphPanels(context, started, log);
    const run = createRunCommands(runs, panels);
    const rerun = trusted(async (...[document, predicates]: Parameters<typeof run.start>) => {
        run.start(document, predicates);
        return 'done';
    });
    const missing = createExplainMissing(started, runs, run, panels);
    const askMissing = trusted(missing.ask);
    const act = (action: ViewAction) => trusted(async () => (panels.act(action) ? 'done' : 'nothing to do'));

    const local = createLocalServices(context, log);
    services = local;
    const connections = createConnections(context, local, log);
    showServicesInStatusBar(connections, local, subscriptions);

    const register = (name: string, handler: (...args: never[]) => Promise<CommandOutcome>): void => {
        subscriptions.push(commands.registerCommand(`rulelang.${name}`, handler));
    };
    const runProgram = trusted(async (uri?: unknown) => {
        const isConcept = uri === undefined && window.activeTextEditor?.document.uri.scheme === CONCEPT_SCHEME;
        // The services run concepts: they know the others, and keep the rows.
        return isConcept ? await commands.executeCommand<CommandOutcome>('rulelang.runConcept') : run.runProgram(uri);
    });
    register('runProgram', runProgram);
    subscriptions.push(runByDebugKeys(runProgram));
    register('runPredicate', trusted(run.runPredicate));
    register('stop', trusted(run.stop));
    register('explainRow', act('explain'));
    register(
        'explainPredicate',
        trusted((uri?: unknown, name?: unknown) => explainPredicate(started, run, panels, uri, name)),
    );
    register('whyNot', trusted(missing.command));
    register('copyCells', act('table'));
    register('copyCellsWithHeader', act('tableWithHeader'));
    register('copyCellsAsMarkdown', act('markdown'));
    register('copyRowsAsFacts', act('facts'));
    register('showCell', act('showCell'));
    register('filterByCell', act('filterByCell'));
    register('showDependencyGraph', async (uri?: unknown) => {
        const document = programTarget(uri, panels.active());
        if (document === undefined) return 'nothing to do';
        await graphs.show(document);
        return 'done';
    });
    register('explainProblem', createExplainProblem(started, subscriptions));
    subscriptions.push(commands.registerCommand(NAME_MADE_UP, nameMadeUp));
    subscriptions.push(commands.registerCommand(REORDER_ARGUMENTS, (...asked: readonly unknown[]) => reorderArguments(started, ...asked)));
    register('writeRule', trusted(createWriteRule(context, started, sent)));
    register(
        'showModelRequest',
        trusted(async () => ((await sent.show()) ? 'done' : 'nothing to do')),
    );
    register('newSampleProgram', newSampleProgram);
    register('clearKeptRows', kept.clear);
    register('startServices', trusted(local.start));
    register('stopServices', trusted(local.stop));
    register('openPlatform', trusted(local.openPage));
    register('copyPlatformToken', trusted(local.copyToken));
    const registerTrusted: Register = (name, handler) => register(name, trusted(handler));
    const projects = createConceptsView({ context, connections, server: started, log, register: registerTrusted });
    createDataView(projects, registerTrusted, subscriptions);
    register('connectPlatform', trusted(connections.connect));
    register('choosePlatform', trusted(connections.choose));
    register('signOutOfPlatform', trusted(connections.signOut));
    register('showOutput', async () => {
        log.show();
        return 'done';
    });
    register('restartServer', async () => {
        await started.restart();
        return 'done';
    });

    offerTools(context, started);
    createChatParticipant(context, started, sent);
    createStatusBar(runs, subscriptions);
    tellWrongSettings(log, subscriptions);
    subscriptions.push(
        log,
        workspace.onDidGrantWorkspaceTrust(() => {
            started.trustGranted();
            void local.follow();
        }),
        workspace.onDidChangeConfiguration(event => {
            if (LEARNT.some(name => event.affectsConfiguration(name))) void offerRestart(started);
            if (event.affectsConfiguration(ENABLED)) void local.follow();
        }),
        runs.changed(() => void commands.executeCommand('setContext', 'rulelang.running', runs.running().length > 0)),
    );
    void local.follow();
    try {
        await started.start();
    } catch (reason) {
        log.error(`The language server could not be started: ${reason}`);
    }
}

export async function deactivate(): Promise<void> {
    await Promise.all([server?.stop(), services?.stop()]);
}

/** Refuses a command in restricted mode, where a menu would not offer it but anyone may call it. */
function trusted<A extends unknown[]>(command: (...args: A) => Promise<CommandOutcome>): (...args: A) => Promise<CommandOutcome> {
    return async (...args) => {
        if (workspace.isTrusted) return command(...args);
        void askForTrust();
        return 'untrusted';
    };
}

async function askForTrust(): Promise<void> {
    const manage = l10n.t('Manage trust');
    const chosen = await window.showWarningMessage(l10n.t('Programs are run only in a workspace that you trust.'), manage);
    if (chosen === manage) await commands.executeCommand('workbench.trust.manage');
}

async function offerRestart(server: Server): Promise<void> {
    const restart = l10n.t('Restart');
    const chosen = await window.showInformationMessage(
        l10n.t('New limits count after a restart of the language server, which ends its runs.'),
        restart,
    );
    if (chosen === restart) await server.restart();
}
