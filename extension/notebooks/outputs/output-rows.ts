import type { RowSource } from '#extension/surfaces/grid/row-source.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { ResultPage, RowView } from '#server/protocol/runs.ts';
import type { RowsOutput } from './messages.ts';
import { type OutputLink, RowsGone } from './output-link.ts';

/** The rows of an output: all of them while the run has them, and the first ones, as they came, from then on. */
export function outputRows({ run, output, cells }: RowsOutput, { ask }: OutputLink, gone: () => void): RowSource {
    const first = (matching: number): ResultPage => ({ rows: output.rows, matching, offset: 0, cells });
    return {
        async page(view, offset, limit) {
            if (isPlain(view) && cells.length === output.rows) return first(cells.length);
            try {
                return await ask('rulelang/page', { run, view, offset, limit });
            } catch (reason) {
                if (!(reason instanceof RowsGone)) throw reason;
                gone();
                if (isPlain(view)) return first(cells.length);
                throw new Error(
                    l10n.t('Only the first rows are left of this run. Run the cell again to sort, filter and draw all of them.'),
                );
            }
        },
        cell: async (view, row, column) => (await ask('rulelang/cell', { run, view, row, column })).text,
        facts: async (view, offset, limit) => (await ask('rulelang/facts', { run, view, offset, limit })).text,
    };
}

function isPlain({ sort, filters, search }: RowView): boolean {
    return sort === undefined && filters === undefined && search === undefined;
}
