import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { DependencyGraph } from '#server/protocol/graphs.ts';
import { linkToHost } from '../link-to-host.ts';
import { type Drawing, drawGraph, edgeSample, neighbour } from './drawing.ts';
import { GRAPH } from './messages.ts';

const ZOOMS = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3] as const;
const WHOLE = ZOOMS.indexOf(1);
const DIRECTIONS = new Map([
    ['ArrowUp', 'up'],
    ['ArrowDown', 'down'],
    ['ArrowLeft', 'left'],
    ['ArrowRight', 'right'],
] as const);

const link = linkToHost(GRAPH);

const summary = element('span', { class: 'summary' });
const canvas = element('div', { class: 'canvas' });
const smaller = button(l10n.t('Zoom out'), '−', () => zoomBy(-1));
const larger = button(l10n.t('Zoom in'), '+', () => zoomBy(1));
const fitting = button(l10n.t('Fit to the view'), l10n.t('Fit'), fitToView);
document.body.append(
    element('header', { class: 'bar' }, summary, element('span', { class: 'zoom' }, smaller, larger, fitting), legend()),
    canvas,
);

let drawing: Drawing | undefined;
let version = 0;
let current = 0;
let zoom: number = WHOLE;

canvas.addEventListener('click', event => {
    const node = nodeOf(event.target);
    if (node !== undefined) reveal(node);
});
canvas.addEventListener('pointerover', event => drawing?.emphasize(nodeOf(event.target) ?? focused()));
canvas.addEventListener('focusin', event => {
    const node = nodeOf(event.target);
    if (node !== undefined) select(node);
});
canvas.addEventListener('focusout', () => drawing?.emphasize(undefined));
canvas.addEventListener('keydown', pressed);
canvas.addEventListener(
    'wheel',
    event => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        zoomBy(event.deltaY < 0 ? 1 : -1);
    },
    { passive: false },
);
link.listen(message => {
    if (message.kind === 'fail') fail(message.message);
    else show(message.graph, message.program, message.version);
});

function show(graph: DependencyGraph, program: string, shown: number): void {
    const isFirst = drawing === undefined;
    version = shown;
    summary.textContent = summaryOf(graph, program);
    if (graph.nodes.length === 0) {
        state(l10n.t('No predicates yet. They appear here as soon as the program has a fact or a rule.'));
        return;
    }
    const had = focused() !== undefined;
    drawing = drawGraph(graph, labelWidth());
    canvas.replaceChildren(drawing.svg);
    current = Math.min(current, graph.nodes.length - 1);
    select(current);
    drawing.emphasize(undefined);
    if (had) drawing.nodes[current]?.focus();
    if (isFirst) fitToView();
    else resize();
}

function fail(message: string): void {
    summary.textContent = '';
    state(message);
}

function state(text: string): void {
    drawing = undefined;
    canvas.replaceChildren(element('p', { class: 'state', role: 'status' }, text));
}

function summaryOf({ nodes, total }: DependencyGraph, program: string): string {
    const strata = new Set(nodes.map(({ stratum }) => stratum)).size;
    return `${visible(program)} · ${predicatesText(nodes.length, total)} · ${strata === 1 ? l10n.t('1 stratum') : l10n.t('{0} strata', countText(strata))}`;
}

function predicatesText(shown: number, total: number): string {
    if (shown < total) return l10n.t('{0} of {1} predicates, those nearest to the outputs', countText(shown), countText(total));
    return total === 1 ? l10n.t('1 predicate') : l10n.t('{0} predicates', countText(total));
}

function legend(): HTMLElement {
    const entries = [
        [{ kind: 'positive', recursive: false, forbidden: false }, l10n.t('derived from')],
        [{ kind: 'negated', recursive: false, forbidden: false }, l10n.t('negation')],
        [{ kind: 'aggregated', recursive: false, forbidden: false }, l10n.t('aggregation')],
        [{ kind: 'positive', recursive: true, forbidden: false }, l10n.t('recursion')],
        [{ kind: 'negated', recursive: true, forbidden: true }, l10n.t('recursion without meaning')],
    ] as const;
    return element(
        'ul',
        { class: 'legend', 'aria-label': l10n.t('Legend') },
        ...entries.map(([edge, words]) => element('li', {}, edgeSample(edge), words)),
    );
}

function button(label: string, text: string, action: () => void): HTMLButtonElement {
    const made = element('button', { type: 'button', 'aria-label': label, title: label }, text);
    made.addEventListener('click', action);
    return made;
}

function nodeOf(target: EventTarget | null): number | undefined {
    const group = target instanceof Element ? target.closest('.node') : null;
    const index = group === null ? -1 : (drawing?.nodes.indexOf(group as SVGGElement) ?? -1);
    return index < 0 ? undefined : index;
}

function focused(): number | undefined {
    return nodeOf(document.activeElement);
}

/** One node at a time can be reached with Tab; arrows lead to the others. */
function select(node: number): void {
    drawing?.nodes[current]?.setAttribute('tabindex', '-1');
    drawing?.nodes[node]?.setAttribute('tabindex', '0');
    drawing?.emphasize(node);
    current = node;
}

function reveal(node: number): void {
    select(node);
    link.send({ kind: 'reveal', version, node });
}

function pressed(event: KeyboardEvent): void {
    const node = nodeOf(event.target);
    if (node === undefined || drawing === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const direction = DIRECTIONS.get(event.key as 'ArrowUp');
    if (direction !== undefined) {
        const next = neighbour(drawing.boxes, node, direction);
        if (next !== undefined) drawing.nodes[next]?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') reveal(node);
    else if (event.key === '+') zoomBy(1);
    else if (event.key === '-') zoomBy(-1);
    else if (event.key === '0') fitToView();
    else return;
    event.preventDefault();
}

function zoomBy(steps: number): void {
    zoom = Math.max(0, Math.min(ZOOMS.length - 1, zoom + steps));
    resize();
}

/** The largest zoom, up to the natural size, at which all of the graph is in sight. */
function fitToView(): void {
    if (drawing === undefined) return;
    const room = Math.min(canvas.clientWidth / drawing.width, canvas.clientHeight / drawing.height);
    const fitted = ZOOMS.findLastIndex(factor => factor <= Math.min(1, room));
    zoom = Math.max(0, fitted);
    resize();
}

function resize(): void {
    if (drawing === undefined) return;
    const { svg, width, height } = drawing;
    const factor = ZOOMS[zoom] ?? 1;
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.setAttribute('width', String(Math.round(width * factor)));
    svg.setAttribute('height', String(Math.round(height * factor)));
    smaller.disabled = zoom === 0;
    larger.disabled = zoom === ZOOMS.length - 1;
}

function labelWidth(): (text: string) => number {
    const context = document.createElement('canvas').getContext('2d');
    const family = getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-font-family');
    return text => {
        if (context === null) return text.length * 8;
        context.font = `13px ${family.trim() || 'monospace'}`;
        return context.measureText(text).width;
    };
}
