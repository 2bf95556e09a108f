import type { DashboardConcept, DashboardHost, DashboardRows } from './dashboard-host.ts';
import { conceptsOf, type Dashboard } from './definition.ts';

/** Runs for the tiles, with the rows to show, and the values of parameters. */
export interface TileRuns {
    readonly isRunning: boolean;
    /** Runs the concepts that are shown, one after another, with what is written for their parameters. */
    run(dashboard: Dashboard, concepts: readonly DashboardConcept[]): Promise<void>;
    stop(): void;
    isBusy(concept: string): boolean;
    /** Why the last run of a concept has left no new rows, in words. */
    failure(concept: string): string | undefined;
    /** Each tile has them for itself: what one of them asks for may end what is asked for before. */
    rows(tile: string, concept: string): Promise<DashboardRows | undefined>;
    /** Returns the value of a parameter: at first that of the tile. */
    written(parameter: string, first: string): string;
    write(parameter: string, value: string): void;
}

export interface TileRunsEvents {
    /** Something runs or has ended; the tiles of a concept show something else then. */
    changed(concept?: string): void;
}

export function createTileRuns(host: DashboardHost, events: TileRunsEvents): TileRuns {
    /** By concept, then by tile. */
    const kept = new Map<string, Map<string, Promise<DashboardRows | undefined>>>();
    const failures = new Map<string, string>();
    const values = new Map<string, string>();
    let running: AbortController | undefined;
    let waiting: readonly string[] = [];
    const forget = (concept: string): void => {
        kept.delete(concept);
        events.changed(concept);
    };
    const valuesFor = (dashboard: Dashboard, concept: DashboardConcept | undefined): Record<string, string> => {
        const known = new Set(concept?.parameters.map(({ name }) => name));
        const fields = dashboard.tiles.flatMap(({ content }) => (content.kind === 'parameter' ? [content] : []));
        const given = fields.map(({ parameter, value }) => [parameter, values.get(parameter) ?? value] as const);
        return Object.fromEntries(given.filter(([name, value]) => known.has(name) && value !== ''));
    };
    return {
        get isRunning() {
            return running !== undefined;
        },
        async run(dashboard, concepts) {
            const { run } = host;
            if (run === undefined) return;
            running?.abort();
            const mine = new AbortController();
            running = mine;
            const names = conceptsOf(dashboard);
            waiting = names;
            for (const name of names) events.changed(name);
            for (const name of names) {
                if (mine.signal.aborted) return;
                const values = valuesFor(
                    dashboard,
                    concepts.find(concept => concept.name === name),
                );
                try {
                    await run(name, values, mine.signal);
                    failures.delete(name);
                } catch (reason) {
                    if (mine.signal.aborted) return;
                    failures.set(name, host.wordsOf(reason));
                }
                if (mine.signal.aborted) return;
                waiting = waiting.filter(other => other !== name);
                forget(name);
            }
            running = undefined;
            events.changed();
        },
        stop() {
            running?.abort();
            running = undefined;
            const left = waiting;
            waiting = [];
            for (const name of left) events.changed(name);
            events.changed();
        },
        isBusy: concept => waiting.includes(concept),
        failure: concept => failures.get(concept),
        rows(tile, concept) {
            const own = kept.get(concept) ?? new Map<string, Promise<DashboardRows | undefined>>();
            kept.set(concept, own);
            const known = own.get(tile);
            if (known !== undefined) return known;
            const asked = host.rows(concept, () => {
                if (kept.get(concept)?.get(tile) === asked) forget(concept);
            });
            own.set(tile, asked);
            asked.catch(() => own.get(tile) === asked && own.delete(tile));
            return asked;
        },
        written: (parameter, first) => values.get(parameter) ?? first,
        write: (parameter, value) => void values.set(parameter, value),
    };
}
