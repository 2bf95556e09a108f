import { l10n } from '#extension/surfaces/l10n.ts';
import { chartSurface } from '../chart/chart-surface.ts';
import { createChartSwitch } from '../chart/chart-switch.ts';
import { rowsOfText, rowsText } from '../count-words.ts';
import { element, iconButton } from '../dom.ts';
import type { Given } from '../given.ts';
import { createCellSheet } from '../grid/cell-sheet.ts';
import { AS_THEY_COME } from '../grid/column-arrangement.ts';
import { openColumnsMenu } from '../grid/columns-menu.ts';
import { openCopyMenu } from '../grid/copy-menu.ts';
import { givenRows } from '../grid/given-rows.ts';
import { takeGridKeys } from '../grid/grid-keys.ts';
import { openKeySheet } from '../grid/key-sheet.ts';
import { newOutputState } from '../grid/output-state.ts';
import { createOutputView, type OutputView } from '../grid/output-view.ts';
import { Superseded } from '../grid/row-source.ts';
import { createRowTools } from '../grid/row-tools.ts';
import { selectedRows } from '../grid/selected-rows.ts';
import { textWidth } from '../grid/text-width.ts';
import { showWholeCell } from '../grid/whole-cell.ts';
import { icon } from '../icons.ts';
import { countText } from '../number-text.ts';
import type { Picture } from '../pictures/picture.ts';
import { createSplit } from '../split.ts';
import { stateSurface } from '../state-surface.ts';
import { createProfilePane, type ProfileMessage } from './profile-pane.ts';
import type { SourceMessage } from './source-messages.ts';

const ROW_HEIGHT = 22;

type Sample = Extract<SourceMessage, { readonly kind: 'rows' }>;

export interface SourceRowsEvents {
    announce(text: string): void;
    /** The rows are to be read anew. */
    again(): void;
    /** The values of a column are to be counted. */
    profile(column: string): void;
    /** Called when the user closes the profile. */
    profileClosed(): void;
    /** Hands rows to the agent: a table in Markdown; absent without an agent. */
    ask?: ((given: Given) => void) | undefined;
    savePicture(picture: Picture): void;
}

/** The first rows of a table in the grid of the extension, and the tools for them. */
export interface SourceRows {
    readonly root: HTMLElement;
    /** Takes a key that is pressed anywhere; false where it means nothing. */
    key(event: KeyboardEvent): boolean;
    /** Nothing of it is to stay in sight. */
    leave(): void;
    showProfile(message: ProfileMessage): void;
}

