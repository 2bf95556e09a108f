import type { Listing } from '#engine/results/listing.ts';
import type { NullLabel } from '#engine/values/text.ts';
import { MIXED } from '#language/program/types.ts';
import type { RowsText } from '#server/protocol/run-process.ts';
import type { NullName } from '#server/store/ordered-value.ts';
import { type JsonStyle, valueJson } from '#server/terminal/value-json.ts';

/** Characters after which no further row is begun. */
const ENOUGH = 256 * 1024;

/** Rows from an offset on, as many as make a good piece. Nulls that no rule invented are missing values. */
export function rowsText({ dictionary, columns, count, at }: Listing, offset: number, label: NullLabel, name: NullName<string>): RowsText {
    const style: JsonStyle = {
        null: (written, isInvented) => (isInvented ? JSON.stringify(name(written)) : 'null'),
        timestamp: text => JSON.stringify(text.replace(' ', 'T')),
        largestInteger: 2n ** 53n - 1n,
        escapesNulls: false,
    };
    const rows: string[] = [];
    let row = offset;
    for (let size = 0; row < count && size < ENOUGH; row++) {
        const text = `[${columns.map(({ type }, column) => valueJson(dictionary, at(row, column), type ?? MIXED, label, style))}]`;
        size += text.length;
        rows.push(text);
    }
    return { text: rows.join(), next: row };
}
