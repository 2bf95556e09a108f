import { setTimeout } from 'node:timers/promises';
import { Agent, fetch, type Response } from 'undici';
import type { Fetch } from '#server/client/route-client.ts';
import { retrySeconds } from '#server/protocol/retry-after.ts';

/** Seconds that a busy service is waited for, all in all. */
const PATIENCE = 60;
const BUSY: readonly number[] = [429, 503];

/**
 * A `fetch` that tries again when the service is busy and says when to come back. An answer may take as long as it takes, as an
 * evaluation does. Redirections are errors: the token is for one address alone.
 */
export function patientFetch(onWaiting: (seconds: number) => void): Fetch {
    const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
    return async (url, init) => {
        for (let waited = 0; ; ) {
            const response = await fetch(url, { ...init, redirect: 'error', dispatcher });
            const seconds = secondsToWait(response);
            if (seconds === undefined || waited + seconds > PATIENCE) return response;
            await response.body?.cancel();
            onWaiting(seconds);
            await setTimeout(seconds * 1000);
            waited += seconds;
        }
    };
}

/** Returns the seconds in `Retry-After`; undefined for answers that are not about being busy. */
function secondsToWait({ status, headers }: Response): number | undefined {
    return BUSY.includes(status) ? retrySeconds(headers.get('retry-after')) : undefined;
}
