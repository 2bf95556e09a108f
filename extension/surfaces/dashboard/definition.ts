import { jsonOf } from '#server/protocol/json-text.ts';
import { CHART_KINDS, type ChartKind } from '../chart/chart-data.ts';
import { type Area, below, packed, within } from './layout.ts';

/** The number that a tile shows: a cell of the first row, the number of rows, or what a column amounts to. */
export const MEASURES = ['value', 'count', 'sum', 'least', 'most'] as const;
export type Measure = (typeof MEASURES)[number];

/** The content of a tile. Columns go by their names; an empty name means none. */
export type Content =
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'rows'; readonly concept: string }
    | { readonly kind: 'number'; readonly concept: string; readonly measure: Measure; readonly column: string }
    | {
          readonly kind: 'chart';
          readonly concept: string;
          readonly chart: ChartKind;
          readonly across: string;
          readonly up: string;
          readonly by: string;
      }
    /** `value` is JSON or a text, as it is written; the viewer may write another. */
    | { readonly kind: 'parameter'; readonly parameter: string; readonly value: string }
    /** Written by something that knows more; it is kept as it is. */
    | { readonly kind: 'unknown'; readonly called: string };

/** A part of a dashboard, and all that is written about it. */
export interface Tile extends Area {
    readonly id: string;
    readonly title: string;
    readonly content: Content;
    readonly written: Written;
}

/** A dashboard as it is drawn, and all that is written in it. */
export interface Dashboard {
    /** They do not overlap; from above, then from the left. */
    readonly tiles: readonly Tile[];
    readonly written: Written;
    /** Entries among the tiles that are not tiles. */
    readonly others: readonly unknown[];
}

type Written = Readonly<Record<string, unknown>>;

const USUAL: Readonly<Record<Content['kind'], Pick<Area, 'width' | 'height'>>> = {
    text: { width: 12, height: 2 },
    rows: { width: 6, height: 7 },
    number: { width: 3, height: 3 },
    chart: { width: 6, height: 7 },
    parameter: { width: 3, height: 2 },
    unknown: { width: 4, height: 3 },
};

export const EMPTY_DASHBOARD: Dashboard = { tiles: [], written: {}, others: [] };

/** A stored definition as a dashboard, whatever stands in it. */
export function readDashboard(definition: unknown): Dashboard {
    const written = isObject(definition) ? definition : {};
    const listed = Array.isArray(written.tiles) ? (written.tiles as readonly unknown[]) : [];
    const found = listed.filter(isObject);
    const taken = new Set<string>();
    const tiles: Tile[] = [];
    for (const one of found) {
        const content = contentOf(one);
        const usual = USUAL[content.kind];
        const area = within({
            x: numberIn(one.x, 0),
            y: numberIn(one.y, below(tiles)),
            width: numberIn(one.width, usual.width),
            height: numberIn(one.height, usual.height),
        });
        tiles.push({ id: unusedId(textIn(one.id), taken), title: textIn(one.title), content, written: one, ...area });
    }
    return { tiles: packed(tiles), written, others: listed.filter(one => !isObject(one)) };
}

/** A dashboard as it is stored. Whatever was written in it and means nothing here stays. */
export function writtenDashboard({ tiles, written, others }: Dashboard): Written {
    return { ...written, tiles: [...tiles.map(writtenTile), ...others] };
}

/** A new tile, below all others. */
export function addedTile(dashboard: Dashboard, content: Content, title: string): { readonly dashboard: Dashboard; readonly tile: Tile } {
    const taken = new Set(dashboard.tiles.map(({ id }) => id));
    const area = { x: 0, y: below(dashboard.tiles), ...USUAL[content.kind] };
    const tile: Tile = { id: unusedId('', taken), title, content, written: {}, ...area };
    return { dashboard: { ...dashboard, tiles: packed([...dashboard.tiles, tile]) }, tile };
}

/** The concepts whose rows are shown. */
export function conceptsOf({ tiles }: Dashboard): string[] {
    return [...new Set(tiles.flatMap(({ content }) => ('concept' in content && content.concept !== '' ? [content.concept] : [])))];
}

function writtenTile({ id, title, x, y, width, height, content, written }: Tile): Written {
    const known = content.kind === 'unknown' ? {} : { kind: content.kind, title, ...partsOf(content) };
    return { ...written, id, ...known, x, y, width, height };
}

function partsOf(content: Exclude<Content, { kind: 'unknown' }>): Written {
    switch (content.kind) {
        case 'text':
            return { text: content.text };
        case 'rows':
            return { concept: content.concept };
        case 'number':
            return { concept: content.concept, measure: content.measure, column: content.column };
        case 'chart':
            return {
                concept: content.concept,
                chart: content.chart,
                across: content.across,
                up: content.up,
                ...(content.by !== '' && { by: content.by }),
            };
        case 'parameter':
            return { parameter: content.parameter, value: content.value };
    }
}

function contentOf(one: Written): Content {
    const concept = textIn(one.concept);
    const kind = one.kind ?? (concept === '' ? undefined : 'rows');
    switch (kind) {
        case 'text':
            return { kind: 'text', text: textIn(one.text) };
        case 'rows':
            return { kind: 'rows', concept };
        case 'number':
            return { kind: 'number', concept, measure: among(MEASURES, one.measure) ?? 'count', column: textIn(one.column) };
        case 'chart': {
            const chart = among(CHART_KINDS, one.chart);
            // Another chart than is written would be told as that one.
            if (chart === undefined && one.chart !== undefined) break;
            return { kind: 'chart', concept, chart: chart ?? 'bar', across: textIn(one.across), up: textIn(one.up), by: textIn(one.by) };
        }
        case 'parameter':
            return { kind: 'parameter', parameter: textIn(one.parameter), value: valueIn(one.value) };
    }
    return { kind: 'unknown', called: textIn(one.kind) };
}

function among<T extends string>(known: readonly T[], value: unknown): T | undefined {
    return known.find(one => one === value);
}

function isObject(value: unknown): value is Written {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textIn(value: unknown): string {
    return typeof value === 'string' ? value : '';
}

function numberIn(value: unknown, usual: number): number {
    return typeof value === 'number' && Number.isFinite(value) ? value : usual;
}

/** A value is written as a text that may be JSON; others may have written it as JSON itself. */
function valueIn(value: unknown): string {
    if (typeof value === 'string') return value;
    return value === undefined || value === null ? '' : jsonOf(value);
}

function unusedId(wanted: string, taken: Set<string>): string {
    let id = wanted;
    for (let number = 1; id === '' || taken.has(id); number++) id = `tile-${number}`;
    taken.add(id);
    return id;
}
