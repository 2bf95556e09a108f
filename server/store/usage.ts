import type { Reader, Store, Transaction } from './store.ts';

export type UsageKind = 'llm' | 'embedding';

/** Requests to providers that were made in this calendar month, in UTC. */
export interface Usage {
    current(kind: UsageKind): Promise<number>;
    /** Counts one more, unless the limit is reached: then it counts nothing and gives false. */
    spend(kind: UsageKind, limit: number): Promise<boolean>;
    /** Counts the tokens of an answer. */
    addTokens(kind: UsageKind, tokens: TokenCounts): Promise<void>;
    tokens(kind: UsageKind): Promise<TokenCounts>;
}

/** Tokens that were sent, and those of answers. */
export interface TokenCounts {
    readonly input: number;
    readonly output: number;
}

/** The usage in a store. `now` is the wall clock, in milliseconds. */
export function usageIn(store: Store, now: () => number = Date.now): Usage {
    const month = (): string => new Date(now()).toISOString().slice(0, 'yyyy-mm'.length);
    const found = async (reader: Reader, kind: string): Promise<number | undefined> => {
        const [row] = await reader.query<{ requests: number }>(FIND, [month(), kind]);
        return row?.requests;
    };
    const add = async (tx: Transaction, kind: string, count: number): Promise<void> => {
        const key = [month(), kind];
        if ((await found(tx, kind)) === undefined) await tx.run('INSERT INTO usage VALUES ($1, $2, $3)', [...key, count]);
        else await tx.run('UPDATE usage SET requests = requests + $3 WHERE month = $1 AND kind = $2', [...key, count]);
    };
    return {
        current: async kind => (await found(store, kind)) ?? 0,
        spend: (kind, limit) =>
            store.transaction(async tx => {
                if (((await found(tx, kind)) ?? 0) >= limit) return false;
                await add(tx, kind, 1);
                return true;
            }),
        addTokens: (kind, { input, output }) =>
            store.transaction(async tx => {
                await add(tx, `${kind}-input-tokens`, input);
                await add(tx, `${kind}-output-tokens`, output);
            }),
        tokens: async kind => ({
            input: (await found(store, `${kind}-input-tokens`)) ?? 0,
            output: (await found(store, `${kind}-output-tokens`)) ?? 0,
        }),
    };
}

/** Tokens stand in the same column, under kinds of their own. */
const FIND = 'SELECT requests FROM usage WHERE month = $1 AND kind = $2';
