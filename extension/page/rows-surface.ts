import type { ChartChoice } from '#extension/surfaces/chart/chart-data.ts';
import { type ChartSurface, chartSurface } from '#extension/surfaces/chart/chart-surface.ts';
import { rowsOfText, rowsText } from '#extension/surfaces/count-words.ts';
import { element, iconButton } from '#extension/surfaces/dom.ts';
import { createCellSheet } from '#extension/surfaces/grid/cell-sheet.ts';
import { cellText } from '#extension/surfaces/grid/cell-text.ts';
import { openColumnsMenu } from '#extension/surfaces/grid/columns-menu.ts';
import { openCopyMenu } from '#extension/surfaces/grid/copy-menu.ts';
import { openKeySheet } from '#extension/surfaces/grid/key-sheet.ts';
import { missingQuestion } from '#extension/surfaces/grid/missing-question.ts';
import { nullPlaces } from '#extension/surfaces/grid/null-places.ts';
import { newOutputState, type OutputState } from '#extension/surfaces/grid/output-state.ts';
import { AS_THEY_COME, createOutputView, type OutputView } from '#extension/surfaces/grid/output-view.ts';
import { Superseded } from '#extension/surfaces/grid/row-source.ts';
import { createRowTools } from '#extension/surfaces/grid/row-tools.ts';
import { textWidth } from '#extension/surfaces/grid/text-width.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { createSplit } from '#extension/surfaces/split.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import type { RowFilter } from '#server/protocol/runs.ts';
import { openMissingSheet } from './missing-sheet.ts';
import { storedExplanations } from './stored-explanations.ts';
import type { StoredRows } from './stored-rows.ts';

const ROW_HEIGHT = 22;

export interface RowsEvents {
    busy(busy: boolean): void;
    failed(reason: Error): void;
    announce(text: string): void;
    /** Opens a concept at a line, one-based, or its rows. */
    reveal(concept: string, line: number | undefined): void;
}

/** What a reader chose for the rows of a concept: it stays while the page is open. */
export interface RowsChoice {
    state: OutputState;
    filterRow: boolean;
    chart?: ChartChoice;
}

/** The rows of a concept, and the tools for them. */
export interface RowsSurface {
    readonly root: HTMLElement;
    readonly tools: HTMLElement;
    /** Takes a key that is pressed anywhere; false where it means nothing. */
    key(event: KeyboardEvent): boolean;
}

const sheet = createCellSheet();

