import {
    commands,
    type Event,
    EventEmitter,
    type ExtensionContext,
    env,
    type LogOutputChannel,
    l10n,
    ProgressLocation,
    Uri,
    window,
    workspace,
} from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { readSetting } from '#extension/host/read-setting.ts';
import { externalPage } from './external-page.ts';
import { type RunningServices, ServicesFailed, type ServicesOptions, startServices } from './services-process.ts';

/** The HTTP services of this window, which are off until the user turns them on. */
export interface LocalServices {
    running(): RunningServices | undefined;
    readonly changed: Event<void>;
    start(): Promise<CommandOutcome>;
    stop(): Promise<CommandOutcome>;
    /** Puts the token of the user on the clipboard. */
    copyToken(): Promise<CommandOutcome>;
    /** Opens their page. */
    openPage(): Promise<CommandOutcome>;
    /** Starts or stops them as the setting says. */
    follow(): Promise<void>;
}

export const ENABLED = 'rulelang.platform.enabled';
const RUNNING = 'rulelang.servicesRunning';

export function createLocalServices(context: ExtensionContext, log: LogOutputChannel): LocalServices {
    let running: RunningServices | undefined;
    let starting: Promise<CommandOutcome> | undefined;
    let wasWanted = false;
    const changes = new EventEmitter<void>();
    context.subscriptions.push(changes);

    const show = (services: RunningServices | undefined): void => {
        running = services;
        changes.fire();
        void commands.executeCommand('setContext', RUNNING, services !== undefined);
    };

    const begin = async (): Promise<CommandOutcome> => {
        try {
            const services = await startServices(await optionsFor(context), line => log.debug(line));
            log.info(`The local services answer at ${services.platform}, ${services.engine} and ${services.assistant}.`);
            show(services);
            void services.ended.then(words => {
                // A deliberate stop has replaced `running` before.
                if (running !== services) return;
                show(undefined);
                void complain(
                    log,
                    words === '' ? l10n.t('The local services have ended.') : l10n.t('The local services have ended: {0}.', words),
                );
            });
            return 'done';
        } catch (reason) {
            if (!(reason instanceof ServicesFailed)) throw reason;
            void complain(log, l10n.t('The local services did not start: {0}.', reason.message));
            return 'failed';
        }
    };

    const services: LocalServices = {
        running: () => running,
        changed: changes.event,
        start: async () => {
            if (running !== undefined) return 'nothing to do';
            const title = l10n.t('Starting the local services');
            starting ??= Promise.resolve(window.withProgress({ location: ProgressLocation.Window, title }, begin)).finally(() => {
                starting = undefined;
            });
            return starting;
        },
        stop: async () => {
            await starting;
            const services = running;
            if (services === undefined) return 'nothing to do';
            show(undefined);
            await services.stop();
            log.info('The local services were stopped.');
            return 'done';
        },
        copyToken: async () => (running === undefined ? notRunning() : await copyTokenIn(running.data)),
        openPage: async () => {
            if (running === undefined) return notRunning();
            const services = running;
            const role = await askRole();
            if (role === undefined) return 'nothing to do';
            const page = await services.page(role);
            const root = await env.asExternalUri(Uri.parse(`${new URL(page).origin}/`));
            return (await env.openExternal(Uri.parse(externalPage(page, root.toString(true))))) ? 'done' : 'failed';
        },
        follow: async () => {
            const isWanted = workspace.isTrusted && readSetting('platform.enabled');
            // Services that the user has started go on where the setting is what it was.
            if (isWanted === wasWanted) return;
            wasWanted = isWanted;
            await (isWanted ? services.start() : services.stop());
        },
    };
    return services;
}

async function copyTokenIn(data: string): Promise<CommandOutcome> {
    const bytes = await workspace.fs.readFile(Uri.joinPath(Uri.file(data), 'auth', 'token'));
    await env.clipboard.writeText(new TextDecoder().decode(bytes).trim());
    window.setStatusBarMessage(`$(key) ${l10n.t('The platform token is on the clipboard.')}`, 5_000);
    return 'done';
}

/** Asks for the role of the page, which ends with its session. */
async function askRole(): Promise<'user' | 'viewer' | undefined> {
    const viewer = { label: `$(eye) ${l10n.t('To look')}`, detail: l10n.t('Projects, rows and explanations'), role: 'viewer' as const };
    const user = {
        label: `$(edit) ${l10n.t('To change and to run')}`,
        detail: l10n.t('Concepts are written, run and deleted, sources connected'),
        role: 'user' as const,
    };
    const chosen = await window.showQuickPick([viewer, user], { title: l10n.t('What the page in the browser is for') });
    return chosen?.role;
}

function notRunning(): CommandOutcome {
    void window.showInformationMessage(l10n.t('Start the local services first.'));
    return 'nothing to do';
}

async function optionsFor(context: ExtensionContext): Promise<ServicesOptions> {
    return {
        command: readSetting('platform.command') || context.asAbsolutePath('server/cli.js'),
        folder: await folderFor(context),
        dataDir: readSetting('platform.dataDir'),
        port: readSetting('platform.port'),
        enginePort: readSetting('platform.enginePort'),
        chatPort: readSetting('platform.chatPort'),
        pathPrefix: readSetting('platform.pathPrefix'),
    };
}

/** The folder that is open. Without one the services get a folder with nothing in it, for callers of the engine may read it. */
async function folderFor({ globalStorageUri }: ExtensionContext): Promise<string> {
    const open = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
    if (open !== undefined) return open.uri.fsPath;
    const empty = Uri.joinPath(globalStorageUri, 'services');
    await workspace.fs.createDirectory(empty);
    return empty.fsPath;
}

async function complain(log: LogOutputChannel, message: string): Promise<void> {
    log.error(message);
    const settings = l10n.t('Open settings');
    const chosen = await window.showErrorMessage(message, settings);
    if (chosen === settings) await commands.executeCommand('workbench.action.openSettings', 'rulelang.platform');
}
