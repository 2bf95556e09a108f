import { debounced } from '#extension/surfaces/dom.ts';
import type { ColumnWidths } from './messages.ts';

/** The widths in pixels that people gave columns, by output and the column's name. */
export interface ColumnWidthMemory {
    of(output: string): ReadonlyMap<string, number>;
    /** What the host remembers from before. */
    learn(remembered: readonly ColumnWidths[]): void;
    /** Keeps the widths of an output and has them sent when nothing has changed for a while. */
    keep(output: string, widths: ReadonlyMap<string, number>): void;
}

export function createColumnWidths(send: (widths: ColumnWidths) => void): ColumnWidthMemory {
    const widths = new Map<string, ReadonlyMap<string, number>>();
    const changed = new Set<string>();
    const sendChanged = debounced(400, () => {
        for (const output of changed) send({ output, columns: [...(widths.get(output) ?? [])].map(([name, width]) => ({ name, width })) });
        changed.clear();
    });
    return {
        of: output => widths.get(output) ?? new Map(),
        learn(remembered) {
            for (const { output, columns } of remembered) widths.set(output, new Map(columns.map(({ name, width }) => [name, width])));
        },
        keep(output, next) {
            widths.set(output, next);
            changed.add(output);
            sendChanged();
        },
    };
}
