import {
    commands,
    type Event,
    EventEmitter,
    type ExtensionContext,
    type LogOutputChannel,
    l10n,
    ProgressLocation,
    type QuickPickItem,
    Uri,
    window,
    workspace,
} from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { isText, listOf } from '#server/protocol/shape.ts';
import { type AddressFault, type Connection, openConnection, readAddress } from './connection.ts';
import { failureText } from './failure-text.ts';
import type { LocalServices } from './local-services.ts';

/** The services that the views show: those of this window, or of an address at which the user has signed in. */
export interface Connections {
    active(): Connection | undefined;
    /** The address that is chosen and cannot be used now, with the reason. */
    failed(): { readonly address: string; readonly reason: string } | undefined;
    readonly changed: Event<void>;
    /** The services that a document comes from, once they can be used. Those of this window are offered for documents that it shows again. */
    reach(id: string): Promise<Connection | undefined>;
    /** Asks for an address and a token, and shows what is there from then on. */
    connect(): Promise<CommandOutcome>;
    /** Lets the user choose among actions on the services. */
    choose(): Promise<CommandOutcome>;
    /** Starts the services of this window, unless they run, and shows what is there from then on. */
    startLocal(): Promise<CommandOutcome>;
    /** Forgets the token of the address that is shown, or of one that the user chooses. */
    signOut(): Promise<CommandOutcome>;
}

const LOCAL = 'local';
const ADDRESSES = 'platform.addresses';
const ACTIVE = 'platform.active';
const ROLE = 'rulelang.platformRole';
const isAddresses = listOf(isText);
const secretOf = (address: string): string => `platform.token ${address}`;

