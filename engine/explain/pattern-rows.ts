import type { Pause, Rows } from '../relations/rows.ts';
import type { HeadPattern } from './match-rule.ts';

/** The rows that fit a pattern, `most` at most. */
export function patternRows(
    rows: Rows | undefined,
    pattern: HeadPattern,
    pause: Pause = () => undefined,
    most = Number.POSITIVE_INFINITY,
): number[] {
    const columns = pattern.flatMap((value, column) => (value === undefined ? [] : [column]));
    const found: number[] = [];
    rows?.match(
        columns,
        columns.map(column => pattern[column]!),
        row => found.push(row) < most,
        pause,
    );
    return found;
}

export function hasRow(rows: Rows | undefined, pattern: HeadPattern, pause?: Pause): boolean {
    return patternRows(rows, pattern, pause, 1).length > 0;
}
