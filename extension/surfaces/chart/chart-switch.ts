import type { RowView } from '#server/protocol/runs.ts';
import type { OutputView } from '../grid/output-view.ts';
import type { ChartSurface } from './chart-surface.ts';

/** A chart that takes the place of the rows of a view, and gives it back. */
export interface ChartSwitch {
    readonly isOpen: boolean;
    toggle(): void;
    /** Draws the chart; the focus stays where it is. */
    open(): void;
    /** Draws the rows of a view in the chart, if one is open. */
    follow(view: RowView): void;
    dispose(): void;
}

/** `make` draws the chart of the rows that pass in the view now; its argument gives the rows their place back. */
export function createChartSwitch(
    view: OutputView,
    switched: (isOpen: boolean) => void,
    make: (closed: () => void) => ChartSurface,
): ChartSwitch {
    let chart: ChartSurface | undefined;
    const open = (): ChartSurface => {
        const made = make(close);
        chart = made;
        view.root.replaceWith(made.root);
        switched(true);
        return made;
    };
    const close = (): void => {
        chart?.root.replaceWith(view.root);
        chart?.dispose();
        chart = undefined;
        switched(false);
        view.focus();
    };
    return {
        get isOpen() {
            return chart !== undefined;
        },
        toggle() {
            if (chart === undefined) open().focus();
            else close();
        },
        open,
        follow: next => chart?.follow(next),
        dispose() {
            chart?.dispose();
            chart = undefined;
        },
    };
}
