import { otherDelimiter } from '#language/library/data-sources.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import { RunStopped } from '../reports.ts';
import { chosenColumns } from './column-plan.ts';
import type { CsvCells } from './csv-cells.ts';
import { type CsvInput, openCells, readHeader } from './csv-reader.ts';

/** Longer texts are none that people choose from a list. */
const LONGEST_EXAMPLE = 100;

/**
 * The columns that the first record of a CSV text shows; undefined for a text without records. `records` says how many more are looked
 * at for texts that the columns hold.
 */
export function peekCsv(whole: Omit<CsvInput, 'predicate'>, records = 0): SourceSchema | undefined {
    const input = { ...whole, isFront: true };
    const cells = openCells(input, () => undefined);
    const record = readHeader(cells, input);
    if (record === undefined) return undefined;
    const header = input.options.useHeaders ? record : undefined;
    const chosen = chosenColumns(header, input) ?? record.map((_, at) => at);
    const examples = records === 0 ? [] : examplesIn(cells, input, header === undefined ? [record] : [], records);
    const columns = chosen.map(at => ({
        ...(header?.[at] !== undefined && { name: header[at] }),
        ...(records > 0 && { examples: [...(examples[at] ?? [])] }),
    }));
    const delimiter = otherDelimiter(record);
    return delimiter === undefined ? { columns } : { columns, delimiter };
}

/** The texts of each column in so many records, as far as they can be read. */
function examplesIn(cells: CsvCells, input: Omit<CsvInput, 'predicate'>, first: readonly string[][], records: number): Set<string>[] {
    const found: Set<string>[] = [];
    const note = (record: readonly string[]): void => {
        for (const [at, text] of record.entries()) {
            found[at] ??= new Set();
            if (text !== '' && text.length <= LONGEST_EXAMPLE) found[at].add(text);
        }
    };
    for (const record of first) note(record);
    try {
        for (let count = 0; count < records; count++) {
            const record = readHeader(cells, input);
            if (record === undefined) break;
            note(record);
        }
    } catch (error) {
        // The run says what is wrong with a record.
        if (!(error instanceof RunStopped)) throw error;
    }
    return found;
}
