import { exactJson } from '#server/client/exact-json.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import type { RelayAnswer, RelayQuestion, Route } from './relay.ts';

interface Waiting {
    resolve(answer: unknown): void;
    reject(reason: Error): void;
}

/** The part of a client that the host lends to the view. */
export function relayedClient<R extends Route>(
    routes: readonly R[],
    send: (question: RelayQuestion<R>) => void,
): {
    readonly client: Pick<PlatformClient, R>;
    take(message: RelayAnswer): void;
} {
    const waiting = new Map<number, Waiting>();
    let ids = 0;
    const ask = (route: R, call: unknown, signal?: AbortSignal): Promise<unknown> =>
        new Promise((resolve, reject) => {
            const id = ++ids;
            waiting.set(id, { resolve, reject });
            signal?.addEventListener('abort', () => {
                if (!waiting.delete(id)) return;
                send({ kind: 'leave', id });
                reject(signal.reason);
            });
            send({ kind: 'ask', id, route, call: jsonOf(call) });
        });
    const calls = routes.map(route => [route, (call: unknown, signal?: AbortSignal) => ask(route, call, signal)]);
    return {
        client: Object.fromEntries(calls) as Pick<PlatformClient, R>,
        take(message) {
            const asked = waiting.get(message.id);
            waiting.delete(message.id);
            if (message.kind === 'answer') asked?.resolve(exactJson(message.answer));
            else asked?.reject(new PlatformError(message.status, message.code, message.message, null));
        },
    };
}
