import type { HostGrant } from './host-grant.ts';
import { countUpTo, isText, listOf, type Of, object, optional } from './shape.ts';

const LARGEST_PORT = 65_535;

/** A password, and where it may be used: whatever is absent may be anything, and without a host it is for this machine. */
const isLogin = object({
    /** Of binds, aliases resolved. */
    type: isText,
    host: optional(isText),
    port: optional(countUpTo(LARGEST_PORT)),
    database: optional(isText),
    username: optional(isText),
    password: isText,
});
export type Login = Of<typeof isLogin>;

const MOST = 1000;
export const areLogins = listOf(isLogin, MOST);
/** A client's message about the databases that the user has connected. */
export const isConnected = object({ logins: areLogins });

/** The hosts of those that say one. */
export function loginHosts(logins: readonly Login[]): HostGrant[] {
    return logins.flatMap(({ host, port }) => (host === undefined || port === undefined ? [] : [{ host: host.toLowerCase(), port }]));
}
