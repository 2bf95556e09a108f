import { readFileSync } from 'node:fs';

export type Row = readonly (string | number)[];

/** The facts of output predicates, by predicate; rows in any order. */
export type Facts = Readonly<Record<string, readonly Row[]>>;

/** The cells of a sample's data file, without its header. Sample data has no quoted cells. */
export function readTable(sample: string, file: string): string[][] {
    const text = readFileSync(new URL(`../../samples/${sample}/data/${file}`, import.meta.url), 'utf8');
    return text
        .trimEnd()
        .split('\n')
        .slice(1)
        .map(line => line.split(','));
}

/** Columns that hold doubles, by predicate: their integral values print with a point. */
export type DoubleColumns = Readonly<Record<string, readonly number[]>>;

/** The facts as the text of an expectation file: predicates and rows in alphabetical order. */
export function expectationText(facts: Facts, doubles: DoubleColumns = {}): string {
    const sections = Object.entries(facts)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([predicate, rows]) => {
            const terms = (row: Row): string =>
                row.map((value, column) => term(value, doubles[predicate]?.includes(column) ?? false)).join(', ');
            return [`%! facts ${predicate}`, ...rows.map(row => `%!   ${terms(row)}`).sort()];
        });
    return `${sections.flat().join('\n')}\n`;
}

function term(value: string | number, double: boolean): string {
    if (typeof value === 'number') return double && Number.isInteger(value) ? value.toFixed(1) : String(value);
    return /^\d{4}-\d\d-\d\d$/u.test(value) ? value : `"${value.replaceAll('"', '""')}"`;
}
