import { exactJson } from '#server/client/exact-json.ts';
import { type PlatformClient, PlatformError } from '#server/client/platform-client.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import type { HostLink } from '../link-to-host.ts';
import { type HostMessage, RELAYED, type RelayedRoute, type ViewMessage } from './messages.ts';

export type RelayedClient = Pick<PlatformClient, RelayedRoute>;

interface Waiting {
    resolve(answer: unknown): void;
    reject(reason: Error): void;
}

/** The part of a client that the host lends to the view: it has the token, and the view has not. */
export function relayedClient(link: HostLink<HostMessage, ViewMessage>): {
    readonly client: RelayedClient;
    /** Takes the answers; false for every other message. */
    take(message: HostMessage): boolean;
} {
    const waiting = new Map<number, Waiting>();
    let ids = 0;
    const ask = (route: RelayedRoute, call: unknown, signal?: AbortSignal): Promise<unknown> =>
        new Promise((resolve, reject) => {
            const id = ++ids;
            waiting.set(id, { resolve, reject });
            signal?.addEventListener('abort', () => {
                if (!waiting.delete(id)) return;
                link.send({ kind: 'leave', id });
                reject(signal.reason);
            });
            link.send({ kind: 'ask', id, route, call: jsonOf(call) });
        });
    const calls = RELAYED.map(route => [route, (call: unknown, signal?: AbortSignal) => ask(route, call, signal)]);
    return {
        client: Object.fromEntries(calls) as RelayedClient,
        take(message) {
            if (message.kind !== 'answer' && message.kind !== 'refused') return false;
            const asked = waiting.get(message.id);
            waiting.delete(message.id);
            if (message.kind === 'answer') asked?.resolve(exactJson(message.answer));
            else asked?.reject(new PlatformError(message.status, message.code, message.message, null));
            return true;
        },
    };
}
