import type { Cell } from '#server/protocol/runs.ts';
import { emphasizing, type SizedDrawing } from '../graph-canvas.ts';
import { cellText } from '../grid/cell-text.ts';
import { l10n } from '../l10n.ts';
import { type Box, layoutGraph, NODE_HEIGHT } from '../layered-layout.ts';
import { countText } from '../number-text.ts';
import { svgElement as element, svgMarker, svgTitle as titled } from '../svg.ts';
import { visible } from '../visible-text.ts';
import type { GraphPart, PartEdge, PartNode } from './graph-part.ts';

export interface GraphDrawing extends SizedDrawing {
    /** The places of the nodes, by their positions in the part. */
    readonly boxes: readonly Box[];
    /** Makes a node and what it is joined with stand out. */
    emphasize(node: number | undefined): void;
    /** Puts the labels to their edges, once the drawing is in the document. */
    placeLabels(): void;
}

const PADDING = 10;
const LONGEST = 32;
const LONGEST_LABEL = 24;
/** A drawing whose lines and columns have changed places: a layout from above becomes one from the left, where names need less room. */
const TRANSPOSED = 'matrix(0 1 1 0 0 0)';

let drawings = 0;

/** A part of a graph as a drawing. Text becomes text nodes, and everything else is geometry. */
export function drawPart(part: GraphPart, startKey: string, measure: (text: string) => number): GraphDrawing {
    const names = part.nodes.map(({ cell }) => shortened(cellText(cell), LONGEST));
    const layout = layoutGraph(
        names.map(name => ({ stratum: 0, width: NODE_HEIGHT, height: Math.ceil(measure(name)) + 2 * PADDING })),
        part.edges,
    );
    const boxes = layout.nodes.map(({ x, y, width, height }): Box => ({ x: y, y: x, width: height, height: width }));
    const svg = element('svg', { class: 'node-graph', role: 'group', 'aria-label': l10n.t('Nodes and their edges') });
    const arrow = `edge-end-${++drawings}`;
    const lines = element('g', { transform: TRANSPOSED });
    const edges = part.edges.map((_, i) => element('path', { class: 'edge', d: layout.edges[i] ?? '', 'marker-end': `url(#${arrow})` }));
    lines.append(...edges);
    const labels = part.edges.map(edgeLabel);
    const nodes = part.nodes.map((node, i) => nodeElement(node, names[i] ?? '', boxes[i], node.key === startKey));
    svg.append(arrowHead(arrow), lines, ...nodes, ...labels.filter(label => label !== undefined));
    return {
        svg,
        nodes,
        boxes,
        width: layout.height,
        height: layout.width,
        emphasize: emphasizing({ svg, nodes }, part.edges, (i, isNear) => {
            edges[i]?.classList.toggle('near', isNear);
            labels[i]?.classList.toggle('near', isNear);
        }),
        placeLabels() {
            for (const [i, label] of labels.entries()) {
                const path = edges[i];
                if (label === undefined || path === undefined) continue;
                const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
                label.setAttribute('x', String(y));
                label.setAttribute('y', String(x - 5));
            }
        },
    };
}

/** The name of a node for screen readers, and its tooltip. */
function description({ cell, more }: PartNode): string {
    const name = visible(cellText(cell));
    if (more === undefined) return l10n.t('{0}: not expanded', name);
    return more === 0 ? l10n.t('{0}: expanded', name) : l10n.t('{0}: expanded, {1} more rows', name, countText(more));
}

function nodeElement(node: PartNode, name: string, box: Box | undefined, isStart: boolean): SVGGElement {
    const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: NODE_HEIGHT };
    const group = element('g', {
        class: isStart ? 'node center' : 'node',
        role: 'button',
        tabindex: -1,
        'aria-label': description(node),
        'aria-expanded': String(node.more !== undefined),
        ...(isStart && { 'aria-current': 'true' }),
    });
    const text = element('text', { x: x + width / 2, y: y + height / 2 });
    text.append(name);
    group.append(titled(visible(cellText(node.cell))), element('rect', { class: 'frame', x, y, width, height, rx: 5 }), text);
    if (node.more !== 0) group.append(...moreMark(node.more, x + width, y));
    return group;
}

/** At the upper right corner of a node: that a click adds its edges, and how many. */
function moreMark(more: number | undefined, right: number, top: number): SVGElement[] {
    const words = more === undefined ? '+' : `+${countText(more)}`;
    const width = 9 + 7 * words.length;
    const text = element('text', { class: 'more', x: right, y: top });
    text.append(words);
    return [element('rect', { class: 'badge', x: right - width / 2, y: top - 8, width, height: 16, rx: 8 }), text];
}

/** The text at an edge: the labels of its rows, or their number. */
export function labelOf({ rows }: PartEdge): string {
    const labels = [...new Set(rows.flatMap(({ label }) => label ?? []))];
    if (labels.length > 0) return visible(labels.join(', '));
    return rows.length > 1 ? `×${countText(rows.length)}` : '';
}

function edgeLabel(edge: PartEdge): SVGTextElement | undefined {
    const words = labelOf(edge);
    if (words === '') return undefined;
    const text = element('text', { class: 'edge-label' });
    text.append(shortened(words, LONGEST_LABEL));
    return text;
}

function arrowHead(id: string): SVGDefsElement {
    const defs = element('defs', {});
    defs.append(svgMarker({ id }, { class: 'end', d: 'M1 1 9 5 1 9z' }));
    return defs;
}

/** A name that is not longer than its box. */
function shortened(text: string, longest: number): string {
    const shown = visible(text);
    return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

export function nameOf(cell: Cell): string {
    return shortened(cellText(cell), LONGEST);
}
