import type { Cell, RowFilter, RowView } from '#server/protocol/runs.ts';
import { rowsText } from '../count-words.ts';
import { debounced, element } from '../dom.ts';
import { cellText } from '../grid/cell-text.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import { visible } from '../visible-text.ts';
import { type ChartBody, type ChartContext, wordButton } from './chart-body.ts';
import { numberOf } from './chart-data.ts';
import { binsOf, type Stretch, writtenMoment, writtenStretch } from './time-axis.ts';
import { binWords, drawLanes, leastLength, type Target, type TimelineDrawing, timelinePicture } from './timeline-drawing.ts';
import { BINS, type Bin, type Lane, lanesOf, type Mark, marksOf } from './timeline-lanes.ts';

/** Rows that are drawn one by one or counted here; of more the source counts how many begin in each bin. */
const MOST_ROWS = 5000;
const PAGE = 1000;
const LISTED = 500;
const DAY = 86_400;
const MARGIN = 0.02;
/** Pixels of a drag before it no longer counts as a click. */
const DRAG = 4;

/** Loaded rows or bins, and the stretch of time that they cover. */
type Loaded = { readonly covers: Stretch } & ({ readonly marks: readonly Mark[] } | { readonly bins: readonly Bin[] });

/** Rows in time: when they begin and end, in lanes by a category. */
export function timeline(around: ChartContext): ChartBody {
    return new TimelineBody(around);
}

class TimelineBody implements ChartBody {
    readonly #around: ChartContext;
    /** Shorter stretches show nothing more. */
    readonly #unit: number;
    readonly #named: number;
    #whole: Stretch | undefined;
    #stretch: Stretch = { from: 0, to: 1 };
    #loaded: Loaded | undefined;
    /** Rows without a begin. */
    #without = 0;
    #drawn: TimelineDrawing | undefined;
    #targets: readonly Target[] = [];
    #current = 0;
    /** Answers to earlier questions are of no use once another is asked. */
    #question = 0;
    #isGone = false;
    #drag: { readonly x: number; readonly from: Stretch; isFar: boolean } | undefined;
    #drawnWidth = 0;
    readonly #bar: HTMLElement;
    readonly #axis = element('div', { class: 'timeline-head' });
    readonly #canvas = element('div', { class: 'chart-canvas scrolled timeline-lanes', tabindex: -1 });
    readonly #table = element('details', { class: 'chart-table' }, element('summary', {}, l10n.t('The points as a table')));
    readonly parts: readonly HTMLElement[];
    readonly #loadSoon: () => void;
    readonly #resized: ResizeObserver;

