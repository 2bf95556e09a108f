import { factsText } from '#extension/surfaces/count-words.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { DependencyGraph, GraphEdge, GraphNode } from '#server/protocol/graphs.ts';
import { type Box, type Layout, layoutGraph, NODE_HEIGHT } from './layout.ts';

export interface Drawing {
    readonly svg: SVGSVGElement;
    /** The elements of the nodes, by their index in the graph. */
    readonly nodes: readonly SVGGElement[];
    readonly boxes: readonly Box[];
    readonly width: number;
    readonly height: number;
    /** Makes a node and what it is joined with stand out; none where undefined. */
    emphasize(node: number | undefined): void;
}

const SVG = 'http://www.w3.org/2000/svg';
const PADDING = 12;
/** Longer names end in an ellipsis; their whole text is in the tooltip. */
const LONGEST = 40;

/** A drawing of a dependency graph. Text becomes text nodes, and everything else is geometry. */
export function drawGraph(graph: DependencyGraph, measure: (text: string) => number): Drawing {
    const labels = graph.nodes.map(labelOf);
    const layout = layoutGraph(
        graph.nodes.map(({ stratum }, i) => ({ stratum, width: Math.ceil(measure(labels[i] ?? '')) + 2 * PADDING })),
        graph.edges,
    );
    const svg = element('svg', { class: 'graph', role: 'group', 'aria-label': l10n.t('Predicates and what they need') });
    svg.append(markers(), ...bands(layout));
    const edges = graph.edges.map((edge, i) => edgeElement(edge, layout.edges[i] ?? ''));
    const nodes = graph.nodes.map((node, i) => nodeElement(node, labels[i] ?? '', layout.nodes[i]));
    svg.append(...edges, ...nodes);
    return {
        svg,
        nodes,
        boxes: layout.nodes,
        width: layout.width,
        height: layout.height,
        emphasize: chosen => {
            svg.classList.toggle('emphasized', chosen !== undefined);
            const near = new Set<number>(chosen === undefined ? [] : [chosen]);
            graph.edges.forEach(({ from, to }, i) => {
                const isNear = chosen !== undefined && (from === chosen || to === chosen);
                edges[i]?.classList.toggle('near', isNear);
                if (isNear) near.add(from).add(to);
            });
            for (const [i, node] of nodes.entries()) node.classList.toggle('near', near.has(i));
        },
    };
}

/** The node in a direction that is nearest to a node; arrow keys lead there. */
export function neighbour(boxes: readonly Box[], from: number, direction: 'up' | 'down' | 'left' | 'right'): number | undefined {
    const start = boxes[from];
    if (start === undefined) return undefined;
    const [x, y] = [start.x + start.width / 2, start.y];
    let nearest: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    boxes.forEach((box, i) => {
        const [across, down] = [box.x + box.width / 2 - x, box.y - y];
        const isSideways = direction === 'left' || direction === 'right';
        const along = { up: -down, down, left: -across, right: across }[direction];
        const aside = Math.abs(isSideways ? down : across);
        if (i === from || along <= 0 || (isSideways && aside > 0)) return;
        const distance = isSideways ? along : along * 4 + aside;
        if (distance < least) [least, nearest] = [distance, i];
    });
    return nearest;
}

function labelOf({ name, arity }: GraphNode): string {
    const shown = visible(name);
    return `${shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown}/${arity}`;
}

/** What a screen reader says of a node, and its tooltip. */
function description({ name, arity, stratum, recursive, input, output, facts, rules }: GraphNode): string {
    const facets = [
        ...(input ? [l10n.t('input')] : []),
        ...(output ? [l10n.t('output')] : []),
        ...(recursive ? [l10n.t('recursive')] : []),
        ...(facts === 0 ? [] : [factsText(facts)]),
        ...(rules === 0 ? [] : [rules === 1 ? l10n.t('1 rule') : l10n.t('{0} rules', rules)]),
        l10n.t('stratum {0}', stratum),
    ];
    return `${visible(name)}/${arity}: ${facets.join(', ')}`;
}

function nodeElement(node: GraphNode, label: string, box: Box | undefined): SVGGElement {
    const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: NODE_HEIGHT };
    const classes = [
        'node',
        ...(node.input ? ['input'] : []),
        ...(node.output ? ['output'] : []),
        ...(node.recursive ? ['recursive'] : []),
    ];
    const group = element('g', { class: classes.join(' '), role: 'button', tabindex: -1, 'aria-label': description(node) });
    group.append(titled(description(node)), element('rect', { class: 'frame', x, y, width, height, rx: node.input ? 0 : 5 }));
    if (node.recursive)
        group.append(element('rect', { class: 'inner', x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: node.input ? 0 : 3 }));
    if (node.input) group.append(element('path', { class: 'mark', d: `M${x + 4} ${y}V${y + height}` }));
    const text = element('text', { x: x + width / 2, y: y + height / 2 });
    text.append(label);
    group.append(text);
    return group;
}

type EdgeLook = Pick<GraphEdge, 'kind' | 'recursive' | 'forbidden'>;

/** A short edge for a legend. */
export function edgeSample(edge: EdgeLook): SVGSVGElement {
    const svg = element('svg', { class: 'sample', viewBox: '0 0 32 12', width: 32, height: 12, 'aria-hidden': 'true' });
    svg.append(edgeElement(edge, 'M1 6H31'));
    return svg;
}

function edgeElement({ kind, recursive, forbidden }: EdgeLook, path: string): SVGPathElement {
    const marker = forbidden ? `forbidden-${kind}` : recursive ? `recursive-${kind}` : kind;
    const classes = ['edge', kind, ...(recursive ? ['recursive'] : []), ...(forbidden ? ['forbidden'] : [])];
    return element('path', { class: classes.join(' '), d: path, 'marker-end': `url(#${marker})` });
}

function bands({ bands: placed, width }: Layout): SVGElement[] {
    return placed.flatMap(({ stratum, y, height }, i) => {
        const label = element('text', { class: 'band-label', x: 20, y: y + 16 });
        label.append(l10n.t('Stratum {0}', stratum));
        return [
            element('rect', { class: i % 2 === 0 ? 'band' : 'band odd', x: 8, y, width: Math.max(0, width - 16), height, rx: 4 }),
            label,
        ];
    });
}

/** Ends of edges: an arrow, an open circle for negation, a diamond for aggregation. A marker has no colour of its own edge, so each is there three times. */
function markers(): SVGDefsElement {
    const shapes = { positive: 'M1 1 9 5 1 9z', negated: 'M5 1a4 4 0 1 1 0 8 4 4 0 0 1 0-8z', aggregated: 'M0 5 5 1.5 10 5 5 8.5z' };
    const made = ['', 'recursive-', 'forbidden-'].flatMap(prefix =>
        Object.entries(shapes).map(([kind, d]) => {
            const marker = element('marker', {
                id: `${prefix}${kind}`,
                class: `end ${kind} ${prefix.replace('-', '')}`,
                viewBox: '0 0 10 10',
                refX: 9.5,
                refY: 5,
                markerWidth: 9,
                markerHeight: 9,
                markerUnits: 'userSpaceOnUse',
                orient: 'auto',
            });
            marker.append(element('path', { d }));
            return marker;
        }),
    );
    const defs = element('defs', {});
    defs.append(...made);
    return defs;
}

function titled(text: string): SVGTitleElement {
    const title = element('title', {});
    title.append(text);
    return title;
}

function element<T extends keyof SVGElementTagNameMap>(
    tag: T,
    attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[T] {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    return made;
}
