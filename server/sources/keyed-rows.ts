import { stop } from '#engine/reports/reports.ts';
import { nullLabels } from '#engine/results/listing.ts';
import type { OutputRows } from '#engine/sources/source.ts';
import { termText } from '#engine/values/text.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { TriedSink } from './connector.ts';

const ROWS_PER_CHECKPOINT = 1024;

/** The sink of `@update`, which refuses rows of one key with different values with RT064 (8.11). */
export function oneRowPerKey(sink: TriedSink, bind: Bind): TriedSink {
    const { keyed, place, annotation } = bind;
    if (keyed?.kind !== 'update') return sink;
    return {
        ...sink,
        write: (rows, checkpoint) => {
            const [first, second] = conflictingRows(rows, keyed.columns, checkpoint) ?? [];
            if (first === undefined || second === undefined) return sink.write(rows, checkpoint);
            const every = rows.columns.map((_, column) => column);
            const [key, one, other] = [rowText(rows, first, keyed.columns), rowText(rows, first, every), rowText(rows, second, every)];
            const remedy = say`Leave one row for each key, as an aggregate such as max does.`;
            const reason = say`cannot be updated: the key ${key} has two different rows, ${one} and ${other}`;
            return stop('RT064', { location: { place, span: annotation.span }, remedy }, sink.name, reason);
        },
    };
}

/** Finds two rows that differ in values but not in their key. A key with an unknown value is of no row of the target; all nulls are written alike. */
function conflictingRows(
    { dictionary, columns, count, at }: OutputRows,
    keys: readonly number[],
    checkpoint: () => void,
): readonly [number, number] | undefined {
    const rowOf = new Map<string, number>();
    for (let row = 0; row < count; row++) {
        if (row % ROWS_PER_CHECKPOINT === 0) checkpoint();
        const key = keys.map(column => at(row, column));
        if (key.some(id => dictionary.isNull(id))) continue;
        const text = key.join(' ');
        const before = rowOf.get(text);
        if (before === undefined) rowOf.set(text, row);
        else if (columns.some((_, column) => !isWrittenAlike(at(before, column), at(row, column)))) return [before, row];
    }
    return undefined;

    function isWrittenAlike(left: number, right: number): boolean {
        return left === right || (dictionary.isNull(left) && dictionary.isNull(right));
    }
}

function rowText({ dictionary, columns, at }: OutputRows, row: number, shown: readonly number[]): string {
    const label = nullLabels(dictionary);
    const texts = shown.flatMap(column => {
        const known = columns[column];
        return known === undefined ? [] : [termText(dictionary, at(row, column), known.type, label)];
    });
    return `(${texts.join(', ')})`;
}
