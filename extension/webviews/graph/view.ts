import { element } from '#extension/surfaces/dom.ts';
import { DIRECTIONS, graphZoom, nodeAt } from '#extension/surfaces/graph-canvas.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { neighbour } from '#extension/surfaces/layered-layout.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { pictureOf } from '#extension/surfaces/pictures/made-picture.ts';
import type { DrawnPicture } from '#extension/surfaces/pictures/picture.ts';
import { openPictureMenu, type PictureEvents } from '#extension/surfaces/pictures/picture-button.ts';
import { standaloneSvg } from '#extension/surfaces/pictures/standalone-svg.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import { DEEPEST, type DependencyGraph, type GraphNode, MOST_DRAWN } from '#server/protocol/graphs.ts';
import { linkToHost } from '../link-to-host.ts';
import { type Drawing, drawGraph, edgeSample } from './drawing.ts';
import { GRAPH, type ShownGraph, type ViewMessage } from './messages.ts';

const DEPTHS = [1, 2, 3, 4, 5, DEEPEST] as const;

const link = linkToHost(GRAPH);
const pictureEvents: PictureEvents = {
    drawn,
    save: picture => link.send({ kind: 'picture', ...picture }),
    said: text => said.replaceChildren(text),
};

const summary = element('span', { class: 'summary' });
const canvas = element('div', { class: 'canvas' });
const smaller = button(l10n.t('Zoom out'), '−', () => zoom.by(-1));
const larger = button(l10n.t('Zoom in'), '+', () => zoom.by(1));
const fitting = button(l10n.t('Fit to the view'), l10n.t('Fit'), () => zoom.fit());
const back = button(l10n.t('Back to what was shown before (Escape)'), l10n.t('Back'), () => link.send({ kind: 'back' }));
const whole = button(l10n.t('Show all predicates of the program'), l10n.t('Whole program'), () => link.send({ kind: 'whole' }));
const depth = depthChooser();
const depthLabel = element('label', { class: 'depth' }, l10n.t('Steps'), depth);
const save: HTMLButtonElement = button(l10n.t('Save as a picture'), l10n.t('Save'), () => openPictureMenu(save, pictureEvents));
save.setAttribute('aria-haspopup', 'menu');
const said = element('span', { class: 'said', role: 'status' });
const columns = button(l10n.t('Show the columns of predicates (C)'), l10n.t('Columns'), toggleColumns);
document.body.append(
    element(
        'header',
        { class: 'bar' },
        element('span', { class: 'steps' }, back, whole, depthLabel),
        summary,
        said,
        element('span', { class: 'zoom' }, columns, smaller, larger, fitting, save),
        legend(),
    ),
    canvas,
);

let graph: DependencyGraph | undefined;
let drawing: Drawing | undefined;
let version = 0;
let current = 0;
const zoom = graphZoom(
    canvas,
    () => drawing,
    ({ shrink, grow }) => {
        smaller.disabled = !shrink;
        larger.disabled = !grow;
    },
);

canvas.addEventListener('click', event => {
    const node = nodeOf(event.target);
    if (node !== undefined) open(node);
});
canvas.addEventListener('pointerover', event => drawing?.emphasize(nodeOf(event.target) ?? focused()));
canvas.addEventListener('focusin', event => {
    const node = nodeOf(event.target);
    if (node !== undefined) select(node);
});
canvas.addEventListener('focusout', () => drawing?.emphasize(undefined));
canvas.addEventListener('keydown', pressed);
document.addEventListener('keydown', pressedAnywhere);
link.listen(message => {
    if (message.kind === 'fail') fail(message.message);
    else if (message.kind === 'save') void saveDrawing();
    else show(message);
});

