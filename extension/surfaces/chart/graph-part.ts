import type { Cell, RowFilter } from '#server/protocol/runs.ts';
import { cellText, isCut, isMissing, isNull } from '../grid/cell-text.ts';

/** A row as an edge. `id` tells it from other rows between the same nodes. */
export interface EdgeRow {
    readonly id: string;
    readonly from: Cell;
    readonly to: Cell;
    readonly label: string | undefined;
}

/** Loaded rows at a node. `leaving` and `arriving` count the loaded ones (`shown`) and all. */
export interface Known {
    readonly rows: readonly EdgeRow[];
    readonly leaving: Counted;
    readonly arriving: Counted;
}

export interface Counted {
    readonly shown: number;
    readonly all: number;
}

export interface PartNode {
    readonly key: string;
    readonly cell: Cell;
    /** Rows at the node that are not loaded; undefined before the first request. */
    readonly more: number | undefined;
}

/** Rows with the same ends, drawn as one edge. `from` and `to` are positions in `nodes`. */
export interface PartEdge {
    readonly from: number;
    readonly to: number;
    readonly rows: readonly EdgeRow[];
}

/** The part of a graph that is drawn. */
export interface GraphPart {
    /** In an order in which an edge leads forward unless it closes a cycle. */
    readonly nodes: readonly PartNode[];
    readonly edges: readonly PartEdge[];
    readonly rows: number;
}

/** A key for a node; undefined for a missing value, which is not a node. */
export function keyOf(cell: Cell | undefined): string | undefined {
    if (cell === undefined || isMissing(cell)) return undefined;
    return `${isNull(cell) ? 'null' : 'value'}:${cellText(cell)}`;
}

/** Builds the filter for rows with this node in `column`; undefined if the cell's text is cut. */
export function filterOf(cell: Cell, column: number): RowFilter | undefined {
    if (isCut(cell)) return undefined;
    return { column, operator: isNull(cell) ? 'labelled' : 'equals', value: cellText(cell) };
}

/** Builds the part of the graph that loaded rows connect with `start`. */
export function graphPart(start: Cell, known: ReadonlyMap<string, Known>): GraphPart {
    const startKey = keyOf(start) ?? '';
    const cells = new Map<string, Cell>([[startKey, start]]);
    const rows = new Map<string, EdgeRow>();
    for (const key of cells.keys()) {
        for (const row of known.get(key)?.rows ?? []) {
            const [from, to] = [keyOf(row.from), keyOf(row.to)];
            if (from === undefined || to === undefined) continue;
            rows.set(row.id, row);
            if (!cells.has(from)) cells.set(from, row.from);
            if (!cells.has(to)) cells.set(to, row.to);
        }
    }
    const edges = new Map<string, EdgeRow[]>();
    for (const row of rows.values()) {
        const ends = JSON.stringify([keyOf(row.from), keyOf(row.to)]);
        edges.set(ends, [...(edges.get(ends) ?? []), row]);
    }
    const after = new Map<string, string[]>();
    for (const [first] of edges.values()) {
        const [from, to] = [keyOf(first?.from), keyOf(first?.to)];
        if (from !== undefined && to !== undefined) after.set(from, [...(after.get(from) ?? []), to]);
    }
    const order = forwardOrder([...cells.keys()], after);
    const place = new Map(order.map((key, i) => [key, i]));
    return {
        nodes: order.map(key => ({ key, cell: cells.get(key) ?? '', more: moreOf(known.get(key)) })),
        edges: [...edges.values()].map(of => ({
            from: place.get(keyOf(of[0]?.from) ?? '') ?? 0,
            to: place.get(keyOf(of[0]?.to) ?? '') ?? 0,
            rows: of,
        })),
        rows: rows.size,
    };
}

function moreOf(known: Known | undefined): number | undefined {
    if (known === undefined) return undefined;
    return known.leaving.all - known.leaving.shown + known.arriving.all - known.arriving.shown;
}

/** Sorts nodes in reverse postorder of a depth-first search. It starts at nodes without incoming edges, so that chains stay whole. */
function forwardOrder(keys: readonly string[], after: ReadonlyMap<string, readonly string[]>): string[] {
    const entered = new Set([...after].flatMap(([from, to]) => to.filter(key => key !== from)));
    const seen = new Set<string>();
    const left: string[] = [];
    for (const root of [...keys.filter(key => !entered.has(key)), ...keys]) {
        if (seen.has(root)) continue;
        seen.add(root);
        const path = [{ key: root, next: 0 }];
        for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
            const to = after.get(last.key)?.[last.next++];
            if (to === undefined) left.push(path.pop()?.key ?? '');
            else if (!seen.has(to)) {
                seen.add(to);
                path.push({ key: to, next: 0 });
            }
        }
    }
    return left.reverse();
}
