import { say } from '#language/program/say.ts';
/** A limit of requests and tokens in any stretch of time of one length. */
export interface RateWindow {
    /** Counts a request, or says why it is one too many and after how many seconds it would not be. */
    admit(): { readonly message: string; readonly seconds: number } | undefined;
    /** Counts tokens of the requests admitted. */
    spend(tokens: number): void;
}

export function rateWindow(
    limit: { readonly requests: number; readonly tokens: number; readonly milliseconds: number },
    clock: () => number = () => performance.now(),
): RateWindow {
    const requests: number[] = [];
    const spent: { readonly at: number; readonly tokens: number }[] = [];
    const secondsUntil = (at: number | undefined): number => Math.max(1, Math.ceil(((at ?? 0) + limit.milliseconds - clock()) / 1000));
    return {
        admit: () => {
            const from = clock() - limit.milliseconds;
            while ((requests[0] ?? Number.POSITIVE_INFINITY) <= from) requests.shift();
            while ((spent[0]?.at ?? Number.POSITIVE_INFINITY) <= from) spent.shift();
            if (requests.length >= limit.requests)
                return { message: say`More than ${limit.requests} requests in a minute`, seconds: secondsUntil(requests[0]) };
            if (spent.reduce((sum, { tokens }) => sum + tokens, 0) >= limit.tokens)
                return { message: say`More than ${limit.tokens} tokens in a minute`, seconds: secondsUntil(spent[0]?.at) };
            requests.push(clock());
            return undefined;
        },
        spend: tokens => void spent.push({ at: clock(), tokens }),
    };
}
