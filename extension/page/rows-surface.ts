import { element } from '#extension/webviews/dom.ts';
import { counted, countText } from '#extension/webviews/number-text.ts';
import { createCellPopover } from '#extension/webviews/results/cell-popover.ts';
import { createOutputView, type OutputView } from '#extension/webviews/results/output-view.ts';
import type { RowSource } from '#extension/webviews/results/row-source.ts';
import { stateSurface } from '#extension/webviews/results/states.ts';
import { textWidth } from '#extension/webviews/results/text-width.ts';
import { newOutputState } from '#extension/webviews/results/view-state.ts';
import type { OutputSummary } from '#server/protocol/runs.ts';

const ROW_HEIGHT = 22;

export interface RowsEvents {
    busy(busy: boolean): void;
    failed(reason: Error): void;
    announce(text: string): void;
}

const popover = createCellPopover();

/** The stored rows of a concept in the grid of the extension; stale ones were made by an older definition. */
export function rowsSurface(source: RowSource, output: OutputSummary, isStale: boolean, events: RowsEvents): HTMLElement {
    const line = element('span', {}, counted(output.rows, 'row'));
    const stale = isStale ? element('span', { class: 'stale' }, 'The definition has changed since') : undefined;
    const copied = (text: string, description: string): void => {
        navigator.clipboard.writeText(text).then(
            () => events.announce(description),
            () => events.announce('The browser did not allow copying'),
        );
    };
    const view: OutputView = createOutputView(
        source,
        output,
        newOutputState(output.key),
        textWidth(document.body),
        { rowHeight: ROW_HEIGHT, filterRow: false, widths: new Map() },
        {
            changed() {
                if (view.matching !== undefined) line.textContent = counted(view.matching, 'row');
            },
            busy: events.busy,
            failed: events.failed,
            explain: () => undefined,
            open(place) {
                const anchor = view.grid.focusedCell();
                const column = view.output.columns[place.column]?.name ?? '';
                if (anchor === undefined) return;
                const actions = { copy: (text: string) => copied(text, 'Text copied'), closed: () => view.focus() };
                popover.show(anchor, `${column}, row ${countText(place.row + 1)}`, view.wholeText(place), actions);
            },
            copied,
            widths: () => undefined,
            announce: events.announce,
        },
    );
    view.grid.root.addEventListener('keydown', event => {
        if (view.key(event)) {
            // The header or the selection has taken it.
        } else if (event.key === 'Enter') view.openCell();
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    view.grid.root.addEventListener('copy', event => {
        event.preventDefault();
        void view.copy(false);
    });
    const rows = element('div', { class: 'surface' }, view.grid.root);
    if (output.rows === 0)
        rows.append(
            element('div', { class: 'empty-rows' }, stateSurface({ picture: 'empty', title: 'No rows', text: 'The last run found none.' })),
        );
    return element('div', { class: 'rows' }, rows, element('footer', { class: 'status' }, line, stale));
}
