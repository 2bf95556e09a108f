/** A page has one thread for a run. */
export function teamOf(): undefined {
    return undefined;
}
