/** Places of the nodes, edges and strata of a graph. */
export interface Layout {
    readonly nodes: readonly Box[];
    /** The path of each edge, as SVG path data. */
    readonly edges: readonly string[];
    readonly bands: readonly Band[];
    readonly width: number;
    readonly height: number;
}

export interface Box {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}

export interface Band {
    readonly stratum: number;
    readonly y: number;
    readonly height: number;
}

export interface LayoutNode {
    readonly stratum: number;
    readonly width: number;
    /** That of a name alone where there is none. */
    readonly height?: number;
}

export interface LayoutEdge {
    readonly from: number;
    readonly to: number;
}

export const NODE_HEIGHT = 28;
const ROW_GAP = 40;
const NODE_GAP = 24;
/** Room for an edge that passes a row. */
const PASS_WIDTH = 8;
const BAND_PADDING = 28;
const BAND_GAP = 8;
const MARGIN = 16;
const SWEEPS = 12;
/** Rows that edges pass, all together; the longest of more go straight. */
const MOST_PASSES = 10_000;
/** How far a loop and an edge that goes back stand out. */
const BULGE = 28;

/** A node, or a place where an edge passes a row. */
interface Item {
    readonly width: number;
    center: number;
    readonly above: Item[];
    readonly below: Item[];
}

interface Chain {
    /** From the row below the first node to the row above the last. */
    readonly passes: readonly Item[];
}

/**
 * Rows from the inputs down, in bands by stratum, after Sugiyama, Tagawa and Toda (1981): rows by longest path, order within
 * a row by the mean place of the neighbours, then places that keep this order. The nodes come in an order in which an edge
 * leads forward unless it closes a cycle.
 */
