import { factsText } from '#extension/surfaces/count-words.ts';
import { emphasizing, type SizedDrawing } from '#extension/surfaces/graph-canvas.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { type Box, type Layout, layoutGraph, NODE_HEIGHT } from '#extension/surfaces/layered-layout.ts';
import { svgElement as element, svgMarker, svgTitle as titled } from '#extension/surfaces/svg.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { DependencyGraph, GraphEdge, GraphNode } from '#server/protocol/graphs.ts';

export interface Drawing extends SizedDrawing {
    readonly boxes: readonly Box[];
    /** Makes a node and what it is joined with stand out; none where undefined. */
    emphasize(node: number | undefined): void;
}

const PADDING = 12;
/** Longer names end in an ellipsis; their whole text is in the tooltip. */
const LONGEST = 40;
const LONGEST_COLUMN = 28;
/** Of the names of columns, which are written smaller, and of the line between them and the name. */
const COLUMN_HEIGHT = 18;
const COLUMN_SCALE = 12 / 13;
const COLUMNS_PADDING = 6;

/** A drawing of a dependency graph. Text becomes text nodes, and everything else is geometry. */
export function drawGraph(graph: DependencyGraph, measure: (text: string) => number): Drawing {
    const labels = graph.nodes.map(labelOf);
    const columns = graph.nodes.map(columnLines);
    const layout = layoutGraph(
        graph.nodes.map(({ stratum }, i) => {
            const lines = columns[i] ?? [];
            const widths = lines.map(({ name, type }) => measure(`${name} ${type}`) * COLUMN_SCALE);
            const width = Math.ceil(Math.max(measure(labels[i] ?? ''), ...widths)) + 2 * PADDING;
            const height = lines.length === 0 ? NODE_HEIGHT : NODE_HEIGHT + lines.length * COLUMN_HEIGHT + COLUMNS_PADDING;
            return { stratum, width, height };
        }),
        graph.edges,
    );
    const svg = element('svg', { class: 'graph', role: 'group', 'aria-label': l10n.t('Predicates and what they need') });
    svg.append(markers(), ...bands(layout));
    const edges = graph.edges.map((edge, i) => edgeElement(edge, layout.edges[i] ?? ''));
    const nodes = graph.nodes.map((node, i) =>
        nodeElement(node, { label: labels[i] ?? '', columns: columns[i] ?? [], box: layout.nodes[i], isFocus: i === graph.focus }),
    );
    svg.append(...edges, ...nodes);
    return {
        svg,
        nodes,
        boxes: layout.nodes,
        width: layout.width,
        height: layout.height,
        emphasize: emphasizing({ svg, nodes }, graph.edges, (i, isNear) => edges[i]?.classList.toggle('near', isNear)),
    };
}

function labelOf({ name, arity }: GraphNode): string {
    return `${shortened(name, LONGEST)}/${arity}`;
}

function shortened(name: string, longest: number): string {
    const shown = visible(name);
    return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

interface ColumnLine {
    readonly name: string;
    readonly type: string;
}

/** Lines for the listed columns, and the number of further ones. */
function columnLines({ arity, columns = [] }: GraphNode): readonly ColumnLine[] {
    const lines = columns.map(({ name, type }) => ({ name: shortened(name, LONGEST_COLUMN), type: shortened(type, LONGEST_COLUMN) }));
    const more = arity - lines.length;
    if (lines.length === 0 || more <= 0) return lines;
    return [...lines, { name: more === 1 ? l10n.t('1 more column') : l10n.t('{0} more columns', more), type: '' }];
}

/** The description of a node for screen readers, and its tooltip. */
function description(node: GraphNode): string {
    const { name, arity, stratum, recursive, input, output, facts, rules, hidden, columns = [] } = node;
    const facets = [
        ...(input ? [l10n.t('input')] : []),
        ...(output ? [l10n.t('output')] : []),
        ...(recursive ? [l10n.t('recursive')] : []),
        ...(facts === 0 ? [] : [factsText(facts)]),
        ...(rules === 0 ? [] : [rules === 1 ? l10n.t('1 rule') : l10n.t('{0} rules', rules)]),
        l10n.t('stratum {0}', stratum),
        ...(columns.length === 0 ? [] : [l10n.t('columns {0}', columnLines(node).map(columnText).join(', '))]),
        ...(hidden === 0 ? [] : [hidden === 1 ? l10n.t('1 neighbour to expand') : l10n.t('{0} neighbours to expand', hidden)]),
    ];
    return `${visible(name)}/${arity}: ${facets.join(', ')}`;
}

function columnText({ name, type }: ColumnLine): string {
    return type === '' ? name : `${name} ${type}`;
}

interface NodeLook {
    readonly label: string;
    readonly columns: readonly ColumnLine[];
    readonly box: Box | undefined;
    readonly isFocus: boolean;
}

function nodeElement(node: GraphNode, { label, columns, box, isFocus }: NodeLook): SVGGElement {
    const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: NODE_HEIGHT };
    const classes = [
        'node',
        ...(node.input ? ['input'] : []),
        ...(node.output ? ['output'] : []),
        ...(node.recursive ? ['recursive'] : []),
        ...(isFocus ? ['center'] : []),
    ];
    const group = element('g', {
        class: classes.join(' '),
        role: 'button',
        tabindex: -1,
        'aria-label': description(node),
        ...(isFocus && { 'aria-current': 'true' }),
    });
    group.append(titled(description(node)), element('rect', { class: 'frame', x, y, width, height, rx: node.input ? 0 : 5 }));
    if (node.recursive)
        group.append(element('rect', { class: 'inner', x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: node.input ? 0 : 3 }));
    if (node.input) group.append(element('path', { class: 'mark', d: `M${x + 4} ${y}V${y + height}` }));
    const text = element('text', { class: 'name', x: x + width / 2, y: y + NODE_HEIGHT / 2 });
    text.append(label);
    group.append(text);
    if (columns.length > 0)
        group.append(element('path', { class: 'rule', d: `M${x + PADDING} ${y + NODE_HEIGHT}H${x + width - PADDING}` }));
    group.append(...columns.map((line, i) => columnElement(line, x + PADDING, y + NODE_HEIGHT + (i + 0.5) * COLUMN_HEIGHT + 2)));
    if (node.hidden > 0) group.append(...hiddenMark(node.hidden, x + width, y));
    return group;
}

function columnElement({ name, type }: ColumnLine, x: number, y: number): SVGTextElement {
    const text = element('text', { class: 'column', x, y });
    const typed = element('tspan', { class: 'type' });
    typed.append(type);
    text.append(name, ' ', typed);
    return text;
}

/** At the upper right corner of a box: how many neighbours a click adds. */
function hiddenMark(hidden: number, right: number, top: number): SVGElement[] {
    const words = `+${hidden}`;
    const width = 8 + 7 * words.length;
    const text = element('text', { class: 'more', x: right, y: top });
    text.append(words);
    return [element('rect', { class: 'badge', x: right - width / 2, y: top - 8, width, height: 16, rx: 8 }), text];
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
        Object.entries(shapes).map(([kind, d]) =>
            svgMarker({ id: `${prefix}${kind}`, class: `end ${kind} ${prefix.replace('-', '')}` }, { d }),
        ),
    );
    const defs = element('defs', {});
    defs.append(...made);
    return defs;
}
