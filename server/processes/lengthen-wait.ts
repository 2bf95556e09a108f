/** The factor for waiting times, on a slow machine for one; it goes on to child processes. */
export const PATIENCE_VARIABLE = 'RULELANG_PATIENCE';

/** Returns the milliseconds to wait on this machine for a helpful answer that may be missing. */
export function lengthenWait(milliseconds: number): number {
    const factor = Number(process.env[PATIENCE_VARIABLE]);
    return factor > 0 && Number.isFinite(factor) ? milliseconds * factor : milliseconds;
}
