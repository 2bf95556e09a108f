import { type Event, EventEmitter, type ExtensionContext, l10n, type QuickPickItem, window, workspace } from 'vscode';
import { placeOf, type SourcePlace } from '#extension/sources/source-list.ts';
import { hostOf } from '#extension/sources/source-place.ts';
import type { Login } from '#server/protocol/login.ts';
import { askPassword } from './connect-dialog.ts';
import type { KeptLogins, LocalServer } from './kept-logins.ts';

/** The connected servers that programs of this workspace may reach, with what opens them. */
export interface ReachedServers {
    /** What the run of a program is given. The user is asked about servers that its text names, and for passwords that are not kept. */
    of(program: string, name: string): Promise<readonly Login[]>;
    /** Those whose passwords are kept. */
    known(): Promise<readonly Login[]>;
    /** The user has put binds of a place into a program of this workspace. */
    let(place: SourcePlace): Promise<void>;
    readonly changed: Event<void>;
}

const REACHED = 'sources.reached';

export function createReachedServers(
    { workspaceState, subscriptions }: Pick<ExtensionContext, 'workspaceState' | 'subscriptions'>,
    kept: KeptLogins,
): ReachedServers {
    const changes = new EventEmitter<void>();
    subscriptions.push(
        changes,
        kept.changed(() => changes.fire()),
    );
    const reached = (): readonly string[] => workspaceState.get<readonly string[]>(REACHED, []);
    const letReach = async (place: SourcePlace): Promise<void> => {
        if (reached().includes(placeOf(place))) return;
        await workspaceState.update(REACHED, [...reached(), placeOf(place)]);
        changes.fire();
    };
    const mayReach = async (server: LocalServer, name: string): Promise<boolean> => {
        const { database_name: database, username } = server;
        const allow: QuickPickItem = {
            label: l10n.t('Let programs of this workspace reach it'),
            detail: l10n.t('As {0}, with the password that you gave when you connected it', username),
        };
        const refuse: QuickPickItem = { label: l10n.t('Do not') };
        const chosen = await window.showQuickPick([allow, refuse], {
            title: l10n.t("{0} names the database '{1}' of {2}", name, database, hostOf(server)),
            ignoreFocusOut: true,
        });
        if (chosen !== allow) return false;
        await letReach(server);
        return true;
    };
    return {
        let: letReach,
        changed: changes.event,
        async known() {
            if (!workspace.isTrusted) return [];
            const servers = await kept.localServers();
            return servers.flatMap(server =>
                server.password !== undefined && reached().includes(placeOf(server)) ? [loginOf(server, server.password)] : [],
            );
        },
        async of(program, name) {
            const logins: Login[] = [];
            for (const server of await kept.localServers()) {
                const isNamed = program.includes(server.database_name) && program.includes(server.host);
                if (!reached().includes(placeOf(server)) && !(isNamed && (await mayReach(server, name)))) continue;
                const password = server.password ?? (isNamed ? await askPassword(l10n.t('Run {0}', name), server.username) : undefined);
                logins.push(loginOf(server, password ?? ''));
            }
            return logins;
        },
    };
}

function loginOf({ database_type: type, host, port, database_name: database, username }: LocalServer, password: string): Login {
    return { type, host, ...(port !== null && { port }), database, username, password };
}
