/** An array over all values between the least and the largest one may have so many places per row; a small one, which stays in the cache, more. */
const PLACES_PER_ROW = 4;
const SMALL_PLACES_PER_ROW = 32;
const SMALL_PLACES = 1 << 17;
const LEAST_PLACES = 1024;

/** From which value on how many there are up to the largest one. */
export interface Span {
    readonly least: number;
    readonly places: number;
    /** Whether no value comes after a larger one. */
    readonly isSorted: boolean;
}

/** The span of the first `count` values. */
export function spanOf(values: Int32Array, count: number): Span {
    if (count === 0) return { least: 0, places: 0, isSorted: true };
    let least = values[0]!;
    let most = least;
    let isSorted = true;
    let before = least;
    for (let row = 1; row < count; row++) {
        const value = values[row]!;
        if (value < before) isSorted = false;
        if (value < least) least = value;
        if (value > most) most = value;
        before = value;
    }
    return { least, places: most - least + 1, isSorted };
}

/** Whether the values of so many rows lie so close together that a place for each value between is cheaper than a table. */
export function isClose(places: number, rows: number): boolean {
    return places <= Math.max(LEAST_PLACES, PLACES_PER_ROW * rows, Math.min(SMALL_PLACES, SMALL_PLACES_PER_ROW * rows));
}
