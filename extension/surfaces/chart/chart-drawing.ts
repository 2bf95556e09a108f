import uPlot from 'uplot';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import { areTurned, labelledPlaces, roomBelow, roomBeside, shortened, TURNED } from './axis-labels.ts';
import type { ChartAxis, ChartData } from './chart-data.ts';

/** A chart that is drawn. */
export interface ChartDrawing {
    resize(width: number, height: number): void;
    /** Moves the mark to the next or previous point and says what stands there. */
    step(by: number): string;
    destroy(): void;
}

const MARGIN = 0.04;
const LABEL_SIZE = 20;
/** Steps between ticks where rows are counted. */
const WHOLE = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map(factor => factor * 10 ** power)).flat();

/** Draws a chart in the colours of the theme. Bars and areas begin at zero; times are those of UTC. */
export function drawChart(root: HTMLElement, data: ChartData, width: number, height: number): ChartDrawing {
    const style = getComputedStyle(root);
    const colours = coloursIn(style);
    const font = `${style.fontSize} ${style.fontFamily}`;
    const axis = (of: ChartAxis, title: string, size: uPlot.Axis['size'] & {}): uPlot.Axis => ({
        label: title,
        labelSize: LABEL_SIZE,
        labelFont: font,
        font,
        size,
        stroke: colours.text,
        grid: { stroke: colours.grid, width: 1 },
        ticks: { stroke: colours.grid, width: 1 },
        ...(of.labels !== undefined && {
            splits: (drawn, index, from, to) => labelledPlaces(of.labels ?? [], from, to, index === 0 ? acrossOf(drawn) : upwardsOf(drawn)),
            values: (_, splits) => splits.map(at => shortened(of.labels?.[at] ?? '')),
            rotate: (drawn, values, index) => (index === 0 && areTurned(values, acrossOf(drawn)) ? TURNED : 0),
        }),
        ...(isCount(of) && { incrs: WHOLE }),
        ...(of.labels === undefined && !of.isTime && { values: (_, splits) => splits.map(value => numberText(value)) }),
    });
    const plot = new uPlot(
        {
            width,
            height,
            legend: { show: false },
            cursor: { drag: { x: false, y: false }, points: { show: data.kind !== 'heat' } },
            tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
            scales: {
                x: { time: data.x.isTime, range: (_, least, most) => xRange(data, least, most) },
                y: { time: data.y.isTime, range: (_, least, most) => yRange(data, least, most) },
            },
            axes: [
                axis(data.x, data.x.title, (drawn, values) => roomBelow(data.x.labels && (values ?? []), acrossOf(drawn))),
                axis(data.y, yTitle(data), (_, values) => roomBeside(values ?? [])),
            ],
            series: [{}, seriesOf(data, colours)],
            hooks: data.kind === 'heat' ? { draw: [drawn => drawHeat(drawn, data, colours.line)] } : {},
        },
        [[...data.xs], [...data.ys]],
        root,
    );
    let at = -1;
    return {
        resize: (nextWidth, nextHeight) => plot.setSize({ width: nextWidth, height: nextHeight }),
        step(by) {
            at = Math.min(data.xs.length - 1, Math.max(0, at + by));
            const [x, y] = [data.xs[at], data.ys[at]];
            if (x === undefined || y === undefined) return '';
            plot.setCursor({ left: plot.valToPos(x, 'x'), top: plot.valToPos(y, 'y') });
            return pointText(data, at);
        },
        destroy: () => plot.destroy(),
    };
}

/** Pixels along the axes, without those that the other axis takes, about. */
const acrossOf = ({ width }: uPlot): number => width - 80;
const upwardsOf = ({ height }: uPlot): number => height - 80;

/** Rows are counted along the axis: nothing stands between whole numbers. */
export function isCount({ title, labels }: ChartAxis): boolean {
    return title === '' && labels === undefined;
}

/** The title of the vertical axis. */
export function yTitle({ kind, y }: ChartData): string {
    if (y.title === '') return l10n.t('rows');
    return kind === 'bar' ? l10n.t('sum of {0}', y.title) : y.title;
}

interface ChartColours {
    readonly text: string;
    readonly grid: string;
    readonly line: string;
    readonly fill: string;
}

