import type { KeptRuns } from '#extension/runs/kept-runs.ts';

/** A browser has no files of the extension: the rows of runs are there as long as their panels. */
export const NO_KEPT_ROWS: KeptRuns = {
    place: () => undefined,
    kept: (_, place) => place.name,
    find: () => undefined,
    file: () => undefined,
    has: () => false,
    pin: () => undefined,
    remove: () => undefined,
    forget: () => undefined,
    clear: async () => 'nothing to do',
};
