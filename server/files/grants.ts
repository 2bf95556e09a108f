import { dirname } from 'node:path';
import { say } from '#language/program/say.ts';
import type { HostGrant } from '#server/protocol/host-grant.ts';
import type { Login } from '#server/protocol/login.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import { Secret } from '#server/secrets/secret.ts';

/** The access that a run has. Connectors receive it; no code asks the environment. */
export interface Grants {
    readonly readRoots: readonly string[];
    readonly writeRoots: readonly string[];
    /** Files that may be written whatever they are called, within reason. */
    readonly writeFiles?: readonly string[];
    /** A bind or `writeFiles` must allow replacing an existing target; else only rows like its own may replace it (9.5). */
    readonly keepsTargets?: true;
    /** Folders whose files scripts see, beside the program's: `named` ones whatever they hold. Scripts see no folder if absent. */
    readonly scripts?: { readonly usual: readonly string[]; readonly named: readonly string[] };
    /** Folders that no access reaches, but through a root that lies in them. */
    readonly denied?: readonly string[];
    /** Hosts that it may talk to; none where absent. */
    readonly hosts?: readonly HostGrant[];
    /** The user has named the host in the request itself. */
    readonly anyHost?: true;
    /** Secrets that credentials of binds may name as `${NAME}`. A name without a value is granted, and has none. */
    readonly secrets?: ReadonlyMap<string, Secret | undefined>;
    /** Passwords of databases, for binds that tell none. */
    readonly logins?: readonly Login[];
    /** Defaults for options that binds leave out, by `type.option`. */
    readonly defaults?: ReadonlyMap<string, string>;
    /** A phrase for the user's way to let a password be used. */
    readonly grantLogin?: () => string;
    /** A phrase for the user's way to grant more, which ends in the folder: `add --allow-read /data`. */
    readonly grantBy: (access: Access, folder: string) => string;
    /** A phrase for the user's way to allow writing a file whose name is not that of a data file. */
    readonly grantFile?: (path: string) => string;
    /** A phrase for the user's way to grant a host, which ends in it. */
    readonly grantHost?: (address: string) => string;
    /** A phrase for the user's way to grant a secret. */
    readonly grantSecret?: (name: string) => string;
}

export type Access = 'read' | 'write';

export const NO_GRANTS: Grants = {
    readRoots: [],
    writeRoots: [],
    grantBy: access => (access === 'read' ? say`nothing may be read here` : say`nothing may be written here`),
};

/** The command line reads and writes below the program's folder and the current folder, and reaches beyond them what flags allow. */
export function commandLineGrants(given: {
    readonly program: string;
    readonly current: string;
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    readonly noWrite?: true;
    readonly hosts?: readonly HostGrant[];
    readonly secrets?: ReadonlyMap<string, Secret | undefined>;
}): Grants {
    const own = [given.program, given.current];
    return {
        readRoots: [...own, ...given.allowRead],
        writeRoots: [...(given.noWrite ? [] : own), ...given.allowWrite],
        writeFiles: given.allowWrite,
        keepsTargets: true,
        scripts: { usual: [], named: given.allowRead },
        ...(given.hosts && { hosts: given.hosts }),
        ...(given.secrets && { secrets: given.secrets }),
        grantBy: (access, folder) => say`add --allow-${access} ${shellWord(folder)}`,
        grantFile: path => say`add --allow-write ${shellWord(path)}`,
        grantHost: address => say`add --allow-net ${shellWord(address)}`,
        grantSecret: name => say`add --secret ${name}, and it is taken from the environment`,
    };
}

/** A file that the user chose. */
export function chosenFile(path: string): Grants {
    return { ...NO_GRANTS, writeRoots: [dirname(path)], writeFiles: [path] };
}

/** Grants of a service: its settings name the folders that it reads and writes, and the hosts that it reaches. */
export function serviceGrants({ read, write, denied, hosts, logins, secrets, defaults }: RunFolders): Grants {
    return {
        readRoots: read,
        writeRoots: write,
        denied,
        grantBy: access => say`start the service in a folder whose files it may ${access}`,
        ...(hosts && {
            hosts,
            grantHost: (address: string) => say`connect it (POST /data/connect), or start the service with --allow-net ${address}`,
        }),
        ...(secrets && {
            secrets: new Map(secrets.map(([name, value]) => [name, value === undefined ? undefined : new Secret(value)])),
            grantSecret: (name: string) => say`give it as a parameter, or start the service with --secret ${name}`,
        }),
        ...(logins && { logins }),
        ...(defaults && { defaults: new Map(defaults) }),
        grantLogin: () => say`connect it with its password (POST /data/connect)`,
    };
}

function shellWord(folder: string): string {
    return /^[\w./\\:-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
}