/** The colours of the theme, as the style sheet mixes them. */
function coloursIn(style: CSSStyleDeclaration): ChartColours {
    const of = (name: string): string => style.getPropertyValue(name).trim();
    return { text: of('--chart-text'), grid: of('--chart-grid'), line: of('--chart-line'), fill: of('--chart-fill') };
}

function seriesOf({ kind }: ChartData, { line, fill }: ChartColours): uPlot.Series {
    switch (kind) {
        case 'bar':
        case 'histogram': {
            const paths = uPlot.paths.bars?.({ size: [kind === 'histogram' ? 1 : 0.7, 80] });
            return { stroke: line, fill, width: 1, points: { show: false }, ...(paths && { paths }) };
        }
        case 'line':
            return { stroke: line, width: 1.5, points: { show: false } };
        case 'area':
            return { stroke: line, width: 1.5, fill, points: { show: false } };
        case 'scatter':
            return { stroke: line, paths: () => null, points: { show: true, size: 5, stroke: line, fill } };
        case 'heat':
            return { paths: () => null, points: { show: false } };
    }
}

/** From where to where the axis goes, for values from the least to the most. */
export function xRange({ x, xs, kind, step }: ChartData, least: number, most: number): uPlot.Range.MinMax {
    if (x.labels !== undefined) return [-0.6, Math.max(0.6, x.labels.length - (kind === 'heat' ? 0 : 0.4))];
    if (kind === 'histogram') return [(xs[0] ?? 0) - step.x / 2, (xs.at(-1) ?? 0) + step.x / 2];
    if (kind === 'heat') return [least, most + step.x];
    const margin = (most - least || 1) * MARGIN;
    return [least - margin, most + margin];
}

/** The same for the axis upwards. */
export function yRange({ kind, y, step }: ChartData, least: number, most: number): uPlot.Range.MinMax {
    if (kind === 'heat') return [y.labels === undefined ? least : -0.1, most + step.y];
    const isFromZero = kind === 'bar' || kind === 'area' || kind === 'histogram';
    const [from, to] = isFromZero ? [Math.min(0, least), Math.max(0, most)] : [least, most];
    const margin = (to - from || 1) * MARGIN;
    return [from < 0 || !isFromZero ? from - margin : from, to + margin];
}

/** Places in the strength of their number of rows. */
function drawHeat(plot: uPlot, { xs, ys, weights, step }: ChartData, colour: string): void {
    const most = Math.max(...weights);
    plot.ctx.save();
    plot.ctx.fillStyle = colour;
    for (const [i, x] of xs.entries()) {
        const y = ys[i] ?? 0;
        const [left, right] = [plot.valToPos(x, 'x', true), plot.valToPos(x + step.x, 'x', true)];
        const [bottom, top] = [plot.valToPos(y, 'y', true), plot.valToPos(y + step.y, 'y', true)];
        plot.ctx.globalAlpha = strengthOf((weights[i] ?? 0) / most);
        plot.ctx.fillRect(left, top, Math.max(1, right - left - 1), Math.max(1, bottom - top - 1));
    }
    plot.ctx.restore();
}

/** How strong a field of a heat map is that has this part of the rows of the strongest one. */
export function strengthOf(part: number): number {
    return 0.12 + 0.88 * part;
}

/** A point in words. */
function pointText(data: ChartData, at: number): string {
    const { x, y, xs, ys, weights } = data;
    const [atX, atY] = [placeText(x, xs[at] ?? 0), placeText(y, ys[at] ?? 0)];
    const weight = weights[at];
    const words = l10n.t('{0}: {1}, {2}: {3}', x.title, atX, yTitle(data), atY);
    return weight === undefined ? words : l10n.t('{0}, rows: {1}', words, countText(weight));
}

/** A place on an axis as it is written. */
export function placeText({ labels, isTime }: ChartAxis, value: number): string {
    if (labels !== undefined) return labels[value] ?? '';
    if (!isTime) return numberText(value);
    const iso = new Date(value * 1000).toISOString();
    return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}

export function numberText(value: number): string {
    return new Intl.NumberFormat('en-US', { maximumSignificantDigits: 12 }).format(value);
}
