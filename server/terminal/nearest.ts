/** The name that was probably meant, if one is close enough. */
export function nearest(wanted: string, names: Iterable<string>): string | undefined {
    let best: string | undefined;
    let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
    for (const name of names) {
        const distance = editDistance(wanted.toLowerCase(), name.toLowerCase());
        if (distance >= least) continue;
        least = distance;
        best = name;
    }
    return best;
}

/** Insertions, deletions, replacements and exchanges of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
    let before: number[] = [];
    let previous = Array.from({ length: to.length + 1 }, (_, i) => i);
    for (let i = 1; i <= from.length; i++) {
        const current = [i];
        for (let j = 1; j <= to.length; j++) {
            const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
            const exchanges = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
            const exchanged = i > 1 && j > 1 && exchanges ? (before[j - 2] ?? 0) + 1 : replaced;
            current.push(Math.min(replaced, exchanged, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
        }
        before = previous;
        previous = current;
    }
    return previous[to.length] ?? 0;
}
