import type { Cell, OutputColumn } from '#server/protocol/runs.ts';
import { cellText, isNull } from '../grid/cell-text.ts';
import { binsOf as timeBins } from './time-axis.ts';

/** Charts with two axes. */
const PLOT_KINDS = ['bar', 'line', 'area', 'scatter', 'histogram', 'heat'] as const;
export type PlotKind = (typeof PLOT_KINDS)[number];

export const CHART_KINDS = [...PLOT_KINDS, 'timeline', 'graph'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

/**
 * The columns of a chart, by their positions in the output. Plots have one for each axis; without one for y, rows are counted. A timeline
 * has the begin, the end and the lane of a row. A graph has the source, the target and the label of an edge.
 */
export interface ChartChoice {
    readonly kind: ChartKind;
    readonly x: number;
    readonly y: number | undefined;
    readonly by?: number | undefined;
}

export interface PlotChoice extends ChartChoice {
    readonly kind: PlotKind;
}

export function isPlot(choice: ChartChoice): choice is PlotChoice {
    return PLOT_KINDS.some(kind => kind === choice.kind);
}

/** A choice for another kind of chart, with the columns of before where they suit it. */
export function choiceOfKind(kind: ChartKind, { x, y }: ChartChoice, columns: readonly OutputColumn[]): ChartChoice {
    const find = (suits: (column: OutputColumn, index: number) => boolean): number | undefined => {
        const at = columns.findIndex(suits);
        return at < 0 ? undefined : at;
    };
    const isTime = (index: number | undefined): boolean => index !== undefined && columns[index]?.shape === 'time';
    if (kind === 'timeline') {
        const from = isTime(x) ? x : (find(({ shape }) => shape === 'time') ?? x);
        const to = isTime(y) && y !== from ? y : find(({ shape }, index) => shape === 'time' && index > from);
        return { kind, x: from, y: to, by: find(({ shape }) => shape === 'text' || shape === 'boolean') };
    }
    if (kind === 'graph') {
        const like = find(({ type }, index) => index !== x && type === columns[x]?.type);
        return { kind, x, y: like ?? find((_, index) => index !== x) ?? x };
    }
    return { kind, x, y: y !== undefined && columns[y]?.shape === 'number' ? y : undefined };
}

/** A scale of numbers, of moments in seconds since 1970 UTC, or of texts, which stand at their positions. */
export interface ChartAxis {
    readonly title: string;
    readonly isTime: boolean;
    readonly labels: readonly string[] | undefined;
}

export interface ChartData {
    readonly kind: PlotKind;
    readonly x: ChartAxis;
    /** Without a title, rows are counted. */
    readonly y: ChartAxis;
    readonly xs: readonly number[];
    readonly ys: readonly number[];
    /** Of a heat map, the rows of each place; of a histogram and a heat map `step` is the size of a bin, for texts one. */
    readonly weights: readonly number[];
    readonly step: { readonly x: number; readonly y: number };
    /** Rows without a number where one is needed. */
    readonly without: number;
    /** Texts that have no place any more: the rarest. */
    readonly rest: number;
}

/** Bars and places of texts that can be told apart. */
const MOST_LABELS = 40;
const BINS = 24;
/** In seconds. */
const DAY = 86_400;

type Cells = readonly (readonly Cell[])[];

/** The points of a chart of these rows. */
export function chartData({ kind, x, y }: PlotChoice, columns: readonly OutputColumn[], rows: Cells): ChartData {
    const column = (index: number | undefined): OutputColumn | undefined => (index === undefined ? undefined : columns[index]);
    const [ofX, ofY] = [column(x), column(y)];
    const xAxis = placesOf(rows, x, ofX, kind === 'bar');
    const yNumbers = y === undefined ? undefined : placesOf(rows, y, ofY, false);
    const base = { kind, x: xAxis.axis, step: { x: 1, y: 1 }, weights: [], rest: xAxis.rest };
    const counted: ChartAxis = { title: '', isTime: false, labels: undefined };
    switch (kind) {
        case 'bar': {
            const sums = new Map<number, number>();
            let without = 0;
            for (const [row, at] of xAxis.places.entries()) {
                const value = yNumbers === undefined ? 1 : yNumbers.places[row];
                if (at === undefined || value === undefined) without++;
                else sums.set(at, (sums.get(at) ?? 0) + value);
            }
            const places = [...sums.keys()].sort((one, other) => one - other);
            const ys = places.map(place => sums.get(place) ?? 0);
            return { ...base, y: yNumbers?.axis ?? counted, xs: places, ys, without: without - xAxis.rest };
        }
        case 'line':
        case 'area':
        case 'scatter': {
            const points: [number, number][] = [];
            for (const [row, at] of xAxis.places.entries()) {
                const value = yNumbers === undefined ? row : yNumbers.places[row];
                if (at !== undefined && value !== undefined) points.push([at, value]);
            }
            points.sort(([one], [other]) => one - other);
            const without = rows.length - points.length - xAxis.rest;
            return { ...base, y: yNumbers?.axis ?? counted, xs: points.map(([at]) => at), ys: points.map(([, value]) => value), without };
        }
        case 'histogram': {
            const values = xAxis.places.filter(place => place !== undefined);
            const { from, step, bins } = binsOf(values, xAxis.axis);
            const counts = new Array<number>(bins).fill(0);
            for (const value of values) {
                const bin = Math.min(bins - 1, Math.floor((value - from) / step));
                counts[bin] = (counts[bin] ?? 0) + 1;
            }
            const xs = counts.map((_, bin) => from + (bin + (xAxis.axis.labels === undefined ? 0.5 : 0)) * step);
            return { ...base, y: counted, xs, ys: counts, step: { x: step, y: 1 }, without: rows.length - values.length - xAxis.rest };
        }
        case 'heat': {
            const other = yNumbers ?? xAxis;
            const pairs = xAxis.places.flatMap((at, row): [number, number][] => {
                const value = other.places[row];
                return at === undefined || value === undefined ? [] : [[at, value]];
            });
            const across = binsOf(
                pairs.map(([at]) => at),
                xAxis.axis,
            );
            const up = binsOf(
                pairs.map(([, value]) => value),
                other.axis,
            );
            const weights = new Map<string, [number, number, number]>();
            for (const [at, value] of pairs) {
                const [i, j] = [binAt(across, at), binAt(up, value)];
                const known = weights.get(`${i} ${j}`);
                if (known === undefined) weights.set(`${i} ${j}`, [across.from + i * across.step, up.from + j * up.step, 1]);
                else known[2]++;
            }
            const places = [...weights.values()].sort((one, next) => one[0] - next[0]);
            return {
                ...base,
                y: other.axis,
                xs: places.map(([at]) => at),
                ys: places.map(([, value]) => value),
                weights: places.map(([, , weight]) => weight),
                step: { x: across.step, y: up.step },
                without: rows.length - pairs.length,
            };
        }
    }
}

interface Places {
    readonly axis: ChartAxis;
    /** Of each row; undefined where it has none. */
    readonly places: readonly (number | undefined)[];
    readonly rest: number;
}

/** Places the values of a column on an axis. Texts stand side by side, the most frequent first; with `apart`, all values do. */
function placesOf(rows: Cells, index: number, column: OutputColumn | undefined, apart: boolean): Places {
    const title = column?.name ?? '';
    const shape = column?.shape ?? 'text';
    const cells = rows.map(row => row[index]);
    if (!apart && (shape === 'number' || shape === 'time')) {
        const places = cells.map(cell => (cell === undefined || isNull(cell) ? undefined : numberOf(cellText(cell), shape)));
        return { axis: { title, isTime: shape === 'time', labels: undefined }, places, rest: 0 };
    }
    const texts = cells.map(cell => (cell === undefined ? undefined : cellText(cell)));
    const counts = new Map<string, number>();
    for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
    const kept = [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_LABELS);
    const labels = kept.map(([text]) => text);
    if (shape === 'number' || shape === 'time') labels.sort((one, other) => (numberOf(one, shape) ?? 0) - (numberOf(other, shape) ?? 0));
    const position = new Map(labels.map((text, place) => [text, place]));
    const places = texts.map(text => (text === undefined ? undefined : position.get(text)));
    const rest = [...counts.values()].reduce((sum, count) => sum + count, 0) - kept.reduce((sum, [, count]) => sum + count, 0);
    return { axis: { title, isTime: false, labels }, places, rest };
}

/** Times are in seconds since 1970 UTC. */
export function numberOf(text: string, shape: 'number' | 'time'): number | undefined {
    const value =
        shape === 'number'
            ? Number(text.replaceAll(',', ''))
            : Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`) / 1000;
    return Number.isFinite(value) ? value : undefined;
}

interface Bins {
    readonly from: number;
    readonly step: number;
    readonly bins: number;
}

/** Bins of a round size over all values, whole days for dates; texts have one each. */
function binsOf(values: readonly number[], { labels, isTime }: ChartAxis): Bins {
    if (labels !== undefined) return { from: 0, step: 1, bins: Math.max(1, labels.length) };
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of values) {
        least = Math.min(least, value);
        most = Math.max(most, value);
    }
    if (least > most) return { from: 0, step: 1, bins: 1 };
    if (isTime) {
        const areDays = values.every(value => value % DAY === 0);
        const bins = timeBins({ from: least, to: most }, BINS, areDays ? DAY : 1);
        const [{ from, to } = { from: least, to: least + 1 }] = bins;
        return { from, step: to - from, bins: bins.length };
    }
    const rough = (most - least) / BINS || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = ([1, 2, 5, 10].find(factor => factor * power >= rough) ?? 10) * power;
    const from = Math.floor(least / step) * step;
    return { from, step, bins: Math.floor((most - from) / step) + 1 };
}

function binAt({ from, step, bins }: Bins, value: number): number {
    return Math.min(bins - 1, Math.max(0, Math.floor((value - from) / step)));
}

/** A chart to begin with: what is likely to be asked of columns of these shapes. */
export function firstChoice(columns: readonly OutputColumn[]): ChartChoice {
    const find = (...shapes: readonly OutputColumn['shape'][]): number | undefined => {
        const at = columns.findIndex(({ shape }) => shapes.includes(shape));
        return at < 0 ? undefined : at;
    };
    const [text, number, time] = [find('text', 'boolean'), find('number'), find('time')];
    // How many rows a stretch of time has says something of any table; its first number may be an identifier.
    if (time !== undefined) return { kind: 'histogram', x: time, y: number };
    if (text !== undefined) return { kind: 'bar', x: text, y: number };
    return number === undefined ? { kind: 'bar', x: 0, y: undefined } : { kind: 'histogram', x: number, y: undefined };
}
