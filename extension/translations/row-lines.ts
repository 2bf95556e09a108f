import { visible } from '#extension/surfaces/visible-text.ts';

interface SidesOfRows {
    readonly columns: readonly string[];
    readonly equal: readonly (readonly string[])[];
    readonly ofQuery: readonly (readonly string[])[];
    readonly ofRules: readonly (readonly string[])[];
}

/** Characters that a column is as wide as at most; longer cells stand out. */
const WIDEST = 40;

/** The rows of a query and those of rules as two texts: a line each, in columns of the same width, and in the same order. */
export function rowLines({ columns, equal, ofQuery, ofRules }: SidesOfRows): readonly [string, string] {
    const all = [columns, ...equal, ...ofQuery, ...ofRules];
    const longest = (i: number): number => all.reduce((most, row) => Math.max(most, visible(row[i] ?? '').length), 1);
    const widths = columns.map((_, i) => Math.min(WIDEST, longest(i)));
    const line = (row: readonly string[]): string =>
        row
            .map((cell, i) => visible(cell).padEnd(widths[i] ?? 0))
            .join('  ')
            .trimEnd();
    const page = (rows: readonly (readonly string[])[]): string =>
        [line(columns), widths.map(width => '─'.repeat(width)).join('  '), ...rows.map(line).sort(), ''].join('\n');
    return [page([...equal, ...ofQuery]), page([...equal, ...ofRules])];
}
