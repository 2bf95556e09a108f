/** A line of two texts that are compared. */
export interface DiffLine {
    readonly kind: 'same' | 'removed' | 'added';
    readonly text: string;
}

/** Lines of each text that are compared one by one; of longer ones all between their common ends is replaced. */
const MOST = 2000;

/** Computes the lines that turn the first text into the second: the shortest way (a longest common subsequence). */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
    const [left, right] = [linesOf(before), linesOf(after)];
    let start = 0;
    while (start < left.length && start < right.length && left[start] === right[start]) start++;
    let end = 0;
    while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end++;
    const same = (text: string): DiffLine => ({ kind: 'same', text });
    return [
        ...left.slice(0, start).map(same),
        ...middle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
        ...left.slice(left.length - end).map(same),
    ];
}

/** A run of lines that are shown, or how many are not. */
export type DiffPiece = { readonly lines: readonly DiffLine[] } | { readonly hidden: number };

/** Keeps the changed lines with a few lines around them; equal lines further away are only counted. */
export function diffPieces(lines: readonly DiffLine[], around: number): readonly DiffPiece[] {
    const isShown = lines.map(() => false);
    lines.forEach(({ kind }, index) => {
        if (kind !== 'same') isShown.fill(true, Math.max(0, index - around), index + around + 1);
    });
    const pieces: DiffPiece[] = [];
    for (let from = 0; from < lines.length; ) {
        let to = from;
        while (to < lines.length && isShown[to] === isShown[from]) to++;
        pieces.push(isShown[from] || to - from === 1 ? { lines: lines.slice(from, to) } : { hidden: to - from });
        from = to;
    }
    return pieces;
}

function linesOf(text: string): string[] {
    const whole = text.replace(/\r?\n$/u, '');
    return whole === '' ? [] : whole.split(/\r?\n/u);
}

function middle(left: readonly string[], right: readonly string[]): DiffLine[] {
    const removed = left.map(text => ({ kind: 'removed', text }) as const);
    const added = right.map(text => ({ kind: 'added', text }) as const);
    if (left.length === 0 || right.length === 0 || left.length > MOST || right.length > MOST) return [...removed, ...added];
    // How many lines the rests of both texts have in common.
    const width = right.length + 1;
    const common = new Uint16Array((left.length + 1) * width);
    const at = (i: number, j: number): number => common[i * width + j] ?? 0;
    for (let i = left.length - 1; i >= 0; i--)
        for (let j = right.length - 1; j >= 0; j--)
            common[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    const found: DiffLine[] = [];
    for (let i = 0, j = 0; i < left.length || j < right.length; ) {
        const [one, other] = [removed[i], added[j]];
        if (one !== undefined && other !== undefined && one.text === other.text) {
            found.push({ kind: 'same', text: one.text });
            i++;
            j++;
        } else if (one !== undefined && (other === undefined || at(i + 1, j) >= at(i, j + 1))) {
            found.push(one);
            i++;
        } else if (other !== undefined) {
            found.push(other);
            j++;
        }
    }
    return found;
}
