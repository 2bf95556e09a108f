import type { OutputView } from '../grid/output-view.ts';
import type { RowTools } from '../grid/row-tools.ts';
import type { ChartSurface } from './chart-surface.ts';

/** A chart that takes the place of the rows of a view, and gives it back. */
export interface ChartSwitch {
    toggle(): void;
    dispose(): void;
}

/** `make` draws the chart of the rows that pass in the view now; `closed` is called where the user is done with it. */
export function createChartSwitch(
    view: () => OutputView,
    tools: Pick<RowTools, 'setChart'>,
    make: (closed: () => void) => ChartSurface,
): ChartSwitch {
    let chart: ChartSurface | undefined;
    const toggle = (): void => {
        tools.setChart(chart === undefined);
        if (chart !== undefined) {
            chart.root.replaceWith(view().root);
            chart.dispose();
            chart = undefined;
            view().focus();
            return;
        }
        chart = make(toggle);
        view().root.replaceWith(chart.root);
        chart.focus();
    };
    return { toggle, dispose: () => chart?.dispose() };
}
