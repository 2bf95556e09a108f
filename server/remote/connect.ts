import { say } from '#language/program/say.ts';
import { type PlatformClient, platformClient } from '#server/client/platform-client.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { Refusal, refuse } from '#server/notices/refusal.ts';
import { hasServices, openDataDirectory, usualDataDirectory } from '#server/store/data-directory.ts';
import { noServices, runningServices, TOKEN_FILE } from '#server/store/running-services.ts';
import { patientFetch } from './patient-fetch.ts';

/** The address of the service, and the way to speak to it. */
export interface ServiceOptions {
    /** Everything up to `/api/v1`; the services that run in the data directory where absent. */
    readonly server?: string;
    /** The usual one where absent. */
    readonly dataDirectory?: string;
    readonly tokenFile?: string;
    /** The value of `RULELANG_TOKEN`. */
    readonly token?: string;
}

export interface Connection {
    readonly client: PlatformClient;
    readonly baseUrl: string;
}

/**
 * A client of the service. A token goes to the service that it was given for; the one in the data directory only to the services
 * that run there. A `Refusal` or a `DataDirectoryError` says what is missing.
 */
export function connect(options: ServiceOptions, onWaiting: (seconds: number) => void): Connection {
    const given = options.server === undefined ? undefined : serviceAddress(options.server);
    const token = givenToken(options);
    if (given !== undefined && token !== undefined) return connection(given, token, onWaiting);
    const path = options.dataDirectory ?? usualDataDirectory(process.env, process.platform);
    if (!hasServices(path)) throw given === undefined ? noServices(path) : needsToken(given);
    const data = openDataDirectory(path);
    const local = runningServices(data);
    if (given !== undefined && !isSame(given, local)) throw needsToken(given);
    const own = token ?? data.read(TOKEN_FILE)?.toString().trim();
    if (own === undefined) refuse(say`'${path}' has no token; print one with 'rulelang token' and give it in RULELANG_TOKEN`, 'service');
    return connection(local, own, onWaiting);
}

function connection(baseUrl: string, token: string, onWaiting: (seconds: number) => void): Connection {
    return { baseUrl, client: platformClient({ baseUrl, token, fetch: patientFetch(onWaiting) }) };
}

function givenToken({ tokenFile, token }: ServiceOptions): string | undefined {
    const text = (tokenFile === undefined ? token : readNamedText(tokenFile).text)?.trim();
    const where = tokenFile === undefined ? 'RULELANG_TOKEN' : `'${tokenFile}'`;
    if (text === '' && tokenFile !== undefined) refuse(say`${where} holds no token`, 'service');
    if (text !== undefined && !/^[\x21-\x7e]*$/u.test(text))
        refuse(say`${where} holds no token, but blanks or other characters`, 'service');
    return text === '' ? undefined : text;
}

/** An address that a token may be sent to: with TLS, or on this machine. */
function serviceAddress(text: string): string {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !['http:', 'https:'].includes(url.protocol))
        refuse(say`--server needs an address such as https://rules.example.org, not '${text}'`, 'service');
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
        refuse(say`--server needs an address without user, password, ? and #; a token goes into RULELANG_TOKEN`, 'service');
    if (url.protocol === 'http:' && !isLoopback(url))
        refuse(say`the token would go to ${url.host} unencrypted; use an address with https://`, 'service');
    return url.href.replace(/\/+$/u, '');
}

function isLoopback({ hostname }: URL): boolean {
    return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** The services listen on all loopback addresses at once. */
function isSame(given: string, local: string): boolean {
    const [one, other] = [new URL(given), new URL(local)];
    return isLoopback(one) && one.protocol === other.protocol && one.port === other.port && one.pathname === other.pathname;
}

function needsToken(address: string): Refusal {
    return new Refusal(say`${address} needs a token of its own; give it in RULELANG_TOKEN or with --token-file`, 'service');
}
