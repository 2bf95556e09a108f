import type { OutputColumn } from '#server/protocol/runs.ts';
import { chartSurface } from '../chart/chart-surface.ts';
import { rowsOfText, rowsText } from '../count-words.ts';
import { element } from '../dom.ts';
import { createCellSheet } from '../grid/cell-sheet.ts';
import { cellText, isNull } from '../grid/cell-text.ts';
import { AS_THEY_COME } from '../grid/column-arrangement.ts';
import { takeGridKeys } from '../grid/grid-keys.ts';
import { newOutputState } from '../grid/output-state.ts';
import { createOutputView, type OutputView } from '../grid/output-view.ts';
import { Superseded } from '../grid/row-source.ts';
import { textWidth } from '../grid/text-width.ts';
import { showWholeCell } from '../grid/whole-cell.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import { stateSurface } from '../state-surface.ts';
import { visible, visibleLines } from '../visible-text.ts';
import type { DashboardHost, DashboardRows } from './dashboard-host.ts';
import type { Content, Measure } from './definition.ts';
import { type FoundNumber, numberOf } from './tile-number.ts';

/** The content of a tile. */
export interface TileContent {
    readonly root: HTMLElement;
    dispose(): void;
}

const ROW_HEIGHT = 22;
const sheet = createCellSheet();
const still = (root: HTMLElement): TileContent => ({ root, dispose: () => undefined });

/** Text with headings, each line of which is a text and nothing else. */
export function textContent(text: string): TileContent {
    const lines = visibleLines(text).split('\n');
    const parts = lines.map(line => (line.startsWith('# ') ? element('h3', {}, line.slice(2)) : element('p', {}, line)));
    return still(element('div', { class: 'tile-text' }, ...parts));
}

/** A content that this version cannot show. */
export function unknownContent(called: string): TileContent {
    const name = called === '' ? l10n.t('without a kind') : visible(called);
    const text = l10n.t('This version does not know it ({0}). It is kept as it is.', name);
    return still(stateSurface({ picture: 'ask', title: l10n.t('A part of another kind'), text }));
}

export function noRowsContent(concept: string): TileContent {
    const title = concept === '' ? l10n.t('No concept is chosen') : l10n.t('{0} has no rows yet', visible(concept));
    return still(stateSurface({ picture: 'empty', title }));
}

export function failedContent(words: string, again: (() => void) | undefined): TileContent {
    const action = again && { label: l10n.t('Try again'), act: again };
    return still(stateSurface({ picture: 'error', tone: 'error', title: l10n.t('It failed'), text: words, ...(action && { action }) }));
}

/** The rows of a concept as a grid. */
export function rowsContent(rows: DashboardRows, host: DashboardHost, failed: (reason: unknown) => void): TileContent {
    const { output } = rows;
    let filterRow = false;
    const look = (): Parameters<OutputView['show']>[0] => ({ rowHeight: ROW_HEIGHT, filterRow, arranged: AS_THEY_COME });
    const said = element('footer', { class: 'tile-said muted small' });
    const view: OutputView = createOutputView(rows, output, newOutputState(''), textWidth(document.body), look(), {
        changed() {
            const { matching } = view;
            const isWhole = matching === undefined || matching === output.rows;
            said.textContent = isWhole ? rowsText(output.rows) : rowsOfText(matching, output.rows);
        },
        busy: () => undefined,
        failed: reason => {
            if (!(reason instanceof Superseded)) failed(reason);
        },
        explain: () => host.open(output.name),
        open: place => showWholeCell(sheet, view, place, { rows, outputs: [output], copied: host.copied, viewAt: () => view }),
        filterRowAsked() {
            filterRow = true;
            view.show(look());
        },
        copied: host.copied,
        arranged: () => undefined,
        announce: host.announce,
    });
    takeGridKeys(view);
    return still(element('div', { class: 'tile-rows' }, view.root, said));
}

/** A chart of columns that are called by their names. */
export function chartContent(
    rows: DashboardRows,
    { chart, across, up, by }: Extract<Content, { kind: 'chart' }>,
    failed: (reason: unknown) => void,
): TileContent {
    const { output } = rows;
    const indexOf = (name: string): number | undefined =>
        name === '' ? undefined : output.columns.findIndex(column => column.name === name);
    const x = indexOf(across) ?? -1;
    const [y, lane] = [up, by].map(indexOf);
    const missing = x === -1 ? across : y === -1 || (chart === 'graph' && y === undefined) ? up : lane === -1 ? by : undefined;
    if (missing !== undefined) return noColumn(missing);
    const choice = { kind: chart, x, y, by: lane };
    return chartSurface(rows, output, { output: output.key }, choice, {
        chosen: () => undefined,
        closed: () => undefined,
        failed: reason => {
            if (!(reason instanceof Superseded)) failed(reason);
        },
    });
}

/** One number of a concept, large. */
export function numberContent(
    rows: DashboardRows,
    { measure, column }: Extract<Content, { kind: 'number' }>,
    failed: (reason: unknown) => void,
): TileContent {
    const index = rows.output.columns.findIndex(({ name }) => name === column);
    if (measure !== 'count' && index === -1) return noColumn(column);
    const shown = element('div', { class: 'tile-number' });
    const said = element('div', { class: 'muted small' }, captionOf(measure, column));
    numberOf(rows, measure, index).then(
        found => {
            shown.replaceChildren(...numberParts(found, rows.output.columns[index]));
            if (found.isPart) said.append(` · ${l10n.t('of the first {0} rows', countText(found.rows))}`);
        },
        reason => {
            if (!(reason instanceof Superseded)) failed(reason);
        },
    );
    return still(element('div', { class: 'tile-measure' }, shown, said));
}

function numberParts({ cell }: FoundNumber, column: OutputColumn | undefined): Node[] {
    if (cell === undefined) return [element('span', { class: 'muted' }, '—')];
    if (isNull(cell)) return [element('span', { class: 'null' }, cellText(cell))];
    const text = cellText(cell);
    return [document.createTextNode(column === undefined || column.shape === 'number' ? grouped(text) : visible(text))];
}

/** Digits of a number that is written plainly, by thousands. */
function grouped(text: string): string {
    const [, sign = '', whole, rest = ''] = /^(-?)(\d+)(\.\d+)?$/u.exec(text) ?? [];
    return whole === undefined ? visible(text) : `${sign}${whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')}${rest}`;
}

function noColumn(name: string): TileContent {
    const title = name === '' ? l10n.t('No column is chosen') : l10n.t('There is no column {0}', visible(name));
    return still(stateSurface({ picture: 'warning', tone: 'warning', title }));
}

function captionOf(measure: Measure, column: string): string {
    const name = visible(column);
    switch (measure) {
        case 'value':
            return name;
        case 'count':
            return l10n.t('rows');
        case 'sum':
            return l10n.t('sum of {0}', name);
        case 'least':
            return l10n.t('least {0}', name);
        case 'most':
            return l10n.t('greatest {0}', name);
    }
}
