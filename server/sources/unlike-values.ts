import { TextSurvey } from '#engine/sources/column-texts.ts';
import { kindOfText, type TextKind } from '#engine/sources/csv-columns.ts';
import type { OutputRows } from '#engine/sources/source.ts';
import { textOf } from '#engine/values/text.ts';
import type { Column, SourceSchema } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { isNumeric, printType } from '#language/program/types.ts';

/** Records of a file, and rows of an output, whose values are compared. */
export const MOST_COMPARED = 1000;

/** A column of an output, and its texts if its rows are known. */
export interface WrittenColumn extends Pick<Column, 'name' | 'type'> {
    readonly written?: { readonly seems: TextKind; readonly example: string };
}

/** The columns of rows, with the kind of their first texts. */
export function writtenColumns(rows: OutputRows): WrittenColumn[] {
    const { dictionary, columns, count } = rows;
    return columns.map(({ name, type }, at) => {
        const survey = new TextSurvey();
        for (let row = 0; row < Math.min(count, MOST_COMPARED); row++) {
            const id = rows.at(row, at);
            if (!dictionary.isNull(id)) survey.note(textOf(dictionary, id, type, String));
        }
        const { seems } = survey.found;
        const example = survey.examples.find(text => seems !== 'string' || isPlainText(text));
        return { name, type, ...(seems && example !== undefined && { written: { seems, example } }) };
    });
}

/** Returns a sign that no run has written these columns into a file without names; undefined for none. */
export function unlikeValues(
    { columns, seemsNamed }: SourceSchema,
    given: readonly WrittenColumn[],
    predicate: string,
): string | undefined {
    if (seemsNamed !== undefined) return say`its first line has names of columns: ${seemsNamed.join(', ')}`;
    for (const [at, column] of columns.entries()) {
        const own = given[at];
        if (own === undefined || !isUnlike(column, own)) continue;
        const example = column.examples?.find(text => !isNumeric(own.type) || isPlainText(text));
        const held = example === undefined ? (column.type?.kind ?? '') : `'${example}'`;
        const written = own.written === undefined ? printType(own.type) : `'${own.written.example}'`;
        return say`its column ${at + 1} has ${held} where '${predicate}' has ${written}`;
    }
    return undefined;
}

const NUMBERS: ReadonlySet<string> = new Set(['int', 'long', 'float', 'double']);
const BEYOND_DIGITS = /^[+-]?(?:Infinity|NaN)$/u;
const STARTS_WITH_DAY = /^[+-]?\d{4,}-\d\d-\d\d/u;

function isPlainText(text: string): boolean {
    return kindOfText(text.trim(), undefined) === 'string';
}

/** Rows of the output have no values of the kind that the column holds. */
function isUnlike({ type, texts, examples = [] }: SourceSchema['columns'][number], { type: given, written }: WrittenColumn): boolean {
    const kind = type?.kind ?? texts?.seems;
    if (kind === undefined || kind === 'unknown' || kind === 'mixed') return false;
    const areAll = (pattern: RegExp): boolean => kind === 'string' && examples.length > 0 && examples.every(text => pattern.test(text));
    switch (given.kind) {
        case 'int':
        case 'long':
        case 'float':
        case 'double':
            return !NUMBERS.has(kind) && !areAll(BEYOND_DIGITS);
        case 'boolean':
            return kind !== 'boolean';
        case 'date':
        case 'timestamp':
            return kind !== 'date' && kind !== 'timestamp' && !areAll(STARTS_WITH_DAY);
        default:
            return written?.seems === 'string' && kind !== 'string';
    }
}
