import { type Event, EventEmitter, type ExtensionContext } from 'vscode';
import type { Connection } from '#extension/platform/connection.ts';
import { placeOf, type SourcePlace } from '#extension/sources/source-list.ts';
import { isText, object, optional } from '#server/protocol/shape.ts';

/** Who connects; without a password whoever connects is asked for it each time. */
export interface KnownLogin {
    readonly username: string;
    readonly password?: string;
}

/** A server that was connected through the services of this machine, and what opens it. */
export type LocalServer = SourcePlace & KnownLogin;

/** What opens sources, in the secret storage of the editor. */
export interface KeptLogins {
    /** Undefined where nothing is known. */
    of(connection: Connection, place: SourcePlace): Promise<KnownLogin | undefined>;
    keep(connection: Connection, place: SourcePlace, login: KnownLogin): Promise<void>;
    remove(connection: Connection, place: SourcePlace): Promise<void>;
    /** Also while the services do not run. */
    localServers(): Promise<readonly LocalServer[]>;
    readonly changed: Event<void>;
}

const isLogin = object({ username: isText, password: optional(isText) });
/** Where the servers are that were connected through the services of this machine: secret storage lists nothing. */
const LOCAL_PLACES = 'sources.local';
const MOST_PLACES = 200;

export function createKeptLogins({
    secrets,
    globalState,
    subscriptions,
}: Pick<ExtensionContext, 'secrets' | 'globalState' | 'subscriptions'>): KeptLogins {
    const changes = new EventEmitter<void>();
    subscriptions.push(changes);
    const login = async (id: string, place: SourcePlace): Promise<KnownLogin | undefined> => {
        const kept = await secrets.get(keyOf(id, place));
        const known: unknown = kept === undefined ? undefined : JSON.parse(kept);
        return isLogin(known) ? known : undefined;
    };
    const localPlaces = (): readonly SourcePlace[] => globalState.get<readonly SourcePlace[]>(LOCAL_PLACES, []);
    const without = (place: SourcePlace): readonly SourcePlace[] => localPlaces().filter(known => placeOf(known) !== placeOf(place));
    return {
        changed: changes.event,
        of: ({ id }, place) => login(id, place),
        async keep({ id, kind }, { database_type, host, port, database_name }, known) {
            const place = { database_type, host, port, database_name };
            await secrets.store(keyOf(id, place), JSON.stringify(known));
            if (kind === 'local') await globalState.update(LOCAL_PLACES, [...without(place), place].slice(-MOST_PLACES));
            changes.fire();
        },
        async remove({ id, kind }, place) {
            await secrets.delete(keyOf(id, place));
            if (kind === 'local') await globalState.update(LOCAL_PLACES, without(place));
            changes.fire();
        },
        async localServers() {
            const servers = localPlaces().map(async place => {
                const known = await login('local', place);
                return known === undefined ? [] : [{ ...place, ...known }];
            });
            return (await Promise.all(servers)).flat();
        },
    };
}

function keyOf(id: string, { database_type: type, host, port, database_name: name }: SourcePlace): string {
    return `source.login ${JSON.stringify([id, type, host, port, name])}`;
}
