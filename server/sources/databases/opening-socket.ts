import { isIP, Socket } from 'node:net';
import type { Connecting, Tls } from './session.ts';

/** Bytes that a server may send before it lets anybody in. */
const MOST_GREETING = 1 << 20;
const LOOK_EVERY = 50;

/** A socket of which the bytes are counted, for a driver to connect. */
export function plainSocket(): Socket {
    return new Socket().setNoDelay(true);
}

/** Waits for a driver to be let in; a server that takes too long, or sends too much before that, is left. */
export function opened<T>(connect: Promise<T>, socket: Socket, { patience }: Connecting): Promise<T> {
    const began = performance.now();
    return new Promise<T>((resolve, reject) => {
        const timer = setInterval(() => {
            if (performance.now() - began < patience && socket.bytesRead < MOST_GREETING) return;
            clearInterval(timer);
            socket.destroy();
            reject(Object.assign(new Error('the server does not let anybody in'), { code: 'ETIMEDOUT' }));
        }, LOOK_EVERY);
        connect.then(
            value => {
                clearInterval(timer);
                resolve(value);
            },
            error => {
                clearInterval(timer);
                socket.destroy();
                reject(error);
            },
        );
    });
}

/** The name that goes into the handshake of TLS; addresses have none there. */
export function serverName({ host }: Tls): { readonly servername?: string } {
    return isIP(host) === 0 ? { servername: host } : {};
}

/** What is thrown where a server asks for a password in clear text. */
export function clearPassword(): Error {
    return Object.assign(new Error('it asks for the password in clear text'), { code: 'CLEAR_PASSWORD' });
}
