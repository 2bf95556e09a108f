import { l10n } from '../l10n.ts';
import { layoutGraph } from '../layered-layout.ts';
import { countText } from '../number-text.ts';
import { ACCENT, CODE_FONT, INK, MUTED, PAPER, STROKE, WHITE, WORDS_FONT } from '../pictures/paper.ts';
import type { Caption, Drawn } from '../pictures/standalone-svg.ts';
import { svgElement as element, svgMarker } from '../svg.ts';
import type { TreeItem } from './tree.ts';

interface Line {
    readonly text: string;
    readonly font: string;
    readonly size: number;
    readonly colour: string;
}

interface Node {
    readonly lines: readonly Line[];
    readonly outline: string;
}

const [PADDING, LINE_HEIGHT, LETTER] = [10, 18, 0.61];
/** Longer lines end in an ellipsis. */
const LONGEST = 72;
const MOST = 400;
const ARROW = 'rests-on';
/** A drawing whose lines and columns have changed places: what is explained stands left of what it rests on. */
const TRANSPOSED = 'matrix(0 1 1 0 0 0)';

/** Draws the open part of an explanation's tree as a graph, in which each fact stands once; undefined if nothing is open. */
export function explanationPicture(items: readonly TreeItem[]): (Drawn & Omit<Caption, 'title'>) | undefined {
    const { nodes, edges, left } = graphOf(items);
    if (nodes.length === 0) return undefined;
    const layout = layoutGraph(
        nodes.map(({ lines }) => ({
            stratum: 0,
            width: lines.length * LINE_HEIGHT + PADDING,
            height: Math.ceil(Math.max(...lines.map(({ text, size }) => [...text].length * size * LETTER))) + 2 * PADDING,
        })),
        edges,
    );
    const svg = element('svg');
    const defs = element('defs');
    defs.append(svgMarker({ id: ARROW }, { d: 'M1 1 9 5 1 9z', fill: STROKE, stroke: 'none' }));
    const paths = element('g', { transform: TRANSPOSED });
    paths.append(...layout.edges.map(edgeElement));
    svg.append(defs, paths);
    for (const [i, { lines, outline }] of nodes.entries()) {
        const { x, y, width, height } = layout.nodes[i] ?? { x: 0, y: 0, width: 0, height: 0 };
        svg.append(
            element('rect', { x: y, y: x, width: height, height: width, rx: 5, fill: WHITE, stroke: outline }),
            ...lines.map((line, at) => lineElement(line, y + PADDING, x + PADDING / 2 + (at + 0.5) * LINE_HEIGHT)),
        );
    }
    const sample = element('svg', { viewBox: '0 0 32 12', width: 32, height: 12 });
    sample.append(edgeElement('M1 6H31'));
    return {
        ...{ svg, width: layout.height, height: layout.width, legend: [{ sample, words: l10n.t('rests on') }] },
        ...(left > 0 && { note: l10n.t('{0} more are too many to draw', countText(left)) }),
    };
}

/** Builds the graph of the open items, from the explained fact to its premises. */
function graphOf(items: readonly TreeItem[]) {
    const nodes: Node[] = [];
    const edges: { from: number; to: number }[] = [];
    const known = new Map<string, number>();
    let left = 0;
    const enter = (item: TreeItem): number | undefined => {
        const before = item.about === undefined ? undefined : known.get(item.about);
        const node = { lines: item.lines.flatMap(lineOf), outline: outlineOf(item) };
        if (before !== undefined) {
            // Where it is open it says by which rule it holds.
            if (node.lines.length > (nodes[before]?.lines.length ?? 0)) nodes[before] = node;
            return before;
        }
        if (nodes.length >= MOST) {
            left++;
            return undefined;
        }
        if (item.about !== undefined) known.set(item.about, nodes.length);
        return nodes.push(node) - 1;
    };
    const visit = (item: TreeItem, parent: number | undefined): void => {
        const at = enter(item);
        if (at !== undefined && parent !== undefined && !edges.some(({ from, to }) => from === parent && to === at))
            edges.push({ from: parent, to: at });
        if (item.expanded) for (const child of item.children ?? []) visit(child, at);
    };
    for (const item of items) visit(item, undefined);
    return { nodes, edges, left };
}

function lineOf(line: HTMLElement): Line[] {
    const mark = line.querySelector('.mark');
    const sign = mark === null ? '' : mark.classList.contains('fails') ? '✗' : '✓';
    const parts = [sign, ...[...line.children].map(part => part.textContent.trim())].filter(part => part !== '');
    if (parts.length === 0) return [];
    const shown = shortened(parts).join('  ');
    if (line.classList.contains('fact-line')) return [{ text: shown, font: CODE_FONT, size: 12, colour: INK }];
    if (line.classList.contains('rule-line')) return [{ text: shown, font: CODE_FONT, size: 11, colour: MUTED }];
    return [{ text: shown, font: WORDS_FONT, size: 11, colour: MUTED }];
}

/** Parts of a line that are not too long together: the longest of them ends earlier. */
function shortened(parts: readonly string[]): string[] {
    const longest = parts.reduce((one, other) => (other.length > one.length ? other : one));
    const room = Math.max(8, LONGEST - parts.reduce((sum, { length }) => sum + length, 0) + longest.length);
    return parts.map(part => (part === longest && part.length > room ? `${part.slice(0, room)}…` : part));
}

function outlineOf({ parent, root, lines }: TreeItem): string {
    if (lines.some(line => line.querySelector('.mark.fails') !== null)) return PAPER.wrong;
    return parent === undefined || root.ariaLevel === '1' ? ACCENT : STROKE;
}

function lineElement({ text, font, size, colour }: Line, x: number, y: number): SVGTextElement {
    const made = element('text', { x, y, 'font-family': font, 'font-size': size, fill: colour, 'dominant-baseline': 'central' });
    made.append(text);
    return made;
}

function edgeElement(d: string): SVGPathElement {
    return element('path', { d, fill: 'none', stroke: STROKE, 'stroke-width': 1.5, 'marker-end': `url(#${ARROW})` });
}