function show(shown: ShownGraph): void {
    const before = graph?.nodes[current];
    const beforeFocus = graph?.focus === undefined ? undefined : graph.nodes[graph.focus];
    const isFirst = drawing === undefined;
    const had = focused() !== undefined;
    graph = shown.graph;
    version = shown.version;
    showControls(shown);
    summary.textContent = summaryOf(shown.graph, shown.program);
    const lack = lackOf(shown);
    if (lack !== undefined) {
        state(lack);
        return;
    }
    drawing = drawGraph(graph, labelWidth());
    save.disabled = false;
    describeForMenus(shown);
    canvas.replaceChildren(drawing.svg);
    const focus = graph.focus === undefined ? undefined : graph.nodes[graph.focus];
    const isMoved = !isSame(focus, beforeFocus);
    const kept = isMoved && focus !== undefined ? undefined : graph.nodes.findIndex(node => isSame(node, before));
    current = kept !== undefined && kept >= 0 ? kept : (graph.focus ?? 0);
    select(current);
    drawing.emphasize(undefined);
    if (had) drawing.nodes[current]?.focus({ preventScroll: true });
    if (isFirst || isMoved) zoom.fit();
    else zoom.apply();
    if (graph.focus !== undefined) drawing.nodes[current]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Why there is nothing to draw. */
function lackOf({ graph: { nodes }, missing }: ShownGraph): string | undefined {
    if (missing !== undefined) return l10n.t("'{0}' is not in the program any more.", visible(missing));
    return nodes.length > 0 ? undefined : l10n.t('No predicates yet. They appear here as soon as the program has a fact or a rule.');
}

function isSame(a: GraphNode | undefined, b: GraphNode | undefined): boolean {
    return a?.name === b?.name && a?.arity === b?.arity;
}

/** Shows the possible actions: a program that is too large has no whole. */
function showControls({ graph: { focus, total }, depth: steps, columns: shown, back: canGoBack, missing }: ShownGraph): void {
    const isPart = focus !== undefined || missing !== undefined;
    back.disabled = !canGoBack;
    whole.hidden = !isPart || total > MOST_DRAWN;
    depthLabel.hidden = focus === undefined;
    depth.value = String(DEPTHS.find(known => known >= steps) ?? DEEPEST);
    columns.setAttribute('aria-pressed', String(shown));
}

/** Commands that menus offer for a predicate learn which one is meant. */
function describeForMenus({ uri, graph: { nodes } }: ShownGraph): void {
    for (const [i, { name, arity }] of nodes.entries()) {
        const context = { webviewSection: 'predicate', document: uri, predicate: name, arity, preventDefaultContextMenuItems: true };
        const drawn = drawing?.nodes[i];
        if (drawn !== undefined) drawn.dataset.vscodeContext = JSON.stringify(context);
    }
}

function fail(message: string): void {
    summary.textContent = '';
    state(message);
}

function state(text: string): void {
    drawing = undefined;
    save.disabled = true;
    canvas.replaceChildren(element('p', { class: 'state', role: 'status' }, text));
}

function summaryOf(shown: DependencyGraph, program: string): string {
    const strata = new Set(shown.nodes.map(({ stratum }) => stratum)).size;
    const parts = [visible(program), predicatesText(shown), strata === 1 ? l10n.t('1 stratum') : l10n.t('{0} strata', countText(strata))];
    const { left } = shown;
    if (left > 0) parts.push(left === 1 ? l10n.t('1 more is too many to draw') : l10n.t('{0} more are too many to draw', countText(left)));
    return parts.join(' · ');
}

function predicatesText({ nodes, focus, total }: DependencyGraph): string {
    const center = focus === undefined ? undefined : nodes[focus];
    if (center !== undefined) {
        const name = `${visible(center.name)}/${center.arity}`;
        return l10n.t('{0} of {1} predicates, around {2}', countText(nodes.length), countText(total), name);
    }
    if (nodes.length < total) return l10n.t('{0} of {1} predicates', countText(nodes.length), countText(total));
    return total === 1 ? l10n.t('1 predicate') : l10n.t('{0} predicates', countText(total));
}

function depthChooser(): HTMLSelectElement {
    const chooser = element('select', { title: l10n.t('How many dependencies the graph goes away from its predicate') });
    for (const steps of DEPTHS) chooser.append(element('option', { value: steps }, steps === DEEPEST ? l10n.t('All') : String(steps)));
    chooser.addEventListener('change', () => link.send({ kind: 'depth', depth: Number(chooser.value) }));
    return chooser;
}

function drawn(): DrawnPicture | undefined {
    if (drawing === undefined) return undefined;
    const entries = edgeKinds().map(([edge, words]) => ({ sample: edgeSample(edge), words }));
    return { name: 'graph', svg: standaloneSvg(drawing, { title: summary.textContent, legend: entries }) };
}

async function saveDrawing(): Promise<void> {
    const picture = drawn();
    if (picture !== undefined) link.send({ kind: 'picture', ...(await pictureOf(picture, 'svg')) });
}

function toggleColumns(): void {
    link.send({ kind: 'columns', shown: columns.getAttribute('aria-pressed') !== 'true' });
}

/** The kinds of edges with their meaning. */
function edgeKinds() {
    return [
        [{ kind: 'positive', recursive: false, forbidden: false }, l10n.t('derived from')],
        [{ kind: 'negated', recursive: false, forbidden: false }, l10n.t('negation')],
        [{ kind: 'aggregated', recursive: false, forbidden: false }, l10n.t('aggregation')],
        [{ kind: 'positive', recursive: true, forbidden: false }, l10n.t('recursion')],
        [{ kind: 'negated', recursive: true, forbidden: true }, l10n.t('recursion without meaning')],
    ] as const;
}

function legend(): HTMLElement {
    return element(
        'ul',
        { class: 'legend', 'aria-label': l10n.t('Legend') },
        ...edgeKinds().map(([edge, words]) => element('li', {}, edgeSample(edge), words)),
    );
}

function button(label: string, text: string, action: () => void): HTMLButtonElement {
    const made = element('button', { type: 'button', 'aria-label': label, title: label }, text);
    made.addEventListener('click', action);
    return made;
}

function nodeOf(target: EventTarget | null): number | undefined {
    return nodeAt(drawing, target);
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

function tell(kind: Extract<ViewMessage, { node: number }>['kind'], node: number): void {
    select(node);
    link.send({ kind, version, node });
}

/** Shows what a predicate is joined with; where all of that is there, leads to its definition. */
function open(node: number): void {
    tell((graph?.nodes[node]?.hidden ?? 0) > 0 ? 'expand' : 'reveal', node);
}

/** The keys of the view, wherever the focus is. */
function pressedAnywhere(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === depth) return;
    if (event.key === 'Escape') {
        if (!back.disabled) link.send({ kind: 'back' });
    } else if (event.key === 'c' || event.key === 'C') toggleColumns();
    else return;
    event.preventDefault();
}

function pressed(event: KeyboardEvent): void {
    const node = nodeOf(event.target);
    if (node === undefined || drawing === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const direction = DIRECTIONS.get(event.key as 'ArrowUp');
    if (direction !== undefined) {
        const next = neighbour(drawing.boxes, node, direction);
        if (next !== undefined) drawing.nodes[next]?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') open(node);
    else if (event.key === 'F12') tell('reveal', node);
    else if (event.key === 'f' || event.key === 'F') tell('focus', node);
    else if (event.key === '+') zoom.by(1);
    else if (event.key === '-') zoom.by(-1);
    else if (event.key === '0') zoom.fit();
    else return;
    event.preventDefault();
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
