import { rowsText } from '../count-words.ts';
import { element } from '../dom.ts';
import { AS_THEY_COME } from '../grid/column-arrangement.ts';
import { givenRows } from '../grid/given-rows.ts';
import { newOutputState } from '../grid/output-state.ts';
import { createOutputView, type OutputView } from '../grid/output-view.ts';
import { selectedRows } from '../grid/selected-rows.ts';
import { textWidth } from '../grid/text-width.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import type { ResultRows } from './result-rows.ts';

const ROW = 22;
const HEAD = 28;
/** Room for a scroll bar below. */
const BAR = 12;
const MOST_SEEN = 8;

export interface ResultGridEvents {
    announce(text: string): void;
    copy(text: string): void;
    /** Opens all rows of the concept. */
    rows(concept: string): void;
    explain(concept: string, row: number): void;
    /** Gives rows to the agent: a table in Markdown. */
    ask(title: string, text: string): void;
}

/** Rows of a call in the grid of the extension. */
export function resultGrid(given: ResultRows, events: ResultGridEvents): HTMLElement {
    const { concept, columns, rows, count, from } = given;
    if (rows.length === 0) return element('p', { class: 'muted' }, l10n.t('No rows'));
    const source = givenRows(concept ?? 'rows', columns, rows);
    const frame = element('div', { class: 'result-grid' });
    frame.style.height = `${HEAD + ROW * Math.min(rows.length, MOST_SEEN) + BAR}px`;
    let filterRow = false;
    const look = (): Parameters<OutputView['show']>[0] => ({ rowHeight: ROW, filterRow, arranged: AS_THEY_COME });
    const view: OutputView = createOutputView(source, source.output, newOutputState(source.output.key), textWidth(document.body), look(), {
        changed: () => undefined,
        busy: () => undefined,
        failed: reason => events.announce(reason.message),
        explain: (of, row) => concept !== undefined && events.explain(concept, from + source.placeOf(of, row)),
        open: () => concept !== undefined && events.rows(concept),
        filterRowAsked() {
            filterRow = true;
            frame.style.height = `${HEAD * 2 + ROW * Math.min(rows.length, MOST_SEEN) + BAR}px`;
            view.show(look());
        },
        copied(text, description) {
            events.copy(text);
            events.announce(description);
        },
        arranged: () => undefined,
        announce: events.announce,
    });
    frame.append(view.root);
    frame.addEventListener('keydown', event => {
        if (event.target instanceof HTMLInputElement) return;
        const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
        if (view.key(event)) {
            // The selection has moved.
        } else if (isPlain && event.key.toLowerCase() === 'e' && concept !== undefined) view.explain();
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    frame.addEventListener('copy', event => {
        if (event.target instanceof HTMLInputElement) return;
        event.preventDefault();
        void view.copy('table');
    });
    const line = element('span', { class: 'muted' }, shownText(rows.length, count));
    const tools = element('div', { class: 'result-tools small' }, line);
    const tool = (label: string, title: string, act: () => void): void => {
        const made = element('button', { type: 'button', class: 'link small', title }, label);
        made.addEventListener('click', act);
        tools.append(made);
    };
    if (concept !== undefined) {
        tool(l10n.t('Explain'), l10n.t('Explain the row of the selection (E)'), () => view.explain());
        tool(l10n.t('Ask'), l10n.t('Give the selected rows to the agent'), () =>
            events.ask(l10n.t('Rows of {0}', concept), selectedRows(view)),
        );
        tool(l10n.t('All rows'), l10n.t('Open the rows of {0}', concept), () => events.rows(concept));
    }
    return element('div', { class: 'result' }, frame, tools);
}

function shownText(shown: number, count: number): string {
    return shown < count ? l10n.t('{0} of {1} rows', countText(shown), countText(count)) : rowsText(count);
}