/** The stored rows of a concept in the grid of the extension; stale ones were made by an older definition. */
export function rowsSurface(rows: StoredRows, isStale: boolean, choice: RowsChoice, events: RowsEvents): RowsSurface {
    const { output } = rows;
    const line = element('span', {});
    const stale = isStale ? element('span', { class: 'stale' }, l10n.t('The definition has changed since')) : undefined;
    const copied = (text: string, description: string): void => {
        navigator.clipboard.writeText(text).then(
            () => events.announce(description),
            () => events.announce(l10n.t('The browser did not allow copying')),
        );
    };
    const look = (): Parameters<OutputView['show']>[0] => ({ rowHeight: ROW_HEIGHT, filterRow: choice.filterRow, arranged: AS_THEY_COME });
    const surface = element('div', { class: 'surface' });
    const explanations = storedExplanations(rows, {
        reveal: events.reveal,
        announce: events.announce,
        again: () => askMissing(asked),
        closed: () => {
            split.update();
            view.focus();
        },
    });
    /** What was last said of the row that is missing. */
    let asked: readonly RowFilter[] = [];
    const showMissing = (question: string): void => {
        explanations.showMissing(question);
        split.update();
    };
    const askMissing = (known: readonly RowFilter[]): void => {
        openMissingSheet(output, known, {
            asked: values => {
                asked = values;
                showMissing(missingQuestion(output, values));
            },
            closed: () => view.focus(),
        });
    };
    const askMissingRow = (): void => askMissing(view.view.filters ?? []);
    const split = createSplit(surface, explanations.pane.root, undefined, () => undefined);
    const switchFilters = (): void => {
        choice.filterRow = !choice.filterRow;
        view.show(look());
        if (choice.filterRow) view.grid.focusFilter(view.state.column);
        else view.focus();
        draw();
    };
    const tools = createRowTools(
        {
            searched: text => view.search(text),
            left: () => view.focus(),
            filtersSwitched: switchFilters,
            columnsAsked: button => openColumnsMenu(button, view),
            copyAsked: button => openCopyMenu(button, view),
            chartSwitched: () => switchChart(),
            keysAsked: () => openKeySheet(() => view.focus(), false),
        },
        iconButton(icon('explain'), l10n.t('Explain the row (E)'), () => view.explain()),
        iconButton(icon('ask'), l10n.t('Why is a row missing? (M)'), askMissingRow),
    );
    let chart: ChartSurface | undefined;
    const switchChart = (): void => {
        tools.setChart(chart === undefined);
        if (chart !== undefined) {
            chart.root.replaceWith(view.root);
            chart.dispose();
            chart = undefined;
            view.focus();
            return;
        }
        chart = chartSurface(rows, output, view.view, choice.chart, {
            chosen(next) {
                choice.chart = next;
            },
            closed: switchChart,
            failed: reason => {
                if (!(reason instanceof Superseded)) events.failed(reason);
            },
        });
        view.root.replaceWith(chart.root);
        chart.focus();
    };
    const draw = (): void => {
        const { matching } = view;
        line.textContent = matching === undefined || matching === output.rows ? rowsText(output.rows) : rowsOfText(matching, output.rows);
        tools.setFilters(choice.filterRow, view.view.filters !== undefined);
        tools.setColumns(view.state.hidden.length > 0);
        surface.querySelector('.empty-rows')?.remove();
        if (matching === 0) surface.append(element('div', { class: 'empty-rows' }, emptyRows()));
    };
    const emptyRows = (): HTMLElement => {
        if (!view.narrowed) {
            const act = (): void => showMissing(missingQuestion(output));
            return stateSurface({
                picture: 'empty',
                title: l10n.t('No rows'),
                text: l10n.t('The last run found none.'),
                action: { label: l10n.t('Why is this empty?'), act },
            });
        }
        const clear = (): void => {
            view.clearFilters();
            tools.setSearch('');
            view.focus();
        };
        return stateSurface({
            picture: 'empty',
            title: l10n.t('No rows match'),
            action: { label: l10n.t('Clear filters'), act: clear },
            other: { label: l10n.t('Why is a row missing?'), act: askMissingRow },
        });
    };
    const view: OutputView = createOutputView(rows, output, choice.state, textWidth(document.body), look(), {
        changed() {
            choice.state = view.state;
            draw();
        },
        busy: events.busy,
        failed: reason => {
            if (!(reason instanceof Superseded)) events.failed(reason);
        },
        explain(of, row) {
            explanations.show(of, row);
            split.update();
            view.grid.reveal(false);
        },
        open(place) {
            const found = view.cellAt(place);
            if (found === undefined) return;
            sheet.show({
                ...found,
                title: l10n.t('{0}, row {1}', found.column.name, countText(place.row + 1)),
                text: view.wholeText(place),
                copy: text => copied(text, l10n.t('Text copied')),
                closed: () => view.focus(),
                places: () => nullPlaces(rows, [output], cellText(found.cell)),
                follow({ column }) {
                    sheet.close();
                    view.followNull(column, cellText(found.cell));
                },
            });
        },
        filterRowAsked() {
            choice.filterRow = true;
            view.show(look());
            draw();
        },
        copied,
        arranged: () => undefined,
        announce: events.announce,
    });
    tools.setSearch(choice.state.search);
    draw();
    view.grid.root.addEventListener('keydown', event => {
        if (event.target instanceof HTMLInputElement) {
            if (event.key !== 'Escape' && event.key !== 'Enter' && event.key !== 'ArrowDown') return;
            view.focus();
        } else if (view.key(event)) {
            // The header or the selection has taken it.
        } else if (event.key === 'Enter') view.openCell();
        else if (isPlain(event) && event.key.toLowerCase() === 'e') view.explain();
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    view.grid.root.addEventListener('copy', event => {
        if (event.target instanceof HTMLInputElement) return;
        event.preventDefault();
        void view.copy('table');
    });
    surface.prepend(view.root);
    return {
        root: element('div', { class: 'rows' }, split.root, element('footer', { class: 'status' }, line, stale)),
        tools: tools.root,
        key(event) {
            if (!isPlain(event)) return false;
            if (event.key === '/') tools.focusSearch();
            else if (event.key.toLowerCase() === 'f') switchFilters();
            else if (event.key.toLowerCase() === 'm') askMissingRow();
            else if (event.key.toLowerCase() === 'c') switchChart();
            else if (event.key === '?') openKeySheet(() => view.focus(), false);
            else return false;
            return true;
        },
    };
}

export function newRowsChoice(): RowsChoice {
    return { state: newOutputState(''), filterRow: false };
}

function isPlain({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    return !ctrlKey && !metaKey && !altKey;
}
