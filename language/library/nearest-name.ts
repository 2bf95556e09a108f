/** The name that was probably meant: the candidate with the fewest edits, when these are few for the length of the name. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
    const folded = fold(name);
    const allowed = name.length < 2 ? 0 : Math.max(1, Math.floor(name.length / 3));
    let best: string | undefined;
    let bestDistance = allowed + 1;
    for (const candidate of candidates) {
        if (candidate === name) continue;
        const distance = fold(candidate) === folded ? 0 : editDistance(name, candidate, bestDistance);
        if (distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

function fold(name: string): string {
    return name.toLowerCase().replaceAll('_', '');
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours that lead from one text to the other; counting stops at
 * `limit`, which is then the answer. (Optimal string alignment distance.)
 */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
    if (Math.abs(a.length - b.length) >= limit) return limit;
    let [beforePrevious, previous, current] = ROWS;
    for (let j = 0; j <= b.length; j++) previous[j] = j;
    for (let i = 1; i <= a.length; i++) {
        const unit = a.charCodeAt(i - 1);
        current[0] = i;
        let smallest = i;
        for (let j = 1; j <= b.length; j++) {
            const other = b.charCodeAt(j - 1);
            let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + (unit === other ? 0 : 1));
            const swapped = i > 1 && j > 1 && unit === b.charCodeAt(j - 2) && other === a.charCodeAt(i - 2);
            if (swapped) cost = Math.min(cost, at(beforePrevious, j - 2) + 1);
            current[j] = cost;
            smallest = Math.min(smallest, cost);
        }
        if (smallest >= limit) return limit;
        [beforePrevious, previous, current] = [previous, current, beforePrevious];
    }
    return at(previous, b.length);
}

/** The rows of the table that is filled; thousands of names may be compared at a keystroke. */
const ROWS: readonly [number[], number[], number[]] = [[], [], []];

function at(row: readonly number[], index: number): number {
    return row[index] ?? Number.POSITIVE_INFINITY;
}

/** A name without the number at its end. */
export function withoutNumber(name: string): string {
    return name.replace(/(?<!\d)\d+$/u, '');
}
