/** A stretch of time, in seconds since 1970 UTC. */
export interface Stretch {
    readonly from: number;
    readonly to: number;
}

export interface Tick {
    readonly at: number;
    readonly label: string;
}

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const SECONDS = [1, 5, 15, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000];
const MONTH = 30.44 * DAY;
/** 1970-01-05 was a Monday. */
const MONDAY = 4 * DAY;

/** Round moments of a stretch, so many at most: whole seconds, hours, days, weeks from Monday on, months and years, in UTC. */
export function ticksOf({ from, to }: Stretch, most: number): Tick[] {
    const rough = (to - from) / Math.max(1, most);
    const step = SECONDS.find(seconds => seconds >= rough);
    if (step !== undefined) {
        const origin = step === 7 * DAY ? MONDAY : 0;
        const first = Math.ceil((from - origin) / step) * step + origin;
        const count = Math.max(0, Math.floor((to - first) / step) + 1);
        return Array.from({ length: count }, (_, i) => first + i * step).map(at => ({ at, label: momentText(at, step) }));
    }
    const months = MONTHS.find(count => count * MONTH >= rough) ?? Math.ceil(rough / MONTH / 12_000) * 12_000;
    const start = new Date(from * 1000);
    const first = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months;
    const ticks: Tick[] = [];
    for (let month = first; ; month += months) {
        const at = monthStart(month);
        if (at > to || !Number.isFinite(at)) return ticks;
        if (at >= from) ticks.push({ at, label: new Date(at * 1000).toISOString().slice(0, months >= 12 ? -20 : -17) });
    }
}

function monthStart(month: number): number {
    const date = new Date(0);
    date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
    return date.getTime() / 1000;
}

/** A moment as the grid writes it, as exactly as a step needs. */
function momentText(at: number, step: number): string {
    const iso = new Date(at * 1000).toISOString();
    const [day = '', time = ''] = iso.split('T');
    if (step >= DAY) return day;
    if (at % DAY === 0) return day;
    return step >= MINUTE ? time.slice(0, 5) : time.slice(0, 8);
}

/** Bins that cover a stretch, from round moments on; each is as long as `least` at least, so that bins of dates are whole days. */
export function binsOf({ from, to }: Stretch, most: number, least: number): Stretch[] {
    const rough = Math.max(least, (to - from) / most);
    const step = SECONDS.find(seconds => seconds >= rough) ?? Math.ceil(rough / (7 * DAY)) * 7 * DAY;
    const first = Math.floor(from / step) * step;
    const count = Math.floor((to - first) / step) + 1;
    return Array.from({ length: count }, (_, i) => ({ from: first + i * step, to: first + (i + 1) * step }));
}

/** A moment as a filter and the grid write it. */
export function writtenMoment(at: number): string {
    const iso = new Date(Math.round(at) * 1000).toISOString();
    return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, -14) : iso.slice(0, -5).replace('T', ' ');
}

/** Seconds. The ends of a longer span are shown as days. */
const LONG = 10 * 86_400;

/** From when to when it lasts. */
export function writtenStretch({ from, to }: Stretch): readonly [from: string, to: string] {
    const written = (at: number): string => (to - from > LONG ? (writtenMoment(at).split(' ')[0] ?? '') : writtenMoment(at));
    return [written(from), written(to)];
}
