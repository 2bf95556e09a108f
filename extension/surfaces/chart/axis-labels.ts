/** Of a letter beside an axis, in pixels. */
const LETTER = 7.5;
/** Pixels along an axis that a label needs which is turned, or stands beside the axis. */
const LINE = 18;
const LEVEL_SIZE = 36;
const LONGEST = 18;

/** Degrees by which labels below an axis are turned that have no room side by side: they end below their places. */
export const TURNED = 45;

/** A text as it stands beside an axis, where an empty one would not be seen. */
export function shortened(text: string): string {
    if (text === '') return '""';
    return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function widest(labels: readonly (string | number)[]): number {
    return Math.max(0, ...labels.map(label => String(label).length)) * LETTER;
}

/** Whether labels have no room side by side in so many pixels. */
export function areTurned(labels: readonly (string | number)[], room: number): boolean {
    return labels.length * (widest(labels) + LETTER) > room;
}

/** Pixels below an axis for its labels; undefined where it has numbers or times. */
export function roomBelow(labels: readonly string[] | undefined, room: number): number {
    if (labels === undefined || !areTurned(labels, room)) return LEVEL_SIZE;
    return Math.ceil(widest(labels) * Math.SQRT1_2) + 24;
}

/** Pixels beside an axis for its labels. */
export function roomBeside(labels: readonly string[]): number {
    return Math.max(40, Math.ceil(widest(labels)) + 16);
}

/** The places between `from` and `to` that are labelled: all, or one in so many that no label covers another in so many pixels. */
export function labelledPlaces(labels: readonly string[], from: number, to: number, room: number): number[] {
    const places = labels.flatMap((_, at) => (at >= from && at <= to ? [at] : []));
    const step = Math.max(1, Math.ceil((places.length * LINE) / Math.max(LINE, room)));
    return places.filter((_, index) => index % step === 0);
}
