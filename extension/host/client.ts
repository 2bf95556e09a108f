import { type CancellationToken, type ExtensionContext, type LogOutputChannel, workspace } from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions, State } from 'vscode-languageclient/node';
import type { AGENT_TOOL_METHODS } from '#server/protocol/agent-tools.ts';
import type { CONCEPT_METHODS } from '#server/protocol/concepts.ts';
import type { CURSOR_METHODS } from '#server/protocol/cursor.ts';
import type { GRAPH_METHODS } from '#server/protocol/graphs.ts';
import type { Login } from '#server/protocol/login.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import { NOTEBOOK_TYPE } from '#server/protocol/notebooks/notebook-blocks.ts';
import type { PROBLEM_METHODS } from '#server/protocol/problems.ts';
import type { REFACTORING_METHODS } from '#server/protocol/refactorings.ts';
import type { RunMethods } from '#server/protocol/run-methods.ts';
import { CONNECTED, type InitializationOptions, MODEL_AGREED, type RunNotifications, TRUST_GRANTED } from '#server/protocol/runs.ts';
import type { SEARCH_METHODS } from '#server/protocol/search.ts';
import type { SHOWN_METHODS } from '#server/protocol/shown.ts';
import type { TEST_METHODS } from '#server/protocol/test-cases.ts';
import { PROPOSAL_SCHEME, type TRANSLATION_METHODS, type TRIAL_METHODS } from '#server/protocol/translations.ts';
import type { QUESTION_METHODS } from '#server/protocol/why-not.ts';
import { CONCEPT_SCHEME } from './concept-scheme.ts';
import { lensesInSight } from './lenses-in-sight.ts';
import { readSetting } from './read-setting.ts';
import type { SettingAtStart, SettingValue } from './settings.ts';

/** Listener to a notification. */
type Heard = (told: never) => void;

type ServerMethods = RunMethods &
    typeof QUESTION_METHODS &
    typeof REFACTORING_METHODS &
    typeof GRAPH_METHODS &
    typeof CURSOR_METHODS &
    typeof SHOWN_METHODS &
    typeof SEARCH_METHODS &
    typeof PROBLEM_METHODS &
    typeof TEST_METHODS &
    typeof AGENT_TOOL_METHODS &
    typeof CONCEPT_METHODS &
    typeof TRANSLATION_METHODS &
    typeof TRIAL_METHODS;

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
    /** Adds a listener; to be called while the extension is activated. */
    on<M extends keyof RunNotifications>(method: M, handler: (params: RunNotifications[M]) => void): void;
    trustGranted(): void;
    /** The server learns what opens the databases that programs may reach, each time that it starts, and when the answer is called. */
    connected(logins: () => Promise<readonly Login[]>): () => void;
    /** The server has ended, by itself or because it was asked to. */
    ended(handler: () => void): void;
}

/** The key under which a workspace remembers which model its programs may ask. */
const AGREED = 'rulelang.model.programs';

const MEBIBYTE = 1024 * 1024;

/** Makes the client of a language server that is not started yet, and says what states clients have. */
export type MakeClient = (
    options: LanguageClientOptions,
) => Promise<{ readonly client: BaseLanguageClient; readonly states: typeof State }>;

export function createServer(context: ExtensionContext, log: LogOutputChannel, makeClient: MakeClient): Server {
    let made: BaseLanguageClient | undefined;
    let making: Promise<BaseLanguageClient> | undefined;
    const lenses = lensesInSight();
    const listening: ((client: BaseLanguageClient, states: typeof State) => void)[] = [
        client =>
            context.subscriptions.push(
                client.onNotification(
                    MODEL_AGREED,
                    ({ agreed }: RunNotifications[typeof MODEL_AGREED]) => void context.workspaceState.update(AGREED, agreed),
                ),
            ),
    ];
    const handlers = new Map<string, Heard[]>();
    const make = async (): Promise<BaseLanguageClient> => {
        const { client, states } = await makeClient({ ...clientOptions(context, log), middleware: lenses.middleware });
        made = client;
        context.subscriptions.push(lenses.follow(client));
        for (const listen of listening) listen(client, states);
        return client;
    };
    const client = (): Promise<BaseLanguageClient> => {
        making ??= make();
        return making;
    };
    return {
        start: async () => (await client()).start(),
        async restart() {
            const running = await client();
            await running.stop();
            await running.start();
        },
        stop: async () => (await making)?.stop(),
        ask: async (method, params, token) => (await client()).sendRequest(method, params, token),
        on(method, handler) {
            const known = handlers.get(method);
            if (known !== undefined) return void known.push(handler as Heard);
            const all = [handler as Heard];
            handlers.set(method, all);
            // A client keeps one handler of each method.
            const hear = (told: unknown): void => {
                for (const each of all) each(told as never);
            };
            listening.push(client => context.subscriptions.push(client.onNotification(method, hear)));
        },
        trustGranted() {
            if (made?.isRunning() === true) void made.sendNotification(TRUST_GRANTED);
        },
        connected(logins) {
            const tell = async (client: BaseLanguageClient): Promise<void> =>
                client.sendNotification(CONNECTED, { logins: await logins() });
            listening.push((client, { Running }) =>
                context.subscriptions.push(
                    client.onDidChangeState(({ newState }) => {
                        if (newState === Running) void tell(client);
                    }),
                ),
            );
            return () => {
                if (made?.isRunning() === true) void tell(made);
            };
        },
        ended(handler) {
            listening.push((client, { Stopped }) =>
                context.subscriptions.push(
                    client.onDidChangeState(({ newState }) => {
                        if (newState === Stopped) handler();
                    }),
                ),
            );
        },
    };
}

/** Reads a setting for the start of the server, after whose change a restart is offered. */
function atStart<N extends SettingAtStart>(name: N): SettingValue<N> {
    return readSetting(name);
}

function initializationOptions(context: ExtensionContext): InitializationOptions {
    const timeout = atStart('run.timeout');
    const threads = atStart('run.threads');
    const path = atStart('python.path');
    const dataDirectory = atStart('platform.dataDir');
    return {
        trusted: workspace.isTrusted,
        lenses: true,
        allowNet: atStart('run.allowNet'),
        secrets: atStart('run.secrets'),
        limits: {
            maxMemory: atStart('run.maxMemory') * MEBIBYTE,
            maxRounds: atStart('run.maxRounds'),
            ...(threads === 0 ? {} : { threads }),
            ...(timeout === 0 ? {} : { timeout: timeout * 1000 }),
        },
        model: {
            never: atStart('model.samples') === 'never',
            agreed: context.workspaceState.get(AGREED, ''),
            ...(dataDirectory !== '' && { dataDirectory }),
        },
        python: {
            enabled: atStart('python.enabled'),
            network: atStart('python.network'),
            ...(path === '' ? {} : { path }),
        },
    };
}

function clientOptions(context: ExtensionContext, log: LogOutputChannel): LanguageClientOptions {
    return {
        documentSelector: [
            { scheme: 'file', language: 'rulelang' },
            { scheme: 'untitled', language: 'rulelang' },
            { scheme: CONCEPT_SCHEME, language: 'rulelang' },
            { scheme: PROPOSAL_SCHEME, language: 'rulelang' },
            { notebook: NOTEBOOK_TYPE, language: 'rulelang' },
            { notebook: NOTEBOOK_TYPE, language: 'sql' },
        ],
        outputChannel: log,
        traceOutputChannel: log,
        initializationOptions: () => initializationOptions(context),
        markdown: { isTrusted: false, supportHtml: false },
        // The server asks for the files that it watches.
        synchronize: { configurationSection: 'rulelang' },
    };
}
