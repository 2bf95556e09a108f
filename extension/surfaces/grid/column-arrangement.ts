import type { OutputColumn } from '#server/protocol/runs.ts';
import { type ColumnArrangement, wholeOrder } from './column-layout.ts';
import type { OutputState } from './output-state.ts';

/** The arrangement of an output's columns, by their names, which later runs share. */
export interface ArrangedColumns {
    readonly widths: ReadonlyMap<string, number>;
    readonly order: readonly string[];
    readonly hidden: readonly string[];
    readonly frozen: number;
}

export const AS_THEY_COME: ArrangedColumns = { widths: new Map(), order: [], hidden: [], frozen: 0 };

/** How the columns of an output stand at first: as its state says, or else as is remembered of an earlier run. */
export function firstArrangement(
    columns: readonly OutputColumn[],
    state: Pick<OutputState, 'order' | 'hidden' | 'frozen'>,
    remembered: ArrangedColumns,
): ColumnArrangement {
    if (state.order !== undefined)
        return { order: wholeOrder(columns.length, state.order), hidden: new Set(state.hidden), frozen: state.frozen ?? 0 };
    const positions = (names: readonly string[]): number[] =>
        names.map(name => columns.findIndex(column => column.name === name)).filter(index => index >= 0);
    return {
        order: wholeOrder(columns.length, positions(remembered.order)),
        hidden: new Set(positions(remembered.hidden)),
        frozen: remembered.frozen,
    };
}

/** All columns, as they come. */
export function plainArrangement(columns: readonly OutputColumn[]): ColumnArrangement {
    return { order: wholeOrder(columns.length, []), hidden: new Set(), frozen: 0 };
}

export function withHidden(arrangement: ColumnArrangement, column: number, hide: boolean): ColumnArrangement {
    const hidden = new Set(arrangement.hidden);
    if (hide) hidden.add(column);
    else hidden.delete(column);
    return { ...arrangement, hidden };
}

/** Returns the arrangement to remember. It has no order if the columns stand as they come. */
export function arrangedColumns(
    columns: readonly OutputColumn[],
    { order, hidden, frozen }: ColumnArrangement,
    widths: ReadonlyMap<string, number>,
): ArrangedColumns {
    const namesOf = (indexes: Iterable<number>): string[] => [...indexes].flatMap(index => columns[index]?.name ?? []);
    const isMoved = order.some((index, place) => index !== place);
    return { widths, order: isMoved ? namesOf(order) : [], hidden: namesOf(hidden), frozen };
}
