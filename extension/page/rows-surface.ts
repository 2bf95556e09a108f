import type { ChartChoice } from '#extension/surfaces/chart/chart-data.ts';
import { chartSurface } from '#extension/surfaces/chart/chart-surface.ts';
import { createChartSwitch } from '#extension/surfaces/chart/chart-switch.ts';
import { rowsOfText, rowsText } from '#extension/surfaces/count-words.ts';
import { element, iconButton } from '#extension/surfaces/dom.ts';
import type { Given } from '#extension/surfaces/given.ts';
import { createCellSheet } from '#extension/surfaces/grid/cell-sheet.ts';
import { AS_THEY_COME } from '#extension/surfaces/grid/column-arrangement.ts';
import { openColumnsMenu } from '#extension/surfaces/grid/columns-menu.ts';
import { openCopyMenu } from '#extension/surfaces/grid/copy-menu.ts';
import { openExportMenu } from '#extension/surfaces/grid/export-menu.ts';
import { takeGridKeys } from '#extension/surfaces/grid/grid-keys.ts';
import { openKeySheet } from '#extension/surfaces/grid/key-sheet.ts';
import { missingQuestion } from '#extension/surfaces/grid/missing-question.ts';
import { newOutputState, type OutputState } from '#extension/surfaces/grid/output-state.ts';
import { createOutputView, type OutputView } from '#extension/surfaces/grid/output-view.ts';
import { Superseded } from '#extension/surfaces/grid/row-source.ts';
import { createRowTools } from '#extension/surfaces/grid/row-tools.ts';
import { selectedRows } from '#extension/surfaces/grid/selected-rows.ts';
import { textWidth } from '#extension/surfaces/grid/text-width.ts';
import { showWholeCell } from '#extension/surfaces/grid/whole-cell.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { Picture } from '#extension/surfaces/pictures/picture.ts';
import { createSplit } from '#extension/surfaces/split.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import type { ExportFormat } from '#server/protocol/result-formats.ts';
import type { RowFilter, RowView } from '#server/protocol/runs.ts';
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
    /** Gives the rows of the selection or an explanation to the agent; absent where nobody is there to take them. */
    ask?: (given: Given) => void;
    savePicture(picture: Picture): void;
    readonly exports: RowsExports;
}

/** Writes rows to files. */
export interface RowsExports {
    readonly formats: readonly ExportFormat[];
    write(view: RowView, format: ExportFormat): void;
    /** Tells how far it is, below the rows. */
    readonly progress?: HTMLElement;
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
    const { ask } = events;
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
        ...(ask && { ask }),
        savePicture: events.savePicture,
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
    const { formats, write, progress } = events.exports;
    const save: HTMLButtonElement = iconButton(
        icon('export'),
        l10n.t('Export'),
        () => openExportMenu(save, formats, format => write(view.view, format)),
        { 'aria-haspopup': 'menu' },
    );
    const tools = createRowTools(
        {
            searched: text => view.search(text),
            left: () => view.focus(),
            filtersSwitched: switchFilters,
            columnsAsked: button => openColumnsMenu(button, view),
            copyAsked: button => openCopyMenu(button, view),
            chartSwitched: () => chart.toggle(),
            keysAsked: () => openKeySheet(() => view.focus(), false),
        },
        iconButton(icon('explain'), l10n.t('Explain the row (E)'), () => view.explain()),
        iconButton(icon('ask'), l10n.t('Why is a row missing? (M)'), askMissingRow),
        save,
        ...(ask === undefined
            ? []
            : [
                  iconButton(icon('attach'), l10n.t('Give the selected rows to the agent'), () =>
                      ask({ about: 'rows', title: l10n.t('Rows of {0}', output.name), text: selectedRows(view) }),
                  ),
              ]),
    );
    const chart = createChartSwitch(
        () => view,
        tools,
        closed =>
            chartSurface(rows, output, view.view, choice.chart, {
                chosen(next) {
                    choice.chart = next;
                },
                closed,
                save: events.savePicture,
                show(cells) {
                    closed();
                    view.narrow(cells);
                },
                failed: reason => {
                    if (!(reason instanceof Superseded)) events.failed(reason);
                },
            }),
    );
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
        open: place => showWholeCell(sheet, view, place, { rows, outputs: [output], copied, viewAt: () => view }),
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
    takeGridKeys(view, event => {
        const isTaken = isPlain(event) && event.key.toLowerCase() === 'e';
        if (isTaken) view.explain();
        return isTaken;
    });
    surface.prepend(view.root);
    return {
        root: element('div', { class: 'rows' }, split.root, element('footer', { class: 'status' }, line, stale, progress)),
        tools: tools.root,
        key(event) {
            if (!isPlain(event)) return false;
            if (event.key === '/') tools.focusSearch();
            else if (event.key.toLowerCase() === 'f') switchFilters();
            else if (event.key.toLowerCase() === 'm') askMissingRow();
            else if (event.key.toLowerCase() === 'c') chart.toggle();
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
