import type { Store } from './store.ts';

export type UsageKind = 'llm' | 'embedding';

/** Requests to providers that were made in this calendar month, in UTC. */
export interface Usage {
    current(kind: UsageKind): Promise<number>;
    /** Counts one more, unless the limit is reached: then it counts nothing and gives false. */
    spend(kind: UsageKind, limit: number): Promise<boolean>;
}

/** The usage in a store. `now` is the wall clock, in milliseconds. */
export function usageIn(store: Store, now: () => number = Date.now): Usage {
    const month = (): string => new Date(now()).toISOString().slice(0, 'yyyy-mm'.length);
    return {
        current: async kind => {
            const [row] = await store.query<{ requests: number }>(FIND, [month(), kind]);
            return row?.requests ?? 0;
        },
        spend: (kind, limit) =>
            store.transaction(async tx => {
                const key = [month(), kind];
                const [row] = await tx.query<{ requests: number }>(FIND, key);
                if ((row?.requests ?? 0) >= limit) return false;
                if (row === undefined) await tx.run('INSERT INTO usage VALUES ($1, $2, 1)', key);
                else await tx.run('UPDATE usage SET requests = requests + 1 WHERE month = $1 AND kind = $2', key);
                return true;
            }),
    };
}

const FIND = 'SELECT requests FROM usage WHERE month = $1 AND kind = $2';