export function layoutGraph(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Layout {
    const forward = edges.filter(({ from, to }) => from < to);
    const { rows, bands } = rowsOf(nodes, forward);
    const items = nodes.map(({ width }): Item => ({ width, center: 0, above: [], below: [] }));
    const layers: Item[][] = Array.from({ length: rows.count }, () => []);
    for (const [i, item] of items.entries()) layers[rows.of[i] ?? 0]?.push(item);
    const routed = shortest(forward, rows.of);
    const chains = new Map(forward.map(edge => [edge, routed.has(edge) ? chainOf(edge, rows.of, items, layers) : STRAIGHT]));
    const all = layers.flat();
    order(layers);
    place(layers);
    const left = all.reduce((least, { center, width }) => Math.min(least, center - width / 2), 0);
    for (const item of all) item.center += MARGIN + BAND_PADDING - left;

    const heights = Array.from({ length: rows.count }, () => NODE_HEIGHT);
    for (const [i, { height = NODE_HEIGHT }] of nodes.entries()) {
        const row = rows.of[i] ?? 0;
        heights[row] = Math.max(heights[row] ?? 0, height);
    }
    const placedBands = placeBands(bands, heights);
    const spanOf = (row: number): Span => {
        const top = placedBands.rowTops[row] ?? 0;
        return { top, bottom: top + (heights[row] ?? NODE_HEIGHT) };
    };
    const boxes = nodes.map(({ width, height = NODE_HEIGHT }, i) => ({
        x: (items[i]?.center ?? 0) - width / 2,
        y: spanOf(rows.of[i] ?? 0).top,
        width,
        height,
    }));
    const ports = portsOf(forward, boxes, chains);
    const paths = edges.map(edge => {
        const [from, to] = [boxes[edge.from], boxes[edge.to]];
        if (from === undefined || to === undefined) return '';
        const chain = chains.get(edge);
        if (chain === undefined) return backPath(from, to);
        const start = { x: ports.starts.get(edge) ?? from.x, y: from.y + from.height };
        const end = { x: ports.ends.get(edge) ?? to.x, y: to.y };
        return forwardPath(start, end, chain, rows.of[edge.from] ?? 0, spanOf);
    });
    const right = all.reduce((most, { center, width }) => Math.max(most, center + width / 2), 0);
    return {
        nodes: boxes,
        edges: paths,
        bands: placedBands.bands,
        width: right + BULGE + MARGIN + BAND_PADDING,
        height: placedBands.height + MARGIN,
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

interface Rows {
    readonly of: readonly number[];
    readonly count: number;
}

interface BandRows {
    readonly stratum: number;
    readonly first: number;
    readonly count: number;
}

/** The row of each node: below all that it needs in its stratum, and the rows of a stratum below those before it. */
function rowsOf(nodes: readonly LayoutNode[], forward: readonly LayoutEdge[]): { rows: Rows; bands: BandRows[] } {
    const within = forward.filter(({ from, to }) => nodes[from]?.stratum === nodes[to]?.stratum);
    const depth = nodes.map(() => 0);
    for (const { from, to } of [...within].sort((a, b) => a.to - b.to)) depth[to] = Math.max(depth[to] ?? 0, (depth[from] ?? 0) + 1);
    const needy = new Set(within.map(({ to }) => to));
    const nearest = new Map<number, number>();
    for (const { from, to } of within) nearest.set(from, Math.min(nearest.get(from) ?? Number.POSITIVE_INFINITY, (depth[to] ?? 1) - 1));
    // What needs nothing stands near to what needs it.
    for (const [node, row] of nearest) if (!needy.has(node)) depth[node] = row;
    const bands: BandRows[] = [];
    let first = 0;
    for (const stratum of [...new Set(nodes.map(node => node.stratum))].sort((a, b) => a - b)) {
        const count = 1 + nodes.reduce((most, node, i) => (node.stratum === stratum ? Math.max(most, depth[i] ?? 0) : most), 0);
        bands.push({ stratum, first, count });
        first += count;
    }
    const firsts = new Map(bands.map(band => [band.stratum, band.first]));
    return { rows: { of: nodes.map(({ stratum }, i) => (firsts.get(stratum) ?? 0) + (depth[i] ?? 0)), count: first }, bands };
}

const STRAIGHT: Chain = { passes: [] };

/** The edges that have a place in each row that they pass. */
function shortest(edges: readonly LayoutEdge[], rows: readonly number[]): ReadonlySet<LayoutEdge> {
    const lengthOf = ({ from, to }: LayoutEdge): number => Math.max(1, (rows[to] ?? 0) - (rows[from] ?? 0));
    const routed = new Set<LayoutEdge>();
    let passes = 0;
    for (const edge of [...edges].sort((a, b) => lengthOf(a) - lengthOf(b))) {
        passes += lengthOf(edge) - 1;
        if (passes > MOST_PASSES) break;
        routed.add(edge);
    }
    return routed;
}

/** Joins two nodes through a place in each row between them. */
function chainOf({ from, to }: LayoutEdge, rows: readonly number[], items: readonly Item[], layers: readonly Item[][]): Chain {
    const passes: Item[] = [];
    const [source, target] = [items[from], items[to]];
    if (source === undefined || target === undefined) return { passes };
    let last = source;
    const join = (next: Item): void => {
        last.below.push(next);
        next.above.push(last);
        last = next;
    };
    for (let row = (rows[from] ?? 0) + 1; row < (rows[to] ?? 0); row++) {
        const pass: Item = { width: PASS_WIDTH, center: 0, above: [], below: [] };
        layers[row]?.push(pass);
        passes.push(pass);
        join(pass);
    }
    join(target);
    return { passes };
}

function order(layers: readonly Item[][]): void {
    const places = new Map<Item, number>();
    const number = (layer: readonly Item[]): void => layer.forEach((item, i) => void places.set(item, i));
    for (const layer of layers) number(layer);
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
        const down = sweep % 2 === 0;
        for (const layer of down ? layers : [...layers].reverse()) {
            const wanted = new Map(
                layer.map((item, i) => [item, meanOf(down ? item.above : item.below, other => places.get(other) ?? 0) ?? i]),
            );
            layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
            number(layer);
        }
    }
}

/** Moves the items of each row towards their neighbours, as far as its order allows. */
function place(layers: readonly Item[][]): void {
    for (const layer of layers) settle(layer, () => 0);
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
        const down = sweep % 2 === 0;
        for (const layer of down ? layers : [...layers].reverse())
            settle(layer, item => meanOf(down ? item.above : item.below, other => other.center) ?? item.center);
    }
}

/** Between the leftmost and the rightmost places that keep what is wanted on one side: both keep distances, so their mean does. */
function settle(layer: readonly Item[], wanted: (item: Item) => number): void {
    const centers = layer.map(wanted);
    const distance = (i: number): number => ((layer[i]?.width ?? 0) + (layer[i + 1]?.width ?? 0)) / 2 + NODE_GAP;
    const pushed = [...centers];
    const pulled = [...centers];
    for (let i = 1; i < layer.length; i++) pushed[i] = Math.max(pushed[i] ?? 0, (pushed[i - 1] ?? 0) + distance(i - 1));
    for (let i = layer.length - 2; i >= 0; i--) pulled[i] = Math.min(pulled[i] ?? 0, (pulled[i + 1] ?? 0) - distance(i));
    layer.forEach((item, i) => {
        item.center = ((pushed[i] ?? 0) + (pulled[i] ?? 0)) / 2;
    });
}

function meanOf(items: readonly Item[], value: (item: Item) => number): number | undefined {
    return items.length === 0 ? undefined : items.reduce((sum, item) => sum + value(item), 0) / items.length;
}

function placeBands(bands: readonly BandRows[], heights: readonly number[]): { rowTops: number[]; bands: Band[]; height: number } {
    const rowTops: number[] = [];
    const placed: Band[] = [];
    let y = MARGIN;
    for (const { stratum, first, count } of bands) {
        let top = y + BAND_PADDING;
        for (let row = first; row < first + count; row++) {
            rowTops.push(top);
            top += (heights[row] ?? NODE_HEIGHT) + ROW_GAP;
        }
        const height = top - ROW_GAP + BAND_PADDING - y;
        placed.push({ stratum, y, height });
        y += height + BAND_GAP;
    }
    return { rowTops, bands: placed, height: y - BAND_GAP };
}

/** Computes the ends of edges at the boxes: spread over a side, in the order of their other ends. */
function portsOf(
    edges: readonly LayoutEdge[],
    boxes: readonly Box[],
    chains: ReadonlyMap<LayoutEdge, Chain>,
): { starts: Map<LayoutEdge, number>; ends: Map<LayoutEdge, number> } {
    const centerOf = (node: number): number => (boxes[node]?.x ?? 0) + (boxes[node]?.width ?? 0) / 2;
    const spread = (nodeOf: (edge: LayoutEdge) => number, towards: (edge: LayoutEdge) => number): Map<LayoutEdge, number> => {
        const byNode = new Map<number, LayoutEdge[]>();
        for (const edge of edges) byNode.set(nodeOf(edge), [...(byNode.get(nodeOf(edge)) ?? []), edge]);
        const ports = new Map<LayoutEdge, number>();
        for (const [node, own] of byNode) {
            const { x, width } = boxes[node] ?? { x: 0, width: 0 };
            own.sort((a, b) => towards(a) - towards(b));
            for (const [i, edge] of own.entries()) ports.set(edge, x + (width * (i + 1)) / (own.length + 1));
        }
        return ports;
    };
    return {
        starts: spread(
            ({ from }) => from,
            edge => chains.get(edge)?.passes[0]?.center ?? centerOf(edge.to),
        ),
        ends: spread(
            ({ to }) => to,
            edge => chains.get(edge)?.passes.at(-1)?.center ?? centerOf(edge.from),
        ),
    };
}

interface Point {
    readonly x: number;
    readonly y: number;
}

/** The upper and lower end of a row. */
interface Span {
    readonly top: number;
    readonly bottom: number;
}

function forwardPath(start: Point, end: Point, { passes }: Chain, row: number, spanOf: (row: number) => Span): string {
    let { x, y } = start;
    let path = `M${n(x)} ${n(y)}`;
    const straight = (nextY: number): void => {
        if (nextY > y) path += `V${n(nextY)}`;
        y = nextY;
    };
    // Beside boxes that are higher.
    straight(spanOf(row).bottom);
    const curve = (nextX: number, nextY: number): void => {
        const middle = (y + nextY) / 2;
        path += `C${n(x)} ${n(middle)} ${n(nextX)} ${n(middle)} ${n(nextX)} ${n(nextY)}`;
        [x, y] = [nextX, nextY];
    };
    passes.forEach(({ center }, i) => {
        const { top, bottom } = spanOf(row + 1 + i);
        curve(center, top);
        straight(bottom);
    });
    curve(end.x, end.y);
    return path;
}

/** From the right side of one node to that of the other, or of itself. */
function backPath(from: Box, to: Box): string {
    const [start, end] = [from.x + from.width, to.x + to.width];
    const outer = Math.max(start, end) + BULGE;
    const isLoop = from === to;
    const startY = from.y + from.height * (isLoop ? 0.7 : 0.5);
    const endY = to.y + to.height * (isLoop ? 0.3 : 0.5);
    return `M${n(start)} ${n(startY)}C${n(outer)} ${n(startY)} ${n(outer)} ${n(endY)} ${n(end)} ${n(endY)}`;
}

function n(value: number): string {
    return String(Math.round(value * 10) / 10);
}
