import type { OutputColumn } from '#server/protocol/runs.ts';
import { rowsText } from '../count-words.ts';
import { cellText } from '../grid/cell-text.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import type { Drawn } from '../pictures/standalone-svg.ts';
import { svgElement as element } from '../svg.ts';
import { visible } from '../visible-text.ts';
import { type Stretch, ticksOf, writtenMoment } from './time-axis.ts';
import type { Bin, Lane, Mark } from './timeline-lanes.ts';

/** A mark or a bin where the focus can go. */
export interface Target {
    readonly element: SVGGElement;
    readonly lane: number;
    readonly from: number;
    readonly words: string;
    readonly meant: { readonly mark: Mark } | { readonly bin: Bin };
}

export interface TimelineDrawing {
    readonly axis: SVGSVGElement;
    readonly lanes: SVGSVGElement;
    readonly targets: readonly Target[];
}

/** Columns by their meaning: whose values are written at a mark. */
export interface TimelineWords {
    readonly columns: readonly OutputColumn[];
    /** The column whose value stands on a mark that has room. */
    readonly named: number | undefined;
}

const [AXIS, NAME, LINE, GAP] = [26, 20, 18, 6];
const [BAR, LETTER, TICK_ROOM, LEAST] = [14, 7.5, 90, 8];
const LONGEST = 60;
const MOST_WORDS = 8;

/** How long a mark of the smallest width is. */
export function leastLength({ from, to }: Stretch, width: number): number {
    return ((to - from) / Math.max(1, width)) * (LEAST + 2);
}

/** Lanes of a stretch below an axis of times in UTC. */
export function drawLanes(lanes: readonly Lane[], stretch: Stretch, width: number, said: TimelineWords): TimelineDrawing {
    const scale = width / (stretch.to - stretch.from);
    const xOf = (at: number): number => (at - stretch.from) * scale;
    const ticks = ticksOf(stretch, Math.max(1, Math.floor(width / TICK_ROOM)));
    const axis = element('svg', { class: 'timeline-axis', width, height: AXIS, 'aria-hidden': 'true' });
    for (const { at, label } of ticks) {
        const text = element('text', { x: Math.min(xOf(at) + 3, width - label.length * LETTER), y: AXIS / 2 });
        text.append(label);
        axis.append(element('path', { d: `M${xOf(at)} 6V${AXIS}` }), text);
    }
    const most = lanes.reduce((so, { bins }) => bins.reduce((far, { rows }) => Math.max(far, rows), so), 1);
    const targets: Target[] = [];
    const groups: SVGElement[] = [];
    let y = 0;
    for (const [index, lane] of lanes.entries()) {
        const name = lane.name === undefined ? '' : visible(lane.name);
        const group = element('g', {
            role: 'group',
            'aria-label': name === '' ? rowsText(lane.rows) : l10n.t('{0}: {1}', name, rowsText(lane.rows)),
        });
        const head = element('text', { class: 'lane-name', x: 4, y: y + NAME / 2 });
        const shown = name === '' && lanes.length > 1 ? l10n.t('Others') : name;
        head.append([shown.slice(0, LONGEST), rowsText(lane.rows)].filter(part => part !== '').join(' · '));
        group.append(head);
        y += NAME;
        const add = (drawn: SVGGElement, from: number, words: string, meant: Target['meant']): void => {
            const title = element('title', {});
            title.append(words);
            drawn.prepend(title);
            drawn.setAttribute('aria-label', words);
            group.append(drawn);
            targets.push({ element: drawn, lane: index, from, words, meant });
        };
        for (const line of lane.lines) {
            for (const mark of line) {
                const { drawn, label } = markElement(mark, xOf, y, width, said);
                add(drawn, mark.from, markWords(mark, said.columns), { mark });
                group.append(...label);
            }
            y += LINE;
        }
        for (const bin of lane.bins) add(binElement(bin, xOf, y, most), bin.from, binWords(bin), { bin });
        if (lane.bins.length > 0) y += LINE;
        y += GAP;
        group.append(element('path', { class: 'lane-end', d: `M0 ${y - GAP / 2}H${width}` }));
        groups.push(group);
    }
    const svg = element('svg', { class: 'timeline', role: 'group', 'aria-label': l10n.t('Rows in time'), width, height: Math.max(y, 1) });
    svg.append(...ticks.map(({ at }) => element('path', { class: 'tick', d: `M${xOf(at)} 0V${y}` })), ...groups);
    return { axis, lanes: svg, targets };
}

