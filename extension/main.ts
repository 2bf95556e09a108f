import { commands, type Disposable, type ExtensionContext, l10n, window, workspace } from 'vscode';
import { newSampleProgram } from '#extension/commands/new-sample-program.ts';
import { openSampleWorkspace } from '#extension/commands/open-sample-workspace.ts';
import { createReportIssue } from '#extension/commands/report-issue.ts';
import { createServer, type Server } from '#extension/host/client.ts';
import { CONCEPT_SCHEME } from '#extension/host/concept-scheme.ts';
import { rememberLastEditor } from '#extension/host/last-editor.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { createSecretValues } from '#extension/host/secret-values.ts';
import { SETTINGS_AT_START } from '#extension/host/settings.ts';
import { trusted } from '#extension/host/trusted.ts';
import { createChatParticipant } from '#extension/models/chat-participant.ts';
import { offerTools } from '#extension/models/language-model-tools.ts';
import { offerMcpServers } from '#extension/models/mcp-servers.ts';
import { createSentRequest } from '#extension/models/sent-request.ts';
import { createTellRow } from '#extension/models/tell-row.ts';
import { offerNotebooks } from '#extension/notebooks/notebooks.ts';
import { type Connections, createConnections } from '#extension/platform/connections.ts';
import { createLocalServices, ENABLED, type LocalServices } from '#extension/platform/local-services.ts';
import { showServicesInStatusBar } from '#extension/platform/services-status.ts';
import { createProgramParameters } from '#extension/runs/given-parameters.ts';
import { createKeptRuns } from '#extension/runs/kept-runs.ts';
import { createRunHistory } from '#extension/runs/run-history.ts';
import { createRuns } from '#extension/runs/runs.ts';
import { createTranslationCommands } from '#extension/translations/commands.ts';
import { createProposals } from '#extension/translations/proposals.ts';
import { createWriteRule } from '#extension/translations/write-rule.ts';
import { createAgentView } from '#extension/views/agent-view.ts';
import { createConceptsView, type Register } from '#extension/views/concepts-view.ts';
import { createDataView } from '#extension/views/data-view.ts';
import type { ExplorerView } from '#extension/views/explorer-views.ts';
import { createKeptLogins } from '#extension/views/kept-logins.ts';
import { createReachedServers } from '#extension/views/reached-servers.ts';
import { createRunsView } from '#extension/views/runs-view.ts';
import { createTestsView } from '#extension/views/tests-view.ts';
import { debugProgram, debugPrograms, debugStride } from './debug-programs.ts';
import { showLanguageStatus } from './language-status.ts';
import { createProgramFeatures } from './program-features.ts';
import { serverProcess } from './server-process.ts';
import { offerTasks } from './tasks.ts';

/** The views of the explorer that need a machine. The concepts come first: the others share their projects. */
const VIEWS = { data: createDataView, runs: createRunsView } satisfies Readonly<
    Record<Exclude<ExplorerView, 'program' | 'cursor' | 'concepts'>, unknown>
>;

let server: Server | undefined;
let services: LocalServices | undefined;

