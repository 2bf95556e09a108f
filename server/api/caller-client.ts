import type { FastifyRequest } from 'fastify';
import { type PlatformClient, platformClient } from '#server/client/platform-client.ts';
import type { Fetch } from '#server/client/route-client.ts';
import { headerValues } from './host-check.ts';

/** Builds a client of these services themselves, with the caller's token. Its calls are checked, counted and limited like any other. */
export function callerClient(address: string, { raw }: FastifyRequest): PlatformClient {
    const token = (headerValues(raw, 'authorization')[0] ?? '').replace(/^Bearer\s+/iu, '');
    return platformClient({ baseUrl: address, token, fetch: patient });
}

let loaded: Promise<Fetch> | undefined;

/** Answers take as long as evaluations do. It is loaded when something is called. */
const patient: Fetch = async (url, init) => {
    loaded ??= import('#server/remote/patient-fetch.ts').then(({ patientFetch }) => patientFetch(() => undefined));
    return await (await loaded)(url, init);
};
