import type { Login } from '#server/protocol/login.ts';
import { isLoopback } from './reach-host.ts';

/** Where a password is to be sent. */
export type LoginPlace = Required<Omit<Login, 'password'>>;

/** The first password that was stored for exactly this place. */
export function storedPassword(place: LoginPlace, logins: readonly Login[] = []): string | undefined {
    return logins.find(login => isFor(login, place))?.password;
}

function isFor({ type, host, port, database, username }: Login, place: LoginPlace): boolean {
    return (
        type === place.type &&
        (host === undefined ? isLoopback(place.host) : host.toLowerCase() === place.host) &&
        (port ?? place.port) === place.port &&
        (database ?? place.database) === place.database &&
        (username ?? place.username) === place.username
    );
}
