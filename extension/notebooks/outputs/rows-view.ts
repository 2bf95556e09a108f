import { rowsOfText, rowsText } from '#extension/surfaces/count-words.ts';
import { element, iconButton } from '#extension/surfaces/dom.ts';
import { createCellSheet } from '#extension/surfaces/grid/cell-sheet.ts';
import { openKeySheet } from '#extension/surfaces/grid/key-sheet.ts';
import { createRowTools } from '#extension/surfaces/grid/row-tools.ts';
import type { TextWidth } from '#extension/surfaces/grid/text-width.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { createRowsPane, newRowsChoice, paneTools, ROW_HEIGHT, type RowsPane } from '#extension/surfaces/rows-pane.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import { chosenChart } from './chosen-chart.ts';
import type { RowsOutput } from './messages.ts';
import type { OutputLink } from './output-link.ts';
import { outputRows } from './output-rows.ts';

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
    const said = element('span', { class: 'muted', role: 'status' });
    const live = element('span', { class: 'visually-hidden', 'aria-live': 'polite' });
    const choice = newRowsChoice(output.key);
    let isGone = false;
    const rows = outputRows(given, link, () => {
        isGone = true;
        size.draw();
    });
    const say = (text: string): void => {
        said.textContent = text;
    };
    const openKeys = (): void => openKeySheet(() => pane.view.focus(), false, true);
    const tools = createRowTools(
        paneTools(() => pane, openKeys),
        iconButton(icon('explain'), l10n.t('Explain the row (E)'), () => pane.view.explain()),
    );
    const pane: RowsPane = createRowsPane({
        rows,
        output,
        choice,
        measure,
        tools,
        sheet,
        explain: (view, row) => link.send({ kind: 'explain', run, view, row }),
        announce(text) {
            live.textContent = text;
        },
        copied(text, description) {
            link.send({ kind: 'copy', text });
            say(description);
        },
        failed: reason => say(reason.message),
        changed: () => size.draw(),
        gridKey: event => pane.key(event),
        openKeys,
    });
    const size = sizedRows(given, pane, () => isGone);
    if (given.chart !== undefined) {
        const chosen = chosenChart(given.chart, output.columns);
        if ('fault' in chosen) say(chosen.fault);
        else {
            choice.chart = chosen;
            pane.chart.open();
        }
    }
    const openAll = (): void => link.send({ kind: 'open', output: output.key });
    const all = linkButton(openAll, l10n.t('All rows'), l10n.t("Open all rows of '{0}', to explain and draw them", output.name));
    const name = element('span', { class: 'output-name' }, visible(output.name));
    const head = element('div', { class: 'output-head' }, name, size.line, tools.root);
    const foot = element('div', { class: 'output-foot small' }, size.more, all, said, live);
    return {
        root: element('div', { class: 'rows-output' }, head, size.frame, foot),
        dispose() {
            sheet.close();
            pane.leave();
        },
    };
}

/** A frame that is as high as the rows or the chart in it, with the count of rows and a button for more of them. */
interface SizedRows {
    readonly frame: HTMLElement;
    readonly line: HTMLElement;
    readonly more: HTMLElement;
    draw(): void;
}

function sizedRows({ output, cells }: RowsOutput, { view, look, chart }: RowsPane, isGone: () => boolean): SizedRows {
    const frame = element('div', { class: 'output-rows' }, view.root);
    const line = element('span', { class: 'muted' });
    let step = 0;
    const more = linkButton(() => {
        step++;
        draw();
    });
    const draw = (): void => {
        const matching = view.matching ?? cells.length;
        const most = STEPS[Math.min(step, STEPS.length - 1)] ?? matching;
        const seen = Math.min(Math.max(matching, 1), most);
        const heads = look.filterRow ? 2 : 1;
        frame.style.height = `${chart.isOpen ? CHART_HEIGHT : HEAD_HEIGHT * heads + ROW_HEIGHT * seen + BAR}px`;
        const count = view.narrowed ? rowsOfText(matching, output.rows) : rowsText(output.rows);
        line.textContent = isGone() ? l10n.t('{0}, of which the first {1} are left', count, countText(cells.length)) : count;
        const next = STEPS[step + 1];
        more.hidden = chart.isOpen || next === undefined || matching <= most;
        more.textContent = l10n.t('{0} more rows', countText(Math.min(next ?? 0, matching) - seen));
    };
    draw();
    return { frame, line, more, draw };
}

function linkButton(act: () => void, text = '', title?: string): HTMLButtonElement {
    const made = element('button', { type: 'button', class: 'link small', title }, text);
    made.addEventListener('click', act);
    return made;
}
