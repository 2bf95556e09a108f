import type { Running } from '#extension/surfaces/platform/runs-table.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';

/** Milliseconds between two looks: while something runs, and while nothing does. They grow as long as nothing changes. */
const PACE = { busy: { first: 1_000, last: 5_000 }, idle: { first: 2_000, last: 10_000 } } as const;
const GROWTH = 1.5;

export interface ActivityEvents {
    /** What runs and waits, at each look; `changed` where it is not what it was at the look before. */
    seen(running: readonly Running[], changed: boolean): void;
    /** It is tried again, unless nobody is followed from now on. */
    failed(reason: unknown): void;
}

/** What runs, looked at again and again while the page can be seen. */
export interface Activity {
    /** Looks now, and then at its pace; there is no client where there is no token. */
    follow(client: Pick<PlatformClient, 'listRunning'> | undefined): void;
}

export function createActivity({ seen, failed }: ActivityEvents): Activity {
    let client: Pick<PlatformClient, 'listRunning'> | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let before: string | undefined;
    let wait = 0;
    /** Counts the looks, so that a late answer does not set the pace. */
    let turn = 0;

    const look = async (): Promise<void> => {
        clearTimeout(timer);
        const mine = ++turn;
        if (client === undefined || document.visibilityState !== 'visible') return;
        try {
            const running = await client.listRunning({});
            if (mine !== turn) return;
            // How far something is changes nothing of what the page shows.
            const now = JSON.stringify(running.map(({ progress: _, ...one }) => one));
            const isChanged = before !== undefined && now !== before;
            const { first, last } = running.length > 0 ? PACE.busy : PACE.idle;
            wait = isChanged || before === undefined ? first : Math.min(last, Math.max(first, wait * GROWTH));
            before = now;
            timer = setTimeout(() => void look(), wait);
            seen(running, isChanged);
        } catch (error) {
            if (mine !== turn) return;
            timer = setTimeout(() => void look(), PACE.idle.last);
            failed(error);
        }
    };
    document.addEventListener('visibilitychange', () => void look());
    return {
        follow(next) {
            client = next;
            void look();
        },
    };
}
