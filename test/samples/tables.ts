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

/** The facts as the text of an expectation file: predicates and rows in alphabetical order. */
export function expectationText(facts: Facts): string {
    const sections = Object.entries(facts)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([predicate, rows]) => [`%! facts ${predicate}`, ...rows.map(row => `%!   ${row.map(term).join(', ')}`).sort()]);
    return `${sections.flat().join('\n')}\n`;
}

function term(value: string | number): string {
    return typeof value === 'number' || /^\d{4}-\d\d-\d\d$/u.test(value) ? String(value) : `"${value.replaceAll('"', '""')}"`;
}
