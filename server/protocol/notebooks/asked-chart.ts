import { isText, listOf, type Of, object } from '../shape.ts';

/** The chart that a cell asks for: its kind, and the names of its columns in the order in which that kind asks for them. */
export const isAskedChart = object({ kind: isText, columns: listOf(isText, 16) });
export type AskedChart = Of<typeof isAskedChart>;

/** A comment of a cell that asks for a chart: `% chart: bar City, People`. */
const ASKED = /^[ \t]*(?:%+|--|#)[ \t]*chart:[ \t]*(\w+)[ \t]*(.*)$/mu;

/** The chart that the text of a cell asks for, in the first such comment of it. */
export function askedChart(text: string): AskedChart | undefined {
    const [, kind, names = ''] = ASKED.exec(text) ?? [];
    if (kind === undefined) return undefined;
    const columns = names.split(',').map(name => name.trim());
    return { kind, columns: columns.filter(name => name !== '') };
}
