/**
 * A seeded source of numbers (mulberry32, 32 bits of state), so that the data of the samples can be made again.
 * `next()` is in [0, 1), `next.int(n)` in [0, n), `next.of(list)` one of its items.
 */
export function seeded(seed) {
    let state = seed >>> 0;
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = state;
        mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
    next.int = limit => Math.floor(next() * limit);
    next.of = items => items[next.int(items.length)];
    return next;
}

/** CSV text with a header line; cells that hold a comma or a quote are quoted. */
export function csv(header, rows) {
    return `${[header, ...rows].map(row => row.map(cell).join(',')).join('\n')}\n`;
}

function cell(value) {
    const text = String(value);
    return /[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
