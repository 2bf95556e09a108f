import type { Cell } from '#server/protocol/runs.ts';
import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import { visible } from '../visible-text.ts';
import type { ChartBody, ChartContext } from './chart-body.ts';
import { type ChartData, chartData, type PlotChoice } from './chart-data.ts';
import { type ChartDrawing, drawChart, placeText, yTitle } from './chart-drawing.ts';
import { chartLegend, chartPicture } from './chart-picture.ts';
import { kindName } from './chart-words.ts';

type Cells = readonly (readonly Cell[])[];

/** The rows that are drawn, and how many there are. */
export interface FirstRows {
    readonly cells: Cells;
    readonly matching: number;
}

/** Points that the table beside a chart has. */
const LISTED = 500;

/** A chart with two axes. */
export function plot({ output, said, failed }: ChartContext, choice: PlotChoice, first: Promise<FirstRows>): ChartBody {
    let rows: FirstRows | undefined;
    let drawing: ChartDrawing | undefined;
    let drawn: { readonly data: ChartData; readonly note: string } | undefined;
    const canvas = element('div', { class: 'chart-canvas', role: 'img', tabindex: 0 });
    const table = element('details', { class: 'chart-table' }, element('summary', {}, l10n.t('The points as a table')));
    const draw = (): void => {
        drawing?.destroy();
        drawing = undefined;
        drawn = undefined;
        canvas.replaceChildren();
        if (rows === undefined || canvas.clientWidth < 20 || canvas.clientHeight < 20) return;
        const data = chartData(choice, output.columns, rows.cells);
        const note = saidOf(data, rows.cells.length, rows.matching);
        said(note);
        canvas.setAttribute(
            'aria-label',
            l10n.t('{0} of {1}. Arrow keys go from point to point.', kindName(data.kind), visible(output.name)),
        );
        table.replaceChildren(table.firstElementChild ?? '', tableOf(data));
        if (data.xs.length > 0) {
            drawing = drawChart(canvas, data, canvas.clientWidth, canvas.clientHeight);
            drawn = { data, note };
        } else canvas.append(element('p', { class: 'muted' }, l10n.t('There is nothing to draw: choose another column.')));
    };
    canvas.addEventListener('keydown', event => {
        const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        said(drawing?.step(step) ?? '');
    });
    const resized = new ResizeObserver(() => (drawing === undefined ? draw() : drawing.resize(canvas.clientWidth, canvas.clientHeight)));
    resized.observe(canvas);
    const themes = new MutationObserver(draw);
    themes.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    const media = window.matchMedia('(prefers-color-scheme: dark)');
    media.addEventListener('change', draw);
    first.then(found => {
        rows = found;
        draw();
    }, failed);
    return {
        parts: [canvas, table],
        picture: () => drawn && { ...chartPicture(drawn.data), legend: chartLegend(drawn.data), note: drawn.note },
        focus: () => canvas.focus(),
        dispose() {
            drawing?.destroy();
            resized.disconnect();
            themes.disconnect();
            media.removeEventListener('change', draw);
        },
    };
}

/** How much of the rows is drawn. */
function saidOf({ without, rest, weights }: ChartData, drawn: number, matching: number): string {
    const parts = [
        drawn < matching
            ? l10n.t('The first {0} of {1} rows', countText(drawn), countText(matching))
            : drawn === 1
              ? l10n.t('1 row')
              : l10n.t('{0} rows', countText(drawn)),
    ];
    if (without > 0) parts.push(l10n.t('{0} without a value', countText(without)));
    if (rest > 0) parts.push(l10n.t('{0} with rarer values left out', countText(rest)));
    if (weights.length > 0) parts.push(l10n.t('the strongest field has {0}', countText(Math.max(...weights))));
    return parts.join(' · ');
}

function tableOf(data: ChartData): HTMLElement {
    const names = [data.x.title, yTitle(data), ...(data.weights.length > 0 ? [l10n.t('rows')] : [])];
    const lines = data.xs.slice(0, LISTED).map((x, at) => {
        const weight = data.weights[at];
        const cells = [placeText(data.x, x), placeText(data.y, data.ys[at] ?? 0), ...(weight === undefined ? [] : [countText(weight)])];
        return element('tr', {}, ...cells.map(text => element('td', {}, visible(text))));
    });
    const head = element('tr', {}, ...names.map(name => element('th', { scope: 'col' }, visible(name))));
    const more = data.xs.length > LISTED ? l10n.t('The first {0} of {1} points', LISTED, countText(data.xs.length)) : undefined;
    return element(
        'div',
        { class: 'chart-points', tabindex: 0 },
        ...(more === undefined ? [] : [element('p', { class: 'muted' }, more)]),
        element('table', {}, element('thead', {}, head), element('tbody', {}, ...lines)),
    );
}
