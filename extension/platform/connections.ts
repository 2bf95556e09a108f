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
import { usageText } from './usage-text.ts';

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
    return new KnownConnections(context, local, log);
}

class KnownConnections implements Connections {
    readonly #context: ExtensionContext;
    readonly #local: LocalServices;
    readonly #log: LogOutputChannel;
    readonly #changes = new EventEmitter<void>();
    readonly changed = this.#changes.event;
    #active: Connection | undefined;
    #failure: ReturnType<Connections['failed']>;
    #turn = 0;
    #wasActive = false;
    readonly #first: Promise<void>;
    #offered: Promise<void> | undefined;

    constructor(context: ExtensionContext, local: LocalServices, log: LogOutputChannel) {
        this.#context = context;
        this.#local = local;
        this.#log = log;
        this.#context.subscriptions.push(this.#changes);
        this.#context.subscriptions.push(
            workspace.onDidGrantWorkspaceTrust(() => void this.#follow()),
            this.#local.changed(() => {
                if (this.#context.workspaceState.get<string>(ACTIVE, LOCAL) === LOCAL) void this.#follow();
            }),
        );
        this.#first = this.#follow();
    }

    active(): Connection | undefined {
        return this.#active;
    }

    failed() {
        return this.#failure;
    }

    async reach(id: string): Promise<Connection | undefined> {
        await this.#first;
        const isAgain =
            id === LOCAL && this.#context.workspaceState.get<string>(ACTIVE, LOCAL) === LOCAL && !this.#wasActive && workspace.isTrusted;
        if (isAgain) {
            this.#offered ??= this.#offerLocal();
            await this.#offered;
        }
        return this.#active?.id === id ? this.#active : undefined;
    }

    async choose(): Promise<CommandOutcome> {
        const isRunning = this.#local.running() !== undefined;
        const shown = this.#shownAddress();
        const command = (name: string, label: string): Choice => ({
            label,
            act: async () => (await commands.executeCommand<CommandOutcome>(`rulelang.${name}`)) ?? 'done',
        });
        const offered = async (): Promise<readonly Choice[]> => [
            ...(this.#active?.role === 'user'
                ? [
                      {
                          ...command('configureModel', `$(sparkle) ${l10n.t('Configure the language model')}…`),
                          ...(await usageText(this.#active)),
                      },
                      command('testModel', `$(beaker) ${l10n.t('Test the language model')}`),
                  ]
                : []),
            ...(isRunning && this.#active?.id !== LOCAL
                ? [{ label: `$(server-process) ${l10n.t('Use the local services')}`, act: () => this.#choose(LOCAL) }]
                : []),
            ...this.#addresses()
                .filter(address => address !== this.#active?.id)
                .map(address => ({
                    label:
                        address === this.#failure?.address
                            ? `$(refresh) ${l10n.t('Try {0} again', address)}`
                            : `$(globe) ${l10n.t('Use {0}', address)}`,
                    act: () => this.#choose(address),
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
        const chosen = await window.showQuickPick(offered(), { title: l10n.t('Services') });
        return (await chosen?.act()) ?? 'nothing to do';
    }

    async signOut(): Promise<CommandOutcome> {
        const address =
            this.#shownAddress() ?? (await window.showQuickPick(this.#addresses(), { title: l10n.t('Sign out of a platform') }));
        return address === undefined ? 'nothing to do' : this.#signOutOf(address);
    }

    #addresses(): readonly string[] {
        const known = this.#context.globalState.get<unknown>(ADDRESSES);
        return isAddresses(known) ? known : [];
    }

    #show(connection: Connection | undefined, unusable?: ReturnType<Connections['failed']>): void {
        this.#active = connection;
        this.#wasActive ||= connection !== undefined;
        this.#failure = unusable;
        void commands.executeCommand('setContext', ROLE, connection?.role);
        this.#changes.fire();
    }

    async #openLocal(): Promise<Connection | undefined> {
        const running = this.#local.running();
        if (running === undefined) return undefined;
        const bytes = await workspace.fs.readFile(Uri.joinPath(Uri.file(running.data), 'auth', 'token'));
        return openConnection('local', LOCAL, running.platform, new TextDecoder().decode(bytes).trim());
    }

    async #openHosted(address: string): Promise<Connection | undefined> {
        const token = await this.#context.secrets.get(secretOf(address));
        return token === undefined ? undefined : openConnection('hosted', address, address, token);
    }

    /** Opens what was chosen last, in a workspace that is trusted; whatever is chosen meanwhile counts instead. */
    async #follow(): Promise<void> {
        if (!workspace.isTrusted) return;
        const mine = ++this.#turn;
        const chosen = this.#context.workspaceState.get<string>(ACTIVE, LOCAL);
        try {
            const connection = await (chosen === LOCAL ? this.#openLocal() : this.#openHosted(chosen));
            if (mine === this.#turn) this.#show(connection);
        } catch (reason) {
            if (mine !== this.#turn) return;
            const why = failureText(reason);
            this.#show(undefined, chosen === LOCAL ? undefined : { address: chosen, reason: why });
            const where = chosen === LOCAL ? l10n.t('The local services') : chosen;
            const text = l10n.t('{0} cannot be used: {1}', where, why);
            this.#log.error(text);
            void window.showErrorMessage(text);
        }
    }

    async #choose(id: string): Promise<CommandOutcome> {
        await this.#context.workspaceState.update(ACTIVE, id);
        await this.#follow();
        return this.#active?.id === id ? 'done' : 'failed';
    }

    #shownAddress(): string | undefined {
        return this.#active?.kind === 'hosted' ? this.#active.id : this.#failure?.address;
    }

    async #signOutOf(address: string): Promise<CommandOutcome> {
        await this.#context.secrets.delete(secretOf(address));
        await this.#context.globalState.update(
            ADDRESSES,
            this.#addresses().filter(known => known !== address),
        );
        if (this.#context.workspaceState.get<string>(ACTIVE, LOCAL) === address) await this.#choose(LOCAL);
        return 'done';
    }

    async connect(): Promise<CommandOutcome> {
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
        await this.#context.secrets.store(secretOf(address), token.trim());
        if (!this.#addresses().includes(address)) await this.#context.globalState.update(ADDRESSES, [...this.#addresses(), address]);
        return this.#choose(address);
    }

    async startLocal(): Promise<CommandOutcome> {
        if (this.#local.running() === undefined && (await this.#local.start()) === 'failed') return 'failed';
        return this.#choose(LOCAL);
    }

    /** Ends when services can be used, or the user does not want them. Not all settings are known while a window opens, so that none start by themselves. */
    async #offerLocal(): Promise<void> {
        const reached = new Promise<void>(resolve => {
            const hearing = this.#changes.event(() => {
                if (this.#active === undefined) return;
                hearing.dispose();
                resolve();
            });
        });
        const start = l10n.t('Start the local services');
        const told = l10n.t('A concept is open, and the local services that keep it do not run.');
        const answered = async (): Promise<void> => {
            if ((await window.showInformationMessage(told, start)) === start) await this.startLocal();
        };
        await Promise.race([reached, answered()]);
    }
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
