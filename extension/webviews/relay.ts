import type { PlatformClient } from '#server/client/platform-client.ts';
import { countUpTo, either, isCount, isText, type Of, object, oneOf, textUpTo } from '#server/protocol/shape.ts';

/** Calls of the platform API that views ask their host for: it has the token, and they have not. */
export type Route = keyof PlatformClient;

/** Routes that the rows of concepts and their explanations call. */
export const ROW_ROUTES = [
    'listConcepts',
    'viewRows',
    'explainRow',
    'tellRow',
    'expandExplanation',
    'explainMissing',
    'explainAbsence',
] as const;

const MOST = 0x7fffffff;

/** The host's answer to a question. `answer` is JSON. */
export const isRelayAnswer = either(
    object({ kind: oneOf('answer'), id: isCount, answer: isText }),
    object({ kind: oneOf('refused'), id: isCount, status: isCount, code: isText, message: isText }),
);
export type RelayAnswer = Of<typeof isRelayAnswer>;

/** A question of a view about one of these routes. `call` is JSON: the path, the query and the body of the call. */
export function relayQuestion<const R extends Route>(routes: readonly R[]) {
    return either(
        object({ kind: oneOf('ask'), id: countUpTo(MOST), route: oneOf(...routes), call: textUpTo(1 << 21) }),
        object({ kind: oneOf('leave'), id: countUpTo(MOST) }),
    );
}
export type RelayQuestion<R extends Route> =
    | { readonly kind: 'ask'; readonly id: number; readonly route: R; readonly call: string }
    | { readonly kind: 'leave'; readonly id: number };
