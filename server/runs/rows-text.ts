import type { Listing } from '#engine/results/listing.ts';
import type { NullLabel } from '#engine/values/text.ts';
import { MIXED } from '#language/program/types.ts';
import type { RowsText } from '#server/protocol/run-process.ts';
import { type JsonStyle, valueJson } from '#server/terminal/value-json.ts';

/** Characters after which no further row is begun. */
const ENOUGH = 256 * 1024;

const SERVICE: JsonStyle = {
    null: label => `"_:n${label.replace(/^\D+/u, '')}"`,
    timestamp: text => JSON.stringify(text.replace(' ', 'T')),
    escapesNulls: false,
};

/** Rows from an offset on, as many as make a good piece. */
export function rowsText({ dictionary, columns, count, at }: Listing, offset: number, label: NullLabel): RowsText {
    const rows: string[] = [];
    let row = offset;
    for (let size = 0; row < count && size < ENOUGH; row++) {
        const text = `[${columns.map(({ type }, column) => valueJson(dictionary, at(row, column), type ?? MIXED, label, SERVICE))}]`;
        size += text.length;
        rows.push(text);
    }
    return { text: rows.join(), next: row };
}