export function sourceRows(sample: Sample, events: SourceRowsEvents): SourceRows {
    const { name, columns, rows, more, distinct } = sample;
    const { ask } = events;
    const head = headText(name, rows.length, more);
    const source = givenRows(name, columns, rows);
    const { output } = source;
    const sheet = createCellSheet();
    const line = element('span', {});
    const surface = element('div', { class: 'surface' });
    let filterRow = false;
    const look = (): Parameters<OutputView['show']>[0] => ({ rowHeight: ROW_HEIGHT, filterRow, arranged: AS_THEY_COME });
    const copied = (text: string, description: string): void => {
        navigator.clipboard.writeText(text).then(
            () => events.announce(description),
            () => events.announce(l10n.t('The browser did not allow copying')),
        );
    };
    const failed = (reason: Error): void => {
        if (!(reason instanceof Superseded)) events.announce(reason.message);
    };
    const switchFilters = (): void => {
        filterRow = !filterRow;
        view.show(look());
        if (filterRow) view.grid.focusFilter(view.state.column);
        else view.focus();
        draw();
    };
    const pane = createProfilePane({
        again: events.profile,
        closed() {
            events.profileClosed();
            split.update();
            view.focus();
        },
    });
    const split = createSplit(surface, pane.root, undefined, () => undefined, l10n.t('Size of the profile'));
    const profile = (): void => {
        const { row, column } = view.selection.focus;
        const found = view.cellAt({ row: Math.max(0, row), column })?.column.name;
        if (found !== undefined) events.profile(found);
    };
    const openKeys = (): void => openKeySheet(() => view.focus(), false, false);
    const tools = createRowTools(
        {
            searched: text => view.search(text),
            left: () => view.focus(),
            filtersSwitched: switchFilters,
            columnsAsked: button => openColumnsMenu(button, view),
            copyAsked: button => openCopyMenu(button, view),
            chartSwitched: () => chart.toggle(),
            keysAsked: openKeys,
        },
        iconButton(icon('information'), l10n.t('Profile of the column (P)'), profile),
        ...(ask === undefined
            ? []
            : [
                  iconButton(icon('attach'), l10n.t('Give the selected rows to the agent'), () =>
                      ask({ about: 'rows', title: l10n.t('Rows of {0}', name), text: selectedRows(view) }),
                  ),
              ]),
        iconButton(icon('again'), l10n.t('Read the rows anew'), events.again),
    );
    const chart = createChartSwitch(
        () => view,
        tools,
        closed =>
            chartSurface(source, output, view.view, undefined, {
                chosen: () => undefined,
                closed,
                save: events.savePicture,
                show(cells) {
                    closed();
                    view.narrow(cells);
                },
                failed,
            }),
    );
    const draw = (): void => {
        const { matching } = view;
        line.textContent = matching === undefined || matching === rows.length ? rowsText(rows.length) : rowsOfText(matching, rows.length);
        tools.setFilters(filterRow, view.view.filters !== undefined);
        tools.setColumns(view.state.hidden.length > 0);
        surface.querySelector('.empty-rows')?.remove();
        if (matching === 0) surface.append(element('div', { class: 'empty-rows' }, emptyRows()));
    };
    const emptyRows = (): HTMLElement => {
        if (!view.narrowed) return stateSurface({ picture: 'empty', title: l10n.t('No rows'), text: l10n.t('{0} is empty.', name) });
        const clear = (): void => {
            view.clearFilters();
            tools.setSearch('');
            view.focus();
        };
        return stateSurface({ picture: 'empty', title: l10n.t('No rows match'), action: { label: l10n.t('Clear filters'), act: clear } });
    };
    const view: OutputView = createOutputView(source, output, newOutputState(output.key), textWidth(document.body), look(), {
        changed: () => draw(),
        busy: () => undefined,
        failed,
        explain: () => undefined,
        open: place => showWholeCell(sheet, view, place, { rows: source, outputs: [output], copied, viewAt: () => view }),
        profileAsked: events.profile,
        filterRowAsked() {
            filterRow = true;
            view.show(look());
            draw();
        },
        copied,
        arranged: () => undefined,
        announce: events.announce,
    });
    draw();
    takeGridKeys(view);
    surface.prepend(view.root);
    const note = distinct ? element('span', {}, l10n.t('Rows that are the same are shown once')) : undefined;
    return {
        root: element(
            'div',
            { class: 'rows' },
            element('div', { class: 'toolbar' }, element('h1', { title: head }, head), tools.root),
            split.root,
            element('footer', { class: 'status' }, line, note),
        ),
        key(event) {
            if (event.ctrlKey || event.metaKey || event.altKey) return false;
            if (event.key === '/') tools.focusSearch();
            else if (event.key.toLowerCase() === 'f') switchFilters();
            else if (event.key.toLowerCase() === 'p') profile();
            else if (event.key.toLowerCase() === 'c') chart.toggle();
            else if (event.key === '?') openKeys();
            else return false;
            return true;
        },
        showProfile(message) {
            pane.show(message);
            split.update();
            view.grid.reveal(false);
        },
        leave() {
            sheet.close();
            chart.dispose();
        },
    };
}

function headText(name: string, count: number, more: boolean): string {
    if (more) return l10n.t('First {0} rows of {1}', countText(count), name);
    return count === 1 ? l10n.t('The only row of {0}', name) : l10n.t('All {0} rows of {1}', countText(count), name);
}
