import type { OutputRows } from '#engine/sources/source.ts';
import { type NullLabel, textOf } from '#engine/values/text.ts';
import { isNumeric } from '#language/program/types.ts';
import { markdownRow, markdownRule } from '#server/protocol/markdown-table.ts';

/** Writes rows as a table of Markdown (GitHub's tables), numbers to the right. */
export function printMarkdown(
    { dictionary, columns, count, at }: OutputRows,
    limit: number,
    label: NullLabel,
    print: (text: string) => void,
): void {
    print(markdownRow(columns.map(({ name }) => name)) + markdownRule(columns.map(({ type }) => isNumeric(type))));
    for (let row = 0; row < Math.min(count, limit); row++)
        print(markdownRow(columns.map(({ type }, column) => textOf(dictionary, at(row, column), type, label))));
}
