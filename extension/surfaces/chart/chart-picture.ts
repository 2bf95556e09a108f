import { rowsText } from '../count-words.ts';
import { ACCENT, CODE_FONT, GRID, INK, WORDS_FONT } from '../pictures/paper.ts';
import type { Drawn, LegendEntry } from '../pictures/standalone-svg.ts';
import { svgElement as element } from '../svg.ts';
import { visible } from '../visible-text.ts';
import { shortened } from './axis-labels.ts';
import type { ChartAxis, ChartData } from './chart-data.ts';
import { isCount, numberText, strengthOf, xRange, yRange, yTitle } from './chart-drawing.ts';
import { type Tick, ticksOf } from './time-axis.ts';

/** A scale of a plot, from values to places in the drawing. */
interface Scale {
    readonly ticks: readonly Tick[];
    at(value: number): number;
}

interface Axes {
    readonly x: Scale;
    readonly y: Scale;
}

const [WIDTH, HEIGHT] = [960, 500];
const [RIGHT, TOP, TITLE_ROOM, LABEL_ROOM, TURNED_ROOM] = [24, 12, 24, 24, 96];
const [FONT_SIZE, LETTER, BAR_MOST] = [12, 7, 80];
/** Labels beside each other before they are turned. */
const LEVEL = 8;

/** A chart as lines and words of a file, on white. */
export function chartPicture(data: ChartData): Drawn {
    const { x, y, xs, ys } = data;
    const [fromX, toX] = xRange(data, least(xs), most(xs));
    const [fromY, toY] = yRange(data, least(ys), most(ys));
    const isTurned = (x.labels?.length ?? 0) > LEVEL;
    const bottom = HEIGHT - TITLE_ROOM - (isTurned ? TURNED_ROOM : LABEL_ROOM);
    const upwards = scaleOf(data, y, [fromY ?? 0, toY ?? 1], [bottom, TOP], 8);
    const left = TITLE_ROOM + 12 + Math.max(24, ...upwards.ticks.map(({ label }) => label.length * LETTER));
    const across = scaleOf(data, x, [fromX ?? 0, toX ?? 1], [left, WIDTH - RIGHT], 9);
    const axes = { x: across, y: upwards };
    const svg = element('svg');
    svg.append(
        ...upwards.ticks.map(({ at }) => gridLine(`M${left} ${round(upwards.at(at))}H${WIDTH - RIGHT}`)),
        ...across.ticks.map(({ at }) => gridLine(`M${round(across.at(at))} ${TOP}V${bottom}`)),
        ...marks(data, axes),
        ...upwards.ticks.map(({ at, label }) => words(label, { x: left - 8, y: upwards.at(at), dy: '0.35em', 'text-anchor': 'end' })),
        ...across.ticks.map(({ at, label }) => {
            const [px, py] = [round(across.at(at)), bottom + 10];
            return isTurned
                ? words(label, { 'text-anchor': 'end', transform: `translate(${px + 4} ${py + 4}) rotate(-45)` })
                : words(label, { x: px, y: py + 8, 'text-anchor': 'middle' });
        }),
        title(visible(x.title), { x: (left + WIDTH - RIGHT) / 2, y: HEIGHT - 8 }),
        title(visible(yTitle(data)), { transform: `translate(16 ${(TOP + bottom) / 2}) rotate(-90)` }),
    );
    return { svg, width: WIDTH, height: HEIGHT };
}

/** A legend for the strengths of a heat map. */
export function chartLegend({ weights }: ChartData): LegendEntry[] {
    if (weights.length === 0) return [];
    const greatest = most(weights);
    const shown = [...new Set([least(weights), Math.round(greatest / 2), greatest])].filter(rows => rows > 0);
    return shown
        .sort((one, other) => one - other)
        .map(rows => {
            const sample = element('svg', { viewBox: '0 0 24 12', width: 24, height: 12 });
            sample.append(element('rect', { width: 24, height: 12, fill: ACCENT, 'fill-opacity': strengthOf(rows / greatest) }));
            return { sample, words: rowsText(rows) };
        });
}

