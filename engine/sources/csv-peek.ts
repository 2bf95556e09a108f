import { otherDelimiter } from '#language/library/data-sources.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import { chosenColumns } from './column-plan.ts';
import { type CsvInput, openCells, readHeader } from './csv-reader.ts';

/** The columns that the first record of a CSV text shows; undefined for a text without records. */
export function peekCsv(input: Omit<CsvInput, 'predicate'>): SourceSchema | undefined {
    const record = readHeader(
        openCells(input, () => undefined),
        input,
    );
    if (record === undefined) return undefined;
    const header = input.options.useHeaders ? record : undefined;
    const chosen = chosenColumns(header, input) ?? record.map((_, at) => at);
    const columns = chosen.map(at => (header?.[at] === undefined ? {} : { name: header[at] }));
    const delimiter = otherDelimiter(record);
    return delimiter === undefined ? { columns } : { columns, delimiter };
}
