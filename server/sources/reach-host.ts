import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type ReportContext, stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import type { Grants } from '#server/files/grants.ts';
import { type HostGrant, hostText, isGranted } from '#server/protocol/host-grant.ts';

/** Ends the run with RT063 where the host is not granted. */
export function requireHost(address: Required<HostGrant>, { anyHost, hosts = [], grantHost }: Grants, context: ReportContext): void {
    if (anyHost === true || isGranted(address, hosts)) return;
    const shown = hostText(address);
    stop('RT063', context, shown, grantHost?.(shown) ?? say`no address may be called here`);
}

/** The address of a granted host, resolved once, so that nothing else is meant later. Addresses of the link alone are never called. */
export async function addressOf(host: string, context: ReportContext): Promise<string> {
    const found = isIP(host) > 0 ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
    const usable = found.find(address => !isOfLink(address));
    return usable ?? stop('RT063', context, host, say`it is an address of the link alone, where machines tell about themselves`);
}

export function isLoopback(host: string): boolean {
    return host.toLowerCase() === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/u.test(host);
}

/** 169.254.0.0/16 and fe80::/10, also as they are written in IPv6, and where a cloud answers in the latter. */
export function isOfLink(address: string): boolean {
    return /^(?:::ffff:)?169\.254\./iu.test(address) || /^::ffff:a9fe:/iu.test(address) || /^(?:fe[89ab]|fd00:ec2::254$)/iu.test(address);
}