/** Axis and lanes as one drawing. */
export function timelinePicture({ axis, lanes }: TimelineDrawing): Drawn {
    const svg = element('svg', { class: 'timeline' });
    const times = element('g', { class: 'timeline-axis' });
    const below = element('g', { transform: `translate(0 ${AXIS})` });
    times.append(...axis.cloneNode(true).childNodes);
    below.append(...lanes.cloneNode(true).childNodes);
    svg.append(times, below);
    return { svg, width: Number(lanes.getAttribute('width')), height: AXIS + Number(lanes.getAttribute('height')) };
}

function target(): SVGGElement {
    return element('g', { class: 'target', role: 'button', tabindex: -1 });
}

/** A mark, and what stands on it: beside what is pressed, since it may be cut off within a word, and the name of a button has its words whole. */
function markElement(
    mark: Mark,
    xOf: (at: number) => number,
    y: number,
    width: number,
    { named }: TimelineWords,
): { readonly drawn: SVGGElement; readonly label: readonly SVGTextElement[] } {
    const group = target();
    const left = Math.max(-LEAST, xOf(mark.from) - (mark.isMoment ? LEAST / 2 : 0));
    const right = Math.min(width + LEAST, xOf(mark.to));
    const room = mark.isMoment ? LEAST : Math.max(LEAST, right - left);
    const rx = mark.isMoment ? LEAST / 2 : 2;
    group.append(
        element('rect', {
            class: mark.isMoment ? 'moment' : 'bar',
            x: left,
            y: y + 2,
            width: room,
            height: mark.isMoment ? LEAST : BAR,
            rx,
        }),
    );
    const cell = named === undefined ? undefined : mark.row[named];
    const letters = Math.floor((Math.min(right, width) - Math.max(0, left) - 8) / LETTER);
    if (cell === undefined || mark.isMoment || letters < 3) return { drawn: group, label: [] };
    const whole = visible(cellText(cell));
    const text = element('text', { x: Math.max(0, left) + 4, y: y + 2 + BAR / 2, 'aria-hidden': 'true' });
    text.append(whole.length > letters ? `${whole.slice(0, letters - 1)}…` : whole);
    return { drawn: group, label: [text] };
}

/** Stronger where more rows begin. */
function binElement(bin: Bin, xOf: (at: number) => number, y: number, most: number): SVGGElement {
    const group = target();
    const [left, right] = [xOf(bin.from), xOf(bin.to)];
    const room = Math.max(3, right - left - 1);
    group.append(
        element('rect', { class: 'bin', x: left, y: y + 1, width: room, height: LINE - 2, 'fill-opacity': 0.15 + 0.6 * (bin.rows / most) }),
    );
    const count = countText(bin.rows);
    if (count.length * LETTER > room) return group;
    const text = element('text', { class: 'count', x: left + room / 2, y: y + LINE / 2 });
    text.append(count);
    group.append(text);
    return group;
}

function markWords({ row }: Mark, columns: readonly OutputColumn[]): string {
    const parts = columns
        .slice(0, MOST_WORDS)
        .map(({ name }, i) => l10n.t('{0}: {1}', visible(name), visible(cellText(row[i] ?? '')).slice(0, LONGEST)));
    return parts.join(', ');
}

export function binWords({ from, to, rows }: Bin): string {
    return l10n.t('{0} from {1} until {2}', rowsText(rows), writtenMoment(from), writtenMoment(to));
}