export function activate(context: ExtensionContext): void {
    const { subscriptions } = context;
    const log = window.createOutputChannel('Rulelang', { log: true });
    rememberLastEditor(subscriptions);
    const started = createServer(context, log, serverProcess(context));
    server = started;
    const kept = createKeptRuns(context, log);
    const history = createRunHistory(context, kept, log);
    const secretValues = createSecretValues(context);
    const parameters = createProgramParameters(context, secretValues, started);
    const logins = createKeptLogins(context);
    const reached = createReachedServers(context, logins);
    const tellReached = started.connected(reached.known);
    subscriptions.push(reached.changed(tellReached));
    const state = context.workspaceState;
    const runs = createRuns({ server: started, kept, history, parameters, connected: reached.of, log, state, subscriptions });
    const sent = createSentRequest(subscriptions);
    const register = (name: string, handler: (...args: never[]) => Promise<CommandOutcome>): void => {
        subscriptions.push(commands.registerCommand(`rulelang.${name}`, handler));
    };
    const tell = createTellRow(context, started, sent);
    const { panels, run } = createProgramFeatures({ context, server: started, runs, parameters, log, tell, register });
    register(
        'askAboutRows',
        trusted(async () => (panels.act('ask') ? 'done' : 'nothing to do')),
    );

    const local = createLocalServices(context, log);
    services = local;
    const connections = createConnections(context, local, log);
    showServicesInStatusBar(connections, local, subscriptions);

    const runProgram = trusted(async (uri?: unknown) => {
        const isConcept = uri === undefined && window.activeTextEditor?.document.uri.scheme === CONCEPT_SCHEME;
        // The services run concepts: they know the others, and keep the rows.
        return isConcept ? await commands.executeCommand<CommandOutcome>('rulelang.runConcept') : run.runProgram(uri);
    });
    register('runProgram', runProgram);
    register('newSampleProgram', newSampleProgram);
    register('openSampleWorkspace', () => openSampleWorkspace(context));
    registerDebugging(context, register, debugPrograms(context, parameters, runProgram));
    const proposals = createProposals(subscriptions);
    register('writeRule', trusted(createWriteRule(context, started, sent, proposals)));
    register(
        'showModelRequest',
        trusted(async () => ((await sent.show()) ? 'done' : 'nothing to do')),
    );
    register(
        'reportIssue',
        createReportIssue(context, runs, () => connections.active()?.kind ?? 'none'),
    );
    register('clearKeptRows', kept.clear);
    registerServices(register, local, connections);
    const registerTrusted: Register = (name, handler) => register(name, trusted(handler));
    const { projects, saveRules } = createConceptsView({
        context,
        connections,
        secretValues,
        server: started,
        log,
        register: registerTrusted,
    });
    createTranslationCommands({ context, server: started, sent, proposals, projects, saveRules, register: registerTrusted });
    const parts = { context, subscriptions, log, projects, connections, kept: logins, reached, history, runs, panels, start: run.start };
    for (const create of Object.values(VIEWS)) create({ ...parts, register: registerTrusted });
    createTestsView({ context, server: started, log, register: registerTrusted, trusted });
    createAgentView({ context, projects, connections, log, register: registerTrusted });

    offerNotebooks({ server: started, runs, panels, register, subscriptions });
    offerTools(context, started);
    offerMcpServers(context);
    createChatParticipant(context, started, sent);
    showLanguageStatus(runs, connections, subscriptions);
    subscriptions.push(log, ...followEditor(started, local, tellReached));
    void local.follow();
    // The editor goes on meanwhile; requests to the server wait for it.
    started.start().catch(reason => log.error(`The language server could not be started: ${reason}`));
}

/** Follows trust and settings of the editor. */
function followEditor(started: Server, local: LocalServices, tellReached: () => void): Disposable[] {
    return [
        workspace.onDidGrantWorkspaceTrust(() => {
            started.trustGranted();
            tellReached();
            void local.follow();
        }),
        workspace.onDidChangeConfiguration(event => {
            if (SETTINGS_AT_START.some(name => event.affectsConfiguration(`rulelang.${name}`))) void offerRestart(started);
            if (event.affectsConfiguration(ENABLED)) void local.follow();
        }),
    ];
}

function registerDebugging(context: ExtensionContext, register: Register, debugging: Disposable): void {
    context.subscriptions.push(debugging, offerTasks(context));
    register('debugProgram', trusted(debugProgram));
    register('stepToStratum', trusted(debugStride({ by: 'stratum' })));
    register('stepBackToRule', trusted(debugStride({ by: 'rule', back: true })));
    register('stepBackToRound', trusted(debugStride({ by: 'round', back: true })));
    register('stepBackToStratum', trusted(debugStride({ by: 'stratum', back: true })));
}

function registerServices(register: Register, local: LocalServices, connections: Connections): void {
    register('startServices', trusted(local.start));
    register('stopServices', trusted(local.stop));
    register('openPlatform', trusted(local.openPage));
    register('copyPlatformToken', trusted(local.copyToken));
    register(
        'connectPlatform',
        trusted(() => connections.connect()),
    );
    register(
        'choosePlatform',
        trusted(() => connections.choose()),
    );
    register(
        'signOutOfPlatform',
        trusted(() => connections.signOut()),
    );
}

export async function deactivate(): Promise<void> {
    await Promise.all([server?.stop(), services?.stop()]);
}

async function offerRestart(server: Server): Promise<void> {
    const restart = l10n.t('Restart');
    const chosen = await window.showInformationMessage(
        l10n.t('New limits count after a restart of the language server, which ends its runs.'),
        restart,
    );
    if (chosen === restart) await server.restart();
}
