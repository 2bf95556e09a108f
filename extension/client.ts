import { type CancellationToken, type ExtensionContext, type LogOutputChannel, RelativePattern, workspace } from 'vscode';
import {
    LanguageClient,
    type LanguageClientOptions,
    RevealOutputChannelOn,
    type ServerOptions,
    State,
    TransportKind,
} from 'vscode-languageclient/node';
import { CONCEPT_SCHEME } from '#extension/projects/concept-uri.ts';
import type { AGENT_TOOL_METHODS } from '#server/protocol/agent-tools.ts';
import type { CONCEPT_METHODS } from '#server/protocol/concepts.ts';
import type { GRAPH_METHODS } from '#server/protocol/graphs.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import type { PROBLEM_METHODS } from '#server/protocol/problems.ts';
import type { REFACTORING_METHODS } from '#server/protocol/refactorings.ts';
import type { RunMethods } from '#server/protocol/run-methods.ts';
import { type InitializationOptions, MODEL_AGREED, type RunNotifications, TRUST_GRANTED } from '#server/protocol/runs.ts';
import type { QUESTION_METHODS } from '#server/protocol/why-not.ts';
import { readSetting } from './read-setting.ts';

type ServerMethods = RunMethods &
    typeof QUESTION_METHODS &
    typeof REFACTORING_METHODS &
    typeof GRAPH_METHODS &
    typeof PROBLEM_METHODS &
    typeof AGENT_TOOL_METHODS &
    typeof CONCEPT_METHODS;

/** The language server, as the rest of the extension knows it. */
export interface Server {
    start(): Promise<void>;
    restart(): Promise<void>;
    stop(): Promise<void>;
    ask<M extends keyof ServerMethods>(
        method: M,
        params: ParamsOf<ServerMethods, M>,
        token?: CancellationToken,
    ): Promise<ResultOf<ServerMethods, M>>;
    on<M extends keyof RunNotifications>(method: M, handler: (params: RunNotifications[M]) => void): void;
    trustGranted(): void;
    /** The server has ended, by itself or because it was asked to. */
    ended(handler: () => void): void;
}

/** Where a workspace remembers which model its programs may ask. */
const AGREED = 'rulelang.model.programs';

const MEBIBYTE = 1024 * 1024;

/** More room for young objects: parsing allocates much that lives shortly. */
const SERVER_FLAGS = ['--max-semi-space-size=64'];

export function createServer(context: ExtensionContext, log: LogOutputChannel): Server {
    const client = new LanguageClient('rulelang', 'Rulelang', serverOptions(context), clientOptions(context, log));
    context.subscriptions.push(
        client.onNotification(
            MODEL_AGREED,
            ({ agreed }: RunNotifications[typeof MODEL_AGREED]) => void context.workspaceState.update(AGREED, agreed),
        ),
    );
    return {
        start: () => client.start(),
        restart: () => client.restart(),
        stop: () => client.stop(),
        ask: (method, params, token) => client.sendRequest(method, params, token),
        on(method, handler) {
            context.subscriptions.push(client.onNotification(method, handler));
        },
        trustGranted() {
            if (client.isRunning()) void client.sendNotification(TRUST_GRANTED);
        },
        ended(handler) {
            context.subscriptions.push(
                client.onDidChangeState(({ newState }) => {
                    if (newState === State.Stopped) handler();
                }),
            );
        },
    };
}

function serverOptions(context: ExtensionContext): ServerOptions {
    const module = context.asAbsolutePath('server/lsp.mjs');
    const run = { module, transport: TransportKind.ipc, options: { execArgv: SERVER_FLAGS } };
    return { run, debug: { ...run, options: { execArgv: [...SERVER_FLAGS, '--nolazy', '--inspect=6009'] } } };
}

function initializationOptions(context: ExtensionContext): InitializationOptions {
    const timeout = readSetting('run.timeout');
    const path = readSetting('python.path');
    const dataDirectory = readSetting('platform.dataDir');
    return {
        trusted: workspace.isTrusted,
        lenses: true,
        allowNet: readSetting('run.allowNet'),
        secrets: readSetting('run.secrets'),
        limits: {
            maxMemory: readSetting('run.maxMemory') * MEBIBYTE,
            maxRounds: readSetting('run.maxRounds'),
            ...(timeout === 0 ? {} : { timeout: timeout * 1000 }),
        },
        model: {
            never: readSetting('model.samples') === 'never',
            agreed: context.workspaceState.get(AGREED, ''),
            ...(dataDirectory !== '' && { dataDirectory }),
        },
        python: {
            enabled: readSetting('python.enabled'),
            network: readSetting('python.network'),
            ...(path === '' ? {} : { path }),
        },
    };
}

/** Programs, data files whose first record may be part of a program's meaning, and settings of projects. */
const WATCHED = ['**/*.{rulelang,csv}', '**/rulelang.json'];

function clientOptions(context: ExtensionContext, log: LogOutputChannel): LanguageClientOptions {
    const watched = (workspace.workspaceFolders ?? []).flatMap(folder =>
        WATCHED.map(files => workspace.createFileSystemWatcher(new RelativePattern(folder, files))),
    );
    return {
        documentSelector: [
            { scheme: 'file', language: 'rulelang' },
            { scheme: 'untitled', language: 'rulelang' },
            { scheme: CONCEPT_SCHEME, language: 'rulelang' },
        ],
        outputChannel: log,
        traceOutputChannel: log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationOptions: () => initializationOptions(context),
        markdown: { isTrusted: false, supportHtml: false },
        synchronize: { configurationSection: 'rulelang', fileEvents: watched },
    };
}
