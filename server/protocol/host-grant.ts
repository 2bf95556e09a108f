/** A host that a run may talk to, in lower case; every port of it where none is named. */
export interface HostGrant {
    readonly host: string;
    readonly port?: number;
}

const LARGEST_PORT = 65_535;

/** Reads `host`, `host:port`, `[::1]` and `[::1]:port`; undefined where the text is none of them. */
export function hostGrant(text: string): HostGrant | undefined {
    const [, inBrackets, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?))(?::(\d{1,5}))?$/iu.exec(text) ?? [];
    const host = (inBrackets ?? plain)?.toLowerCase();
    const port = digits === undefined ? undefined : Number(digits);
    if (host === undefined || (port !== undefined && (port === 0 || port > LARGEST_PORT))) return undefined;
    return { host, ...(port !== undefined && { port }) };
}

/** A host with its port as `hostGrant` reads it. */
export function hostText({ host, port }: HostGrant): string {
    const name = host.includes(':') ? `[${host}]` : host;
    return port === undefined ? name : `${name}:${port}`;
}

export function isGranted({ host, port }: Required<HostGrant>, grants: readonly HostGrant[]): boolean {
    return grants.some(grant => grant.host === host.toLowerCase() && (grant.port === undefined || grant.port === port));
}
