import { say } from '#language/program/say.ts';
import type { Grants } from '#server/files/grants.ts';
import type { HostGrant } from '#server/protocol/host-grant.ts';
import type { Login } from '#server/protocol/login.ts';
import type { Secret } from '#server/secrets/secret.ts';

export interface EditorAccess {
    readonly roots: readonly string[];
    readonly writeFiles?: readonly string[] | undefined;
    readonly hosts?: readonly HostGrant[] | undefined;
    readonly secrets?: ReadonlyMap<string, Secret | undefined>;
    /** Of databases that the user has connected. */
    readonly logins?: readonly Login[] | undefined;
}

/**
 * The editor reads and writes below the folders of its workspace; files that are not called like data, where the user said so. It
 * reaches the hosts and the secrets that the settings of the user name, and the databases that the user has connected.
 */
export function editorGrants({
    roots,
    writeFiles = [],
    hosts = [],
    secrets = new Map(),
    logins = [],
}: EditorAccess): Grants & Required<Pick<Grants, 'grantHost' | 'grantSecret'>> {
    return {
        readRoots: roots,
        writeRoots: roots,
        writeFiles,
        keepsTargets: true,
        scripts: { usual: roots, named: [] },
        hosts,
        secrets,
        logins,
        grantBy: (_, folder) => say`add ${folder} to the workspace`,
        grantFile: () => say`allow it when the editor asks`,
        grantHost: address => say`connect it in the view Data, or add it to the setting rulelang.run.allowNet, as ${address}`,
        grantLogin: () =>
            say`connect it in the view Data, or add password='\${NAME}' to the bind and NAME to the setting rulelang.run.secrets`,
        grantSecret: name => say`add ${name} to the setting rulelang.run.secrets, and it is taken from the environment`,
    };
}
