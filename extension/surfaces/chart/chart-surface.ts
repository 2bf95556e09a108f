import type { Cell, OutputSummary, RowView } from '#server/protocol/runs.ts';
import { element, iconButton } from '../dom.ts';
import type { RowSource } from '../grid/row-source.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import { visible } from '../visible-text.ts';
import { CHART_KINDS, type ChartChoice, type ChartData, type ChartKind, chartData, firstChoice } from './chart-data.ts';
import { type ChartDrawing, drawChart, placeText, yTitle } from './chart-drawing.ts';

/** Rows that are drawn, and rows that are asked for at a time. */
const DRAWN = 10_000;
const PAGE = 1000;
/** Points that the table beside a chart has. */
const LISTED = 500;

export interface ChartEvents {
    chosen(choice: ChartChoice): void;
    closed(): void;
    failed(reason: Error): void;
}

/** A chart of the rows that pass in a view, in the place of the rows. */
export interface ChartSurface {
    readonly root: HTMLElement;
    focus(): void;
    dispose(): void;
}

export function chartSurface(
    source: RowSource,
    output: OutputSummary,
    view: RowView,
    from: ChartChoice | undefined,
    events: ChartEvents,
): ChartSurface {
    let choice = from ?? firstChoice(output.columns);
    let rows: readonly (readonly Cell[])[] | undefined;
    let matching = 0;
    let drawing: ChartDrawing | undefined;
    const kinds = select(
        l10n.t('Kind of chart'),
        CHART_KINDS.map(kind => [kind, kindName(kind)] as const),
        choice.kind,
        kind => choose({ ...choice, kind: kind as ChartKind }),
    );
    const columnItems = output.columns.map(({ name }, index) => [String(index), name] as const);
    const xs = select(l10n.t('Across'), columnItems, String(choice.x), x => choose({ ...choice, x: Number(x) }));
    const numbers = output.columns.flatMap(({ name, shape }, index) => (shape === 'number' ? [[String(index), name] as const] : []));
    const ys = select(l10n.t('Up'), [['', l10n.t('Number of rows')], ...numbers], choice.y === undefined ? '' : String(choice.y), y =>
        choose({ ...choice, y: y === '' ? undefined : Number(y) }),
    );
    const said = element('span', { class: 'muted', role: 'status' });
    const close = iconButton(icon('close'), l10n.t('Close the chart'), () => events.closed());
    const bar = element('div', { class: 'chart-bar' }, kinds.root, xs.root, ys.root, said, close);
    const canvas = element('div', { class: 'chart-canvas', role: 'img', tabindex: 0 });
    const table = element('details', { class: 'chart-table' }, element('summary', {}, l10n.t('The points as a table')));
    const root = element('div', { class: 'chart' }, bar, canvas, table);

    const choose = (next: ChartChoice): void => {
        choice = next;
        events.chosen(next);
        draw();
    };
    const draw = (): void => {
        drawing?.destroy();
        drawing = undefined;
        canvas.replaceChildren();
        ys.root.hidden = choice.kind === 'histogram';
        if (rows === undefined || canvas.clientWidth < 20 || canvas.clientHeight < 20) return;
        const data = chartData(choice, output.columns, rows);
        said.textContent = saidOf(data, rows.length, matching);
        canvas.setAttribute(
            'aria-label',
            l10n.t('{0} of {1}. Arrow keys go from point to point.', kindName(data.kind), visible(output.name)),
        );
        table.replaceChildren(table.firstElementChild ?? '', tableOf(data));
        if (data.xs.length > 0) drawing = drawChart(canvas, data, canvas.clientWidth, canvas.clientHeight);
        else canvas.append(element('p', { class: 'muted' }, l10n.t('There is nothing to draw: choose another column.')));
    };
    const load = async (): Promise<void> => {
        const found: (readonly Cell[])[] = [];
        for (let more = true; more && found.length < DRAWN; ) {
            const page = await source.page(view, found.length, Math.min(PAGE, DRAWN - found.length));
            ({ matching } = page);
            found.push(...page.cells);
            more = page.cells.length > 0 && found.length < page.matching;
        }
        rows = found;
        draw();
    };
    canvas.addEventListener('keydown', event => {
        const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        said.textContent = drawing?.step(step) ?? '';
    });
    root.addEventListener('keydown', event => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        events.closed();
    });
    const resized = new ResizeObserver(() => (drawing === undefined ? draw() : drawing.resize(canvas.clientWidth, canvas.clientHeight)));
    resized.observe(canvas);
    const themes = new MutationObserver(draw);
    themes.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    const media = window.matchMedia('(prefers-color-scheme: dark)');
    media.addEventListener('change', draw);
    load().catch((reason: unknown) => events.failed(reason instanceof Error ? reason : new Error(String(reason))));
    return {
        root,
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

function kindName(kind: ChartKind): string {
    switch (kind) {
        case 'bar':
            return l10n.t('Bar chart');
        case 'line':
            return l10n.t('Line chart');
        case 'area':
            return l10n.t('Area chart');
        case 'scatter':
            return l10n.t('Scatter plot');
        case 'histogram':
            return l10n.t('Histogram');
        case 'heat':
            return l10n.t('Heat map');
    }
}

function select(
    label: string,
    items: readonly (readonly [value: string, name: string])[],
    chosen: string,
    choose: (value: string) => void,
): { readonly root: HTMLElement } {
    const box = element(
        'select',
        {},
        ...items.map(([value, name]) => element('option', { value, selected: value === chosen }, visible(name))),
    );
    box.addEventListener('change', () => choose(box.value));
    box.addEventListener('keydown', event => event.key !== 'Escape' && event.stopPropagation());
    return { root: element('label', {}, element('span', { class: 'muted' }, label), box) };
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
