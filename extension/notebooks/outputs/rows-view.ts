import type { ChartChoice } from '#extension/surfaces/chart/chart-data.ts';
import { type ChartSurface, chartSurface } from '#extension/surfaces/chart/chart-surface.ts';
import { rowsOfText, rowsText } from '#extension/surfaces/count-words.ts';
import { element, iconButton } from '#extension/surfaces/dom.ts';
import { createCellSheet } from '#extension/surfaces/grid/cell-sheet.ts';
import { AS_THEY_COME } from '#extension/surfaces/grid/column-arrangement.ts';
import { openColumnsMenu } from '#extension/surfaces/grid/columns-menu.ts';
import { openCopyMenu } from '#extension/surfaces/grid/copy-menu.ts';
import { takeGridKeys } from '#extension/surfaces/grid/grid-keys.ts';
import { openKeySheet } from '#extension/surfaces/grid/key-sheet.ts';
import { newOutputState } from '#extension/surfaces/grid/output-state.ts';
import { createOutputView, type OutputView } from '#extension/surfaces/grid/output-view.ts';
import { Superseded } from '#extension/surfaces/grid/row-source.ts';
import { createRowTools } from '#extension/surfaces/grid/row-tools.ts';
import type { TextWidth } from '#extension/surfaces/grid/text-width.ts';
import { showWholeCell } from '#extension/surfaces/grid/whole-cell.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import { chosenChart } from './chosen-chart.ts';
import type { RowsOutput } from './messages.ts';
import type { OutputLink } from './output-link.ts';
import { outputRows } from './output-rows.ts';

const ROW_HEIGHT = 22;
const HEAD_HEIGHT = 28;
/** Room for a scroll bar below. */
const BAR = 12;
/** Rows in sight at first, and after each wish for more. */
const STEPS = [10, 25, 50] as const;
const CHART_HEIGHT = 300;

/** Rows below a cell. */
export interface RowsView {
    readonly root: HTMLElement;
    dispose(): void;
}

export function rowsView(given: RowsOutput, link: OutputLink, measure: TextWidth): RowsView {
    const { run, output } = given;
    const sheet = createCellSheet();
    const line = element('span', { class: 'muted' });
    const said = element('span', { class: 'muted', role: 'status' });
    const live = element('span', { class: 'visually-hidden', 'aria-live': 'polite' });
    const frame = element('div', { class: 'output-rows' });
    let filterRow = false;
    let step = 0;
    let isGone = false;
    let chart: ChartSurface | undefined;
    let chosen: ChartChoice | undefined;

    const rows = outputRows(given, link, () => {
        isGone = true;
        draw();
    });
    const say = (text: string): void => {
        said.textContent = text;
    };
    const failed = (reason: Error): void => {
        if (!(reason instanceof Superseded)) say(reason.message);
    };
    const copied = (text: string, description: string): void => {
        link.send({ kind: 'copy', text });
        say(description);
    };
    const look = (): Parameters<OutputView['show']>[0] => ({ rowHeight: ROW_HEIGHT, filterRow, arranged: AS_THEY_COME });
    const switchFilters = (): void => {
        filterRow = !filterRow;
        view.show(look());
        draw();
        if (filterRow) view.grid.focusFilter(view.state.column);
        else view.focus();
    };
    const switchChart = (): void => {
        if (chart === undefined) drawChart(chosen);
        else closeChart();
    };
    const drawChart = (from: ChartChoice | undefined): void => {
        const made = chartSurface(rows, output, view.view, from, {
            chosen: choice => {
                chosen = choice;
            },
            closed: closeChart,
            show(cells) {
                closeChart();
                view.narrow(cells);
            },
            failed,
        });
        chart = made;
        view.root.replaceWith(made.root);
        tools.setChart(true);
        draw();
    };
    const closeChart = (): void => {
        chart?.root.replaceWith(view.root);
        chart?.dispose();
        chart = undefined;
        tools.setChart(false);
        draw();
        view.focus();
    };
    const openAll = (): void => link.send({ kind: 'open', output: output.key });
    const openKeys = (): void => openKeySheet(() => view.focus(), false, true);
    const more = linkButton(() => {
        step++;
        draw();
    });
    const all = linkButton(openAll, l10n.t('All rows'), l10n.t("Open all rows of '{0}', to explain and draw them", output.name));
    const tools = createRowTools(
        {
            searched: text => view.search(text),
            left: () => view.focus(),
            filtersSwitched: switchFilters,
            columnsAsked: button => openColumnsMenu(button, view),
            copyAsked: button => openCopyMenu(button, view),
            chartSwitched: switchChart,
            keysAsked: openKeys,
        },
        iconButton(icon('explain'), l10n.t('Explain the row (E)'), () => view.explain()),
    );
    const view: OutputView = createOutputView(rows, output, newOutputState(output.key), measure, look(), {
        changed: () => draw(),
        busy: () => undefined,
        failed,
        explain: (of, row) => link.send({ kind: 'explain', run, view: of, row }),
        open: place => showWholeCell(sheet, view, place, { rows, outputs: [output], copied, viewAt: () => view }),
        filterRowAsked() {
            filterRow = true;
            view.show(look());
            draw();
        },
        copied,
        arranged: () => undefined,
        announce(text) {
            live.textContent = text;
        },
    });
    const draw = (): void => {
        const matching = view.matching ?? given.cells.length;
        const most = STEPS[Math.min(step, STEPS.length - 1)] ?? matching;
        const seen = Math.min(Math.max(matching, 1), most);
        const heads = filterRow ? 2 : 1;
        frame.style.height = `${chart === undefined ? HEAD_HEIGHT * heads + ROW_HEIGHT * seen + BAR : CHART_HEIGHT}px`;
        const count = view.narrowed ? rowsOfText(matching, output.rows) : rowsText(output.rows);
        line.textContent = isGone ? l10n.t('{0}, of which the first {1} are left', count, countText(given.cells.length)) : count;
        const next = STEPS[step + 1];
        more.hidden = chart !== undefined || next === undefined || matching <= most;
        more.textContent = l10n.t('{0} more rows', countText(Math.min(next ?? 0, matching) - seen));
        tools.setFilters(filterRow, view.view.filters !== undefined);
        tools.setColumns(view.state.hidden.length > 0);
    };
    takeGridKeys(view, event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return false;
        const key = event.key.toLowerCase();
        if (key === 'e') view.explain();
        else if (key === '/') tools.focusSearch();
        else if (key === 'f') switchFilters();
        else if (key === 'c') switchChart();
        else if (key === '?') openKeys();
        else return false;
        return true;
    });
    frame.append(view.root);
    draw();
    if (given.chart !== undefined) {
        const choice = chosenChart(given.chart, output.columns);
        if ('fault' in choice) say(choice.fault);
        else drawChart(choice);
    }
    const head = element(
        'div',
        { class: 'output-head' },
        element('span', { class: 'output-name' }, visible(output.name)),
        line,
        tools.root,
    );
    return {
        root: element('div', { class: 'rows-output' }, head, frame, element('div', { class: 'output-foot small' }, more, all, said, live)),
        dispose() {
            sheet.close();
            chart?.dispose();
        },
    };
}

function linkButton(act: () => void, text = '', title?: string): HTMLButtonElement {
    const made = element('button', { type: 'button', class: 'link small', title }, text);
    made.addEventListener('click', act);
    return made;
}
