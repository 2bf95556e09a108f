import { debounced } from '#extension/surfaces/dom.ts';
import { type ArrangedColumns, AS_THEY_COME } from '#extension/surfaces/grid/column-arrangement.ts';
import type { KeptColumns } from './messages.ts';

/** How people arranged the columns of outputs. */
export interface ColumnMemory {
    of(output: string): ArrangedColumns;
    /** Takes the columns that the host remembers. */
    learn(remembered: readonly KeptColumns[]): void;
    /** Keeps the columns of an output and has them sent when nothing has changed for a while. */
    keep(output: string, arranged: ArrangedColumns): void;
}

export function createColumnMemory(send: (columns: KeptColumns) => void): ColumnMemory {
    const kept = new Map<string, ArrangedColumns>();
    const changed = new Set<string>();
    const of = (output: string): ArrangedColumns => kept.get(output) ?? AS_THEY_COME;
    const sendChanged = debounced(400, () => {
        for (const output of changed) {
            const { widths, order, hidden, frozen } = of(output);
            const columns = [...widths].map(([name, width]) => ({ name, width }));
            send({ output, columns, order: [...order], hidden: [...hidden], frozen });
        }
        changed.clear();
    });
    return {
        of,
        learn(remembered) {
            for (const { output, columns, order = [], hidden = [], frozen = 0 } of remembered)
                kept.set(output, { widths: new Map(columns.map(({ name, width }) => [name, width])), order, hidden, frozen });
        },
        keep(output, arranged) {
            kept.set(output, arranged);
            changed.add(output);
            sendChanged();
        },
    };
}
