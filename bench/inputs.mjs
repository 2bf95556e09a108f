/** Input files by workload, each a function that gives the text of its files. CSV without a header; every cell an integer. */
export const INPUTS = {
    own_rand: () => ({ 'own.csv': ownership(200_000, 51) }),
    tc_rand1m: () => ({ 'edge.csv': randomDigraph(1250, 2500, 11) }),
    tiny: () => ({}),
};

/**
 * Holdings `owner,company,percent`. Companies come in groups of 64; each has up to four owners, most of them from its
 * own group, whose shares sum to at most 100.
 */
export function ownership(companies, seed) {
    const next = random(seed);
    const lines = [];
    for (let company = 0; company < companies; company++) {
        const owners = 1 + below(next, 4);
        const group = Math.floor(company / 64) * 64;
        const used = new Set([company]);
        let left = 100;
        for (let place = 0; place < owners && left > 1; place++) {
            const owner = next() < 0.85 ? Math.min(companies - 1, group + below(next, 64)) : below(next, companies);
            if (used.has(owner)) continue;
            used.add(owner);
            const percent = place === owners - 1 ? left : 1 + below(next, left - 1);
            left -= percent;
            lines.push(`${owner},${company},${percent}\n`);
        }
    }
    return lines.join('');
}

/** Different edges `from,to` between different nodes. */
export function randomDigraph(nodes, edges, seed) {
    const next = random(seed);
    const lines = new Set();
    while (lines.size < edges) {
        const from = below(next, nodes);
        const to = below(next, nodes);
        if (from !== to) lines.add(`${from},${to}\n`);
    }
    return [...lines].join('');
}

function below(next, limit) {
    return Math.floor(next() * limit);
}

/** Mulberry32: numbers in [0, 1) from 32 bits of state. */
function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = state;
        mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}
