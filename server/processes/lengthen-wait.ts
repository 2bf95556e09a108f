/** How many times as long as usual somebody waits, on a slow machine for one; it goes on to the processes that are started. */
export const PATIENCE_VARIABLE = 'RULELANG_PATIENCE';

/** The milliseconds that somebody waits on this machine for what is helpful and may be missing. */
export function lengthenWait(milliseconds: number): number {
    const factor = Number(process.env[PATIENCE_VARIABLE]);
    return factor > 0 && Number.isFinite(factor) ? milliseconds * factor : milliseconds;
}
