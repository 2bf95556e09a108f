import { otherDelimiter } from '#language/library/data-sources.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import { RunStopped } from '../reports/reports.ts';
import { chosenColumns } from './column-plan.ts';
import { TextSurvey } from './column-texts.ts';
import type { CsvCells } from './csv-cells.ts';
import { kindOfText } from './csv-columns.ts';
import { type CsvInput, openCells, readHeader } from './csv-reader.ts';
import { cellText } from './csv-values.ts';

/**
 * The columns that the first record of a CSV text shows; undefined for a text without records. `records` says how many more are looked
 * at for what the columns hold.
 */
export function peekCsv(whole: Omit<CsvInput, 'predicate'>, records = 0): SourceSchema | undefined {
    const input = { ...whole, isFront: true };
    const cells = openCells(input, () => undefined);
    const record = readHeader(cells, input);
    if (record === undefined) return undefined;
    const header = input.options.useHeaders ? record : undefined;
    const chosen = chosenColumns(header, input) ?? record.map((_, at) => at);
    const delimiter = otherDelimiter(record);
    if (records === 0) return { columns: chosen.map(at => nameAt(header, at)), ...(delimiter !== undefined && { delimiter }) };
    const surveys = chosen.map(at => ({ at, texts: new TextSurvey(input.options.numbers) }));
    const { nullString } = input.options;
    const note = (one: readonly string[]): void => {
        for (const { at, texts } of surveys) if (one[at] !== nullString || nullString === '') texts.note(one[at] ?? '');
    };
    let noted = 0;
    for (const further of furtherRecords(cells, input, records)) {
        note(further);
        noted++;
    }
    if (noted === records) widenIntegers(cells, surveys);
    const seemsNamed =
        header === undefined && looksLikeNames(record) && surveys.some(({ texts }) => (texts.found.seems ?? 'string') !== 'string');
    if (header === undefined) note(record);
    const columns = surveys.map(({ at, texts }) => ({ ...nameAt(header, at), examples: texts.examples, texts: texts.found }));
    return { columns, ...(delimiter !== undefined && { delimiter }), ...(seemsNamed && { seemsNamed: record }) };
}

/** Bytes behind the noted records in which fractions and large integers are looked for. */
const WIDENED = 4 * 1024 * 1024;

/** Looks on for numbers that the columns of integers do not hold, so that no model says 'int' of a column with fractions further down. */
function widenIntegers(cells: CsvCells, surveys: readonly { readonly at: number; readonly texts: TextSurvey }[]): void {
    const whole = new Map(surveys.filter(({ texts }) => texts.isWhole).map(({ at, texts }) => [at, texts]));
    let column = 0;
    let read = 0;
    try {
        while (whole.size > 0 && read < WIDENED && cells.next()) {
            read += cells.to - cells.from + 1;
            const texts = whole.get(column);
            if (texts !== undefined) texts.widen(cellText(cells.bytes, cells.from, cells.to));
            if (texts?.isWhole === false) whole.delete(column);
            column = cells.endsRecord ? 0 : column + 1;
        }
    } catch (error) {
        // The run says what is wrong with a record.
        if (!(error instanceof RunStopped)) throw error;
    }
}

function nameAt(header: readonly string[] | undefined, at: number): { readonly name?: string } {
    const name = header?.[at];
    return name === undefined ? {} : { name };
}

/** So many records as far as they can be read. */
function* furtherRecords(cells: CsvCells, input: Omit<CsvInput, 'predicate'>, records: number): Iterable<readonly string[]> {
    try {
        for (let count = 0; count < records; count++) {
            const record = readHeader(cells, input);
            if (record === undefined) return;
            yield record;
        }
    } catch (error) {
        // The run says what is wrong with a record.
        if (!(error instanceof RunStopped)) throw error;
    }
}

const NAME = /^[\p{L}_][\p{L}\p{N}_ .\-/()%#]*$/u;

/** Different words, none of which is a truth value. */
function looksLikeNames(record: readonly string[]): boolean {
    const areWords = record.every(text => NAME.test(text.trim()) && kindOfText(text.trim(), undefined) === 'string');
    return areWords && new Set(record).size === record.length;
}