function marks({ kind, xs, ys, weights, step }: ChartData, { x, y }: Axes): SVGElement[] {
    const zero = y.at(0);
    const points = xs.map((value, i) => [x.at(value), y.at(ys[i] ?? 0)] as const);
    const line = (): string => points.map(([px, py], i) => `${i === 0 ? 'M' : 'L'}${round(px)} ${round(py)}`).join('');
    switch (kind) {
        case 'bar':
        case 'histogram': {
            const room = x.at(step.x) - x.at(0);
            const width = kind === 'histogram' ? Math.max(1, room - 1) : Math.max(1, Math.min(BAR_MOST, room * 0.7));
            return points.map(([px, py]) =>
                element('rect', {
                    ...{ x: round(px - width / 2), y: round(Math.min(py, zero)), width: round(width), height: round(Math.abs(zero - py)) },
                    ...{ fill: ACCENT, 'fill-opacity': 0.45, stroke: ACCENT },
                }),
            );
        }
        case 'line':
            return [element('path', { d: line(), fill: 'none', stroke: ACCENT, 'stroke-width': 1.5 })];
        case 'area': {
            const closed = `${line()}V${round(zero)}H${round(points[0]?.[0] ?? 0)}Z`;
            return [
                element('path', { d: closed, fill: ACCENT, 'fill-opacity': 0.45, stroke: 'none' }),
                element('path', { d: line(), fill: 'none', stroke: ACCENT, 'stroke-width': 1.5 }),
            ];
        }
        case 'scatter':
            return points.map(([px, py]) =>
                element('circle', { cx: round(px), cy: round(py), r: 2.5, fill: ACCENT, 'fill-opacity': 0.45, stroke: ACCENT }),
            );
        case 'heat': {
            const greatest = most(weights);
            return xs.map((value, i) => {
                const [from, to] = [x.at(value), x.at(value + step.x)];
                const [low, high] = [y.at(ys[i] ?? 0), y.at((ys[i] ?? 0) + step.y)];
                const size = { width: round(Math.max(1, to - from - 1)), height: round(Math.max(1, low - high - 1)) };
                return element('rect', {
                    x: round(from),
                    y: round(high),
                    ...size,
                    fill: ACCENT,
                    'fill-opacity': strengthOf((weights[i] ?? 0) / greatest),
                });
            });
        }
    }
}

function scaleOf(
    { kind }: ChartData,
    axis: ChartAxis,
    [from, to]: readonly [number, number],
    [start, end]: readonly [number, number],
    count: number,
): Scale {
    const ticks = axisTicks(axis, from, to, count);
    // A field of a heat map goes from its value to the next one.
    const isBetween = kind === 'heat' && axis.labels !== undefined;
    return {
        ticks: isBetween ? ticks.map(({ at, label }) => ({ at: at + 0.5, label })) : ticks,
        at: value => start + ((value - from) / (to - from || 1)) * (end - start),
    };
}

/** The labelled places of an axis: all of its texts, else round values. */
function axisTicks(axis: ChartAxis, from: number, to: number, count: number): Tick[] {
    const { labels, isTime } = axis;
    if (labels !== undefined)
        return labels.flatMap((label, at) => (at >= from && at <= to ? [{ at, label: shortened(visible(label)) }] : []));
    if (isTime) return ticksOf({ from, to }, count);
    const rough = Math.max((to - from) / count || 1, isCount(axis) ? 1 : 0);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= rough) ?? rough;
    const first = Math.ceil(from / step);
    const ticks = Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, i) => (first + i) * step);
    return ticks.map(at => ({ at, label: numberText(at) }));
}

function gridLine(d: string): SVGPathElement {
    return element('path', { d, fill: 'none', stroke: GRID });
}

function words(text: string, attributes: Readonly<Record<string, string | number>>): SVGTextElement {
    const made = element('text', { fill: INK, 'font-family': CODE_FONT, 'font-size': FONT_SIZE, ...attributes });
    made.append(text);
    return made;
}

function title(text: string, attributes: Readonly<Record<string, string | number>>): SVGTextElement {
    return words(text, { 'font-family': WORDS_FONT, 'text-anchor': 'middle', ...attributes });
}

function least(values: readonly number[]): number {
    return values.reduce((so, value) => Math.min(so, value), Number.POSITIVE_INFINITY);
}

function most(values: readonly number[]): number {
    return values.reduce((so, value) => Math.max(so, value), Number.NEGATIVE_INFINITY);
}

function round(value: number): number {
    return Math.round(value * 100) / 100;
}