export function createConnections(context: ExtensionContext, local: LocalServices, log: LogOutputChannel): Connections {
    const { globalState, workspaceState, secrets, subscriptions } = context;
    const changes = new EventEmitter<void>();
    subscriptions.push(changes);
    let active: Connection | undefined;
    let failure: ReturnType<Connections['failed']>;
    let turn = 0;
    let wasActive = false;

    const addresses = (): readonly string[] => {
        const known = globalState.get<unknown>(ADDRESSES);
        return isAddresses(known) ? known : [];
    };
    const show = (connection: Connection | undefined, unusable?: typeof failure): void => {
        active = connection;
        wasActive ||= connection !== undefined;
        failure = unusable;
        void commands.executeCommand('setContext', ROLE, connection?.role);
        changes.fire();
    };
    const openLocal = async (): Promise<Connection | undefined> => {
        const running = local.running();
        if (running === undefined) return undefined;
        const bytes = await workspace.fs.readFile(Uri.joinPath(Uri.file(running.data), 'auth', 'token'));
        return openConnection('local', LOCAL, running.platform, new TextDecoder().decode(bytes).trim());
    };
    const openHosted = async (address: string): Promise<Connection | undefined> => {
        const token = await secrets.get(secretOf(address));
        return token === undefined ? undefined : openConnection('hosted', address, address, token);
    };
    /** Opens what was chosen last, in a workspace that is trusted; whatever is chosen meanwhile counts instead. */
    const follow = async (): Promise<void> => {
        if (!workspace.isTrusted) return;
        const mine = ++turn;
        const chosen = workspaceState.get<string>(ACTIVE, LOCAL);
        try {
            const connection = await (chosen === LOCAL ? openLocal() : openHosted(chosen));
            if (mine === turn) show(connection);
        } catch (reason) {
            if (mine !== turn) return;
            const why = failureText(reason);
            show(undefined, chosen === LOCAL ? undefined : { address: chosen, reason: why });
            const where = chosen === LOCAL ? l10n.t('The local services') : chosen;
            const text = l10n.t('{0} cannot be used: {1}', where, why);
            log.error(text);
            void window.showErrorMessage(text);
        }
    };
    const choose = async (id: string): Promise<CommandOutcome> => {
        await workspaceState.update(ACTIVE, id);
        await follow();
        return active?.id === id ? 'done' : 'failed';
    };
    const shownAddress = (): string | undefined => (active?.kind === 'hosted' ? active.id : failure?.address);
    const signOutOf = async (address: string): Promise<CommandOutcome> => {
        await secrets.delete(secretOf(address));
        await globalState.update(
            ADDRESSES,
            addresses().filter(known => known !== address),
        );
        if (workspaceState.get<string>(ACTIVE, LOCAL) === address) await choose(LOCAL);
        return 'done';
    };

    const connect = async (): Promise<CommandOutcome> => {
        const title = l10n.t('Connect to a platform');
        const written = await window.showInputBox({
            title,
            prompt: l10n.t('The address of the platform, as your browser shows it'),
            placeHolder: 'https://rules.example.com',
            ignoreFocusOut: true,
            validateInput: text => {
                const read = readAddress(text);
                return text === '' || 'address' in read ? undefined : faultText(read.fault);
            },
        });
        const read = readAddress(written ?? '');
        if (!('address' in read)) return 'nothing to do';
        const { address } = read;
        const token = await window.showInputBox({
            title,
            prompt: l10n.t('Your token for {0}. It is kept in the secret storage of the editor and sent to this address alone.', address),
            password: true,
            ignoreFocusOut: true,
        });
        if (token === undefined || token.trim() === '') return 'nothing to do';
        try {
            await window.withProgress({ location: ProgressLocation.Window, title: l10n.t('Connecting to {0}', address) }, () =>
                openConnection('hosted', address, address, token.trim()),
            );
        } catch (reason) {
            void window.showErrorMessage(l10n.t('{0} cannot be used: {1}', address, failureText(reason)));
            return 'failed';
        }
        await secrets.store(secretOf(address), token.trim());
        if (!addresses().includes(address)) await globalState.update(ADDRESSES, [...addresses(), address]);
        return choose(address);
    };

    subscriptions.push(
        workspace.onDidGrantWorkspaceTrust(() => void follow()),
        local.changed(() => {
            if (workspaceState.get<string>(ACTIVE, LOCAL) === LOCAL) void follow();
        }),
    );
    const first = follow();
    const startLocal = async (): Promise<CommandOutcome> => {
        if (local.running() === undefined && (await local.start()) === 'failed') return 'failed';
        return choose(LOCAL);
    };
    /** Ends when services can be used, or the user does not want them. Not all settings are known while a window opens, so that none start by themselves. */
    const offerLocal = async (): Promise<void> => {
        const reached = new Promise<void>(resolve => {
            const hearing = changes.event(() => {
                if (active === undefined) return;
                hearing.dispose();
                resolve();
            });
        });
        const start = l10n.t('Start the local services');
        const told = l10n.t('A concept is open, and the local services that keep it do not run.');
        const answered = async (): Promise<void> => {
            if ((await window.showInformationMessage(told, start)) === start) await startLocal();
        };
        await Promise.race([reached, answered()]);
    };
    let offered: Promise<void> | undefined;
    return {
        active: () => active,
        failed: () => failure,
        changed: changes.event,
        async reach(id) {
            await first;
            const isAgain = id === LOCAL && workspaceState.get<string>(ACTIVE, LOCAL) === LOCAL && !wasActive && workspace.isTrusted;
            if (isAgain) {
                offered ??= offerLocal();
                await offered;
            }
            return active?.id === id ? active : undefined;
        },
        connect,
        async choose() {
            const isRunning = local.running() !== undefined;
            const shown = shownAddress();
            const command = (name: string, label: string): Choice => ({
                label,
                act: async () => (await commands.executeCommand<CommandOutcome>(`rulelang.${name}`)) ?? 'done',
            });
            const item: readonly Choice[] = [
                ...(isRunning && active?.id !== LOCAL
                    ? [{ label: `$(server-process) ${l10n.t('Use the local services')}`, act: () => choose(LOCAL) }]
                    : []),
                ...addresses()
                    .filter(address => address !== active?.id)
                    .map(address => ({
                        label:
                            address === failure?.address
                                ? `$(refresh) ${l10n.t('Try {0} again', address)}`
                                : `$(globe) ${l10n.t('Use {0}', address)}`,
                        act: () => choose(address),
                    })),
                command('connectPlatform', `$(plug) ${l10n.t('Connect to a platform')}…`),
                ...(shown === undefined ? [] : [command('signOutOfPlatform', `$(sign-out) ${l10n.t('Sign out of {0}', shown)}`)]),
                ...(isRunning
                    ? [
                          command('openPlatform', `$(link-external) ${l10n.t('Open the page of the local services')}`),
                          command('copyPlatformToken', `$(key) ${l10n.t('Copy the token of the local services')}`),
                          command('stopServices', `$(debug-stop) ${l10n.t('Stop the local services')}`),
                      ]
                    : [command('startServices', `$(play) ${l10n.t('Start the local services')}`)]),
            ];
            const chosen = await window.showQuickPick(item, { title: l10n.t('Services') });
            return (await chosen?.act()) ?? 'nothing to do';
        },
        startLocal,
        async signOut() {
            const address = shownAddress() ?? (await window.showQuickPick(addresses(), { title: l10n.t('Sign out of a platform') }));
            return address === undefined ? 'nothing to do' : signOutOf(address);
        },
    };
}

interface Choice extends QuickPickItem {
    act(): Promise<CommandOutcome>;
}

function faultText(fault: AddressFault): string {
    switch (fault) {
        case 'unreadable':
            return l10n.t('An address begins with https://, or with http:// on this machine');
        case 'insecure':
            return l10n.t('A token is sent over https, or to this machine alone');
        case 'extra':
            return l10n.t('The address may have a path, but no user, query or fragment');
    }
}