    constructor(around: ChartContext) {
        this.#around = around;
        this.#unit =
            this.#around.output.columns[this.#around.choice.x]?.type === 'date' &&
            (this.#around.choice.y === undefined || this.#around.output.columns[this.#around.choice.y]?.type === 'date')
                ? DAY
                : 1;
        this.#named = this.#around.output.columns.findIndex(
            (_, index) => index !== this.#around.choice.x && index !== this.#around.choice.y && index !== this.#around.choice.by,
        );
        this.#bar = element(
            'div',
            { class: 'chart-tools' },
            wordButton('←', () => this.#pan(-0.5), l10n.t('Earlier (Shift+Left)')),
            wordButton('→', () => this.#pan(0.5), l10n.t('Later (Shift+Right)')),
            element(
                'span',
                { class: 'chart-zoom' },
                wordButton('−', () => this.#zoomBy(2), l10n.t('Zoom out')),
                wordButton('+', () => this.#zoomBy(0.5), l10n.t('Zoom in')),
                wordButton(l10n.t('Fit'), () => this.#showWhole(), l10n.t('Fit to the view')),
            ),
        );
        this.parts = [this.#bar, this.#axis, this.#canvas, this.#table];
        this.#loadSoon = debounced(150, () => {
            this.#load().catch(this.#around.failed);
        });
        this.#listen();
        this.#resized = new ResizeObserver(() => {
            if (this.#canvas.clientWidth !== this.#drawnWidth) this.#draw();
        });
        this.#resized.observe(this.#canvas);
        this.#findWhole().catch(this.#around.failed);
    }

    #listen(): void {
        this.#canvas.addEventListener('focusin', event => {
            const index = this.#targetOf(event.target);
            const chosen = this.#targets[index];
            if (chosen === undefined) return;
            this.#targets[this.#current]?.element.setAttribute('tabindex', '-1');
            chosen.element.setAttribute('tabindex', '0');
            this.#current = index;
            // Longer words would move what is under the pointer before it is let go.
            if (this.#drag === undefined) this.#around.said(chosen.words);
        });
        this.#canvas.addEventListener('keydown', event => {
            this.#drag = undefined;
            if (event.altKey || event.ctrlKey || event.metaKey) return;
            const chosen = this.#targets[this.#current];
            if (event.shiftKey && event.key === 'ArrowLeft') this.#pan(-0.25);
            else if (event.shiftKey && event.key === 'ArrowRight') this.#pan(0.25);
            else if (event.key === 'ArrowRight') this.#focusOn(this.#along(1));
            else if (event.key === 'ArrowLeft') this.#focusOn(this.#along(-1));
            else if (event.key === 'ArrowDown') this.#focusOn(this.#beside(1));
            else if (event.key === 'ArrowUp') this.#focusOn(this.#beside(-1));
            else if (event.key === 'Home') this.#focusOn(0);
            else if (event.key === 'End') this.#focusOn(this.#targets.length - 1);
            else if (event.key === '+') this.#zoomBy(0.5, chosen?.from);
            else if (event.key === '-') this.#zoomBy(2, chosen?.from);
            else if (event.key === '0') this.#showWhole();
            else if ((event.key === 'Enter' || event.key === ' ') && chosen !== undefined) this.#open(chosen);
            else return;
            event.preventDefault();
            event.stopPropagation();
        });
        this.#takePointer();
    }

    #takePointer(): void {
        this.#canvas.addEventListener(
            'wheel',
            event => {
                if (!event.ctrlKey && !event.metaKey) return;
                event.preventDefault();
                const part = (event.clientX - this.#canvas.getBoundingClientRect().left) / Math.max(1, this.#canvas.clientWidth);
                this.#zoomBy(event.deltaY < 0 ? 0.8 : 1.25, this.#stretch.from + part * (this.#stretch.to - this.#stretch.from));
            },
            { passive: false },
        );
        this.#canvas.addEventListener('pointerdown', event => {
            this.#drag = { x: event.clientX, from: this.#stretch, isFar: false };
        });
        this.#canvas.addEventListener('pointermove', event => {
            if (this.#drag === undefined || event.buttons !== 1) return;
            const moved = event.clientX - this.#drag.x;
            if (!this.#drag.isFar && Math.abs(moved) < DRAG) return;
            if (!this.#drag.isFar) this.#canvas.setPointerCapture(event.pointerId);
            this.#drag.isFar = true;
            const step = (moved / Math.max(1, this.#canvas.clientWidth)) * (this.#drag.from.to - this.#drag.from.from);
            this.#goTo({ from: this.#drag.from.from - step, to: this.#drag.from.to - step });
        });
        this.#canvas.addEventListener('click', event => {
            const chosen = this.#targets[this.#targetOf(event.target)];
            if (chosen !== undefined && this.#drag?.isFar !== true) this.#open(chosen);
            this.#drag = undefined;
        });
    }

    picture(): ReturnType<ChartBody['picture']> {
        return this.#drawn && { ...timelinePicture(this.#drawn), note: this.#saidOf(this.#lanesNow(this.#drawnWidth)) };
    }

    focus(): void {
        (this.#targets[this.#current]?.element ?? this.#canvas).focus();
    }

    dispose(): void {
        this.#isGone = true;
        this.#resized.disconnect();
    }

    #pageOf(filters: readonly RowFilter[], offset: number, limit: number, sort?: RowView['sort']) {
        return this.#around.source.page(
            { ...this.#around.view, filters: [...(this.#around.view.filters ?? []), ...filters], ...(sort && { sort }) },
            offset,
            limit,
        );
    }

    #timeOf(cell: Cell | undefined): number | undefined {
        return cell === undefined ? undefined : numberOf(cellText(cell), 'time');
    }

    async #edgeOf(column: number, descending: boolean): Promise<{ at: number | undefined; matching: number }> {
        const known = { column, operator: 'known', value: '' } as const;
        const { cells, matching } = await this.#pageOf([known], 0, 1, [{ column, descending }]);
        return { at: this.#timeOf(cells[0]?.[column]), matching };
    }

    async #findWhole(): Promise<void> {
        const { matching } = await this.#pageOf([], 0, 1);
        const first = await this.#edgeOf(this.#around.choice.x, false);
        this.#without = matching - first.matching;
        const ends = [
            (await this.#edgeOf(this.#around.choice.x, true)).at,
            ...(this.#around.choice.y === undefined
                ? []
                : [(await this.#edgeOf(this.#around.choice.y, false)).at, (await this.#edgeOf(this.#around.choice.y, true)).at]),
        ];
        const moments = [first.at, ...ends].filter(at => at !== undefined);
        if (first.at === undefined || moments.length === 0) {
            this.#canvas.replaceChildren(element('p', { class: 'muted' }, l10n.t('There is nothing to draw: choose another column.')));
            return;
        }
        const [from, to] = [Math.min(...moments), Math.max(...moments)];
        const margin = Math.max(this.#unit, (to - from) * MARGIN);
        this.#whole = { from: from - margin, to: to + margin };
        this.#stretch = this.#whole;
        await this.#load();
    }

    async #load(): Promise<void> {
        const mine = ++this.#question;
        const covers = this.#stretch;
        // All rows with a begin are between the ends of the whole, those that have begun before are in it too.
        const inside: readonly RowFilter[] =
            covers === this.#whole
                ? [{ column: this.#around.choice.x, operator: 'known', value: '' }]
                : [
                      { column: this.#around.choice.x, operator: 'atLeast', value: writtenMoment(covers.from) },
                      { column: this.#around.choice.x, operator: 'atMost', value: writtenMoment(covers.to) },
                  ];
        const rows: (readonly Cell[])[] = [];
        let matching = 1;
        while (rows.length < matching) {
            const page = await this.#pageOf(inside, rows.length, PAGE);
            if (mine !== this.#question || this.#isGone) return;
            ({ matching } = page);
            if (matching > MOST_ROWS || page.cells.length === 0) break;
            rows.push(...page.cells);
        }
        if (matching <= MOST_ROWS) {
            this.#loaded = { covers, marks: marksOf(rows, this.#around.choice.x, this.#around.choice.y) };
            this.#draw();
            return;
        }
        const bins: Bin[] = [];
        for (const bin of binsOf(covers, BINS, this.#unit)) {
            const { matching: begun } = await this.#pageOf(
                [
                    { column: this.#around.choice.x, operator: 'atLeast', value: writtenMoment(bin.from) },
                    { column: this.#around.choice.x, operator: 'less', value: writtenMoment(bin.to) },
                ],
                0,
                1,
            );
            if (mine !== this.#question || this.#isGone) return;
            if (begun > 0) bins.push({ ...bin, rows: begun });
        }
        this.#loaded = { covers, bins };
        this.#draw();
    }

    #goTo({ from, to }: Stretch): void {
        if (this.#whole === undefined) return;
        const length = Math.min(this.#whole.to - this.#whole.from, Math.max(this.#unit * 2, to - from));
        const first = Math.min(this.#whole.to - length, Math.max(this.#whole.from, (from + to - length) / 2));
        this.#stretch = length === this.#whole.to - this.#whole.from ? this.#whole : { from: first, to: first + length };
        this.#draw();
        const has =
            this.#loaded !== undefined &&
            'marks' in this.#loaded &&
            this.#loaded.covers.from <= this.#stretch.from &&
            this.#loaded.covers.to >= this.#stretch.to;
        if (!has) this.#loadSoon();
    }

    #showWhole(): void {
        if (this.#whole !== undefined) this.#goTo(this.#whole);
    }

    #zoomBy(factor: number, at = (this.#stretch.from + this.#stretch.to) / 2): void {
        this.#goTo({ from: at - (at - this.#stretch.from) * factor, to: at + (this.#stretch.to - at) * factor });
    }

    #pan(part: number): void {
        const step = (this.#stretch.to - this.#stretch.from) * part;
        this.#goTo({ from: this.#stretch.from + step, to: this.#stretch.to + step });
    }

    #lanesNow(width: number): Lane[] {
        if (this.#loaded === undefined) return [];
        if ('marks' in this.#loaded)
            return lanesOf(this.#loaded.marks, this.#around.choice.by, this.#stretch, {
                least: leastLength(this.#stretch, width),
                bin: this.#unit,
            });
        const bins = this.#loaded.bins.filter(({ from, to }) => from <= this.#stretch.to && to >= this.#stretch.from);
        return [{ name: undefined, rows: bins.reduce((sum, { rows }) => sum + rows, 0), lines: [], bins }];
    }

    #draw(): void {
        const width = this.#canvas.clientWidth;
        if (this.#loaded === undefined || width < 20 || this.#isGone) return;
        this.#drawnWidth = width;
        const before = this.#targets[this.#current]?.words;
        const had = this.#canvas.contains(document.activeElement);
        const lanes = this.#lanesNow(width);
        this.#drawn = drawLanes(lanes, this.#stretch, width, {
            columns: this.#around.output.columns,
            named: this.#named < 0 ? undefined : this.#named,
        });
        ({ targets: this.#targets } = this.#drawn);
        this.#axis.replaceChildren(this.#drawn.axis);
        this.#canvas.replaceChildren(this.#drawn.lanes);
        const kept = this.#targets.findIndex(({ words }) => words === before);
        this.#current = Math.max(0, kept);
        this.#targets[this.#current]?.element.setAttribute('tabindex', '0');
        if (had) (this.#targets[this.#current]?.element ?? this.#canvas).focus({ preventScroll: true });
        this.#table.replaceChildren(this.#table.firstElementChild ?? '', this.#tableOf(lanes));
        this.#around.said(this.#saidOf(lanes));
    }

    #saidOf(lanes: readonly Lane[]): string {
        const rows = lanes.reduce((sum, lane) => sum + lane.rows, 0);
        const [from, to] = writtenStretch(this.#stretch);
        const isCounted = this.#loaded !== undefined && 'bins' in this.#loaded;
        const isPart = this.#loaded !== undefined && this.#loaded.covers !== this.#whole;
        const words = isPart
            ? l10n.t('{0} that begin from {1} to {2} (UTC)', rowsText(rows), from, to)
            : l10n.t('{0} from {1} to {2} (UTC)', rowsText(rows), from, to);
        const parts = [words, ...(this.#without > 0 ? [l10n.t('{0} without a value', countText(this.#without))] : [])];
        return [...parts, ...(isCounted ? [l10n.t('zoom in to see each of them')] : [])].join(' · ');
    }

    #tableOf(lanes: readonly Lane[]): HTMLElement {
        const lines = lanes.flatMap(({ name, lines: of, bins }) => [
            ...of
                .flat()
                .map(({ row }) => [
                    name ?? '',
                    cellText(row[this.#around.choice.x] ?? ''),
                    this.#around.choice.y === undefined ? '' : cellText(row[this.#around.choice.y] ?? ''),
                ]),
            ...bins.map(bin => [name ?? '', binWords(bin), '']),
        ]);
        const rows = lines.slice(0, LISTED).map(texts => element('tr', {}, ...texts.map(text => element('td', {}, visible(text)))));
        const names = [
            this.#around.choice.by === undefined ? '' : (this.#around.output.columns[this.#around.choice.by]?.name ?? ''),
            this.#around.output.columns[this.#around.choice.x]?.name ?? '',
            this.#around.choice.y === undefined ? '' : (this.#around.output.columns[this.#around.choice.y]?.name ?? ''),
        ];
        const head = element('tr', {}, ...names.map(name => element('th', { scope: 'col' }, visible(name))));
        const more = lines.length > LISTED ? l10n.t('The first {0} of {1} points', LISTED, countText(lines.length)) : undefined;
        return element(
            'div',
            { class: 'chart-points', tabindex: 0 },
            more === undefined ? undefined : element('p', { class: 'muted' }, more),
            element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)),
        );
    }

    /** A row is shown among the rows, a bin is gone into. */
    #open({ meant }: Target): void {
        if ('bin' in meant) {
            this.#goTo(meant.bin);
            return;
        }
        const asked = [this.#around.choice.by, this.#around.choice.x, this.#around.choice.y].filter(column => column !== undefined);
        this.#around.show?.(
            asked.flatMap(column => (meant.mark.row[column] === undefined ? [] : [{ column, cell: meant.mark.row[column] ?? '' }])),
        );
    }

    #targetOf(at: EventTarget | null): number {
        const found = at instanceof Element ? at.closest('.target') : null;
        return found === null ? -1 : this.#targets.findIndex(one => one.element === found);
    }

    #focusOn(index: number): void {
        this.#targets[index]?.element.focus({ preventScroll: true });
        this.#targets[index]?.element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }

    /** In another lane, what begins nearest. */
    #beside(step: 1 | -1): number {
        const from = this.#targets[this.#current];
        if (from === undefined) return -1;
        const lane = from.lane + step;
        const distance = (one: Target): number => Math.abs(one.from - from.from);
        const [first, ...others] = this.#targets.filter(one => one.lane === lane);
        if (first === undefined) return -1;
        return this.#targets.indexOf(others.reduce((nearest, one) => (distance(one) < distance(nearest) ? one : nearest), first));
    }

    #along(step: 1 | -1): number {
        const from = this.#targets[this.#current];
        const lane = this.#targets.filter(one => one.lane === from?.lane).sort((one, other) => one.from - other.from);
        const next = from === undefined ? undefined : lane[lane.indexOf(from) + step];
        return next === undefined ? -1 : this.#targets.indexOf(next);
    }
}
