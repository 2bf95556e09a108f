/** The name that was probably meant: the candidate with the fewest edits, when these are few for the length of the name. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
    const folded = foldOf(name);
    let best: string | undefined;
    let bestDistance = mostEdits(name) + 1;
    for (const candidate of candidates) {
        if (candidate === name) continue;
        const distance = foldOf(candidate) === folded ? 0 : editDistance(name, candidate, bestDistance);
        if (distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

/** More unknown names than this in one place are not slips of the keyboard. Comparing all of them would take long. */
export const MOST_SEARCHES = 100;

/** Finds what unknown names were meant for, of the first hundred of them. */
export function nearestNames(candidates: ReadonlySet<string> | readonly string[]): (name: string) => string | undefined {
    const found = new Map<string, string | undefined>();
    return name => {
        if (!found.has(name) && found.size < MOST_SEARCHES) found.set(name, nearestName(name, candidates));
        return found.get(name);
    };
}

/** Names that differ by more are not taken for each other. */
export function mostEdits({ length }: string): number {
    return length < 2 ? 0 : Math.min(10, Math.max(1, Math.floor(length / 3)));
}

/** Names that differ only in capitals and underscores have one. */
export function foldOf(name: string): string {
    return name.toLowerCase().replaceAll('_', '');
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours that lead from one text to the other; counting stops at
 * `limit`, which is then the answer. (Optimal string alignment distance.)
 */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
    if (Math.abs(a.length - b.length) >= limit) return limit;
    const start = sharedStart(a, b);
    const { aEnd, bEnd } = differentEnds(a, b, start);
    const [rows, columns] = [aEnd - start, bEnd - start];
    let [beforePrevious, previous, current] = ROWS;
    for (let j = 0; j <= columns; j++) previous[j] = j;
    for (let i = 1; i <= rows; i++) {
        const unit = a.charCodeAt(start + i - 1);
        // What is further from the diagonal has more edits.
        const first = Math.max(1, i - limit + 1);
        const last = Math.min(columns, i + limit - 1);
        let smallest = first === 1 ? i : limit;
        current[first - 1] = smallest;
        for (let j = first; j <= last; j++) {
            const other = b.charCodeAt(start + j - 1);
            let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + (unit === other ? 0 : 1));
            const swapped = i > 1 && j > 1 && unit === b.charCodeAt(start + j - 2) && other === a.charCodeAt(start + i - 2);
            if (swapped) cost = Math.min(cost, at(beforePrevious, j - 2) + 1);
            current[j] = cost;
            smallest = Math.min(smallest, cost);
        }
        current[last + 1] = limit;
        if (smallest >= limit) return limit;
        [beforePrevious, previous, current] = [previous, current, beforePrevious];
    }
    return Math.min(limit, at(previous, columns));
}

function sharedStart(a: string, b: string): number {
    let start = 0;
    while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
    return start;
}

/** Finds the common end of two texts and returns where it begins in each, not before `start`. */
function differentEnds(a: string, b: string, start: number): { readonly aEnd: number; readonly bEnd: number } {
    let [aEnd, bEnd] = [a.length, b.length];
    while (aEnd > start && bEnd > start && a.charCodeAt(aEnd - 1) === b.charCodeAt(bEnd - 1)) {
        aEnd--;
        bEnd--;
    }
    return { aEnd, bEnd };
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
