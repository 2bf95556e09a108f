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
    let beforePrevious: number[] = [];
    let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        const current = [i];
        let smallest = i;
        for (let j = 1; j <= b.length; j++) {
            const same = a[i - 1] === b[j - 1];
            let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1));
            if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, at(beforePrevious, j - 2) + 1);
            current.push(cost);
            smallest = Math.min(smallest, cost);
        }
        if (smallest >= limit) return limit;
        beforePrevious = previous;
        previous = current;
    }
    return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
    return row[index] ?? Number.POSITIVE_INFINITY;
}
