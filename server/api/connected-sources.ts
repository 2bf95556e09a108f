import { dataSourceNamed } from '#language/library/data-sources.ts';
import type { Login } from '#server/protocol/login.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import { DIALECTS } from '#server/sources/databases/dialects.ts';
import type { Properties } from '#server/store/properties.ts';
import type { Sources } from '#server/store/sources.ts';

/** Returns the current access of users' programs beside their folders; `texts` are those of the programs. */
export type Reach = (folders: RunFolders, texts: readonly string[]) => Promise<RunFolders>;

/**
 * Programs of users reach the databases that were connected, and use the passwords that are kept for them, or in properties of the engine. A run
 * is given those of the types of databases that its texts name.
 */
export function connectedSources(sources: Sources, properties: Properties): Reach {
    return async (folders, texts) => {
        const types = Object.keys(DIALECTS).filter(type => texts.some(text => names(text, type)));
        if (types.length === 0) return folders;
        const connected = (await sources.logins()).filter(({ type }) => types.includes(type));
        const set = properties.all();
        const hosts = connected.map(({ host, port }) => ({ host: host.toLowerCase(), port }));
        const logins = [...connected.filter(({ password }) => password !== ''), ...types.flatMap(type => propertyLogin(type, set))];
        return { ...folders, hosts: [...(folders.hosts ?? []), ...hosts], logins };
    };
}

function names(text: string, type: string): boolean {
    const { aliases = [] } = dataSourceNamed(type) ?? {};
    const written = text.toLowerCase();
    return [type, ...aliases].some(word => written.includes(word));
}

/** Returns the properties that are defaults of binds, by `type.option`; never secrets. */
export function bindDefaults(properties: ReadonlyMap<string, string>): [string, string][] {
    return [...properties].flatMap(([name, value]): [string, string][] => {
        const [, word = '', key = ''] = /^([^.]+)\.(.+)$/u.exec(name) ?? [];
        const source = dataSourceNamed(word);
        const option = source?.options.get(key);
        return source === undefined || option === undefined || option.secret ? [] : [[`${source.type}.${key}`, value]];
    });
}

/**
 * Empties a password whose host changes without it: a password for one host must not go to another, whichever request names that one (S6).
 */
export function passwordsLeft(before: ReadonlyMap<string, string>, changes: ReadonlyMap<string, string>): [string, string][] {
    return [...changes].flatMap(([name, host]): [string, string][] => {
        const password = name.replace(/\.host$/u, '.password');
        const isLed = password !== name && (before.get(name) ?? host) !== host;
        return isLed && before.has(password) && !changes.has(password) ? [[password, '']] : [];
    });
}

/** A password of the properties is for the host beside it, and for this machine where there is none (D53). */
function propertyLogin(type: string, properties: ReadonlyMap<string, string>): Login[] {
    const setValue = (key: string): string | undefined => properties.get(`${type}.${key}`) || undefined;
    const [host, port, username, password] = ['host', 'port', 'username', 'password'].map(setValue);
    if (password === undefined) return [];
    return [{ type, password, ...(host && { host }), ...(port && { port: Number(port) }), ...(username && { username }) }];
}
