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
export function timeline({ source, output, view, choice, said, failed, show }: ChartContext): ChartBody {
    const { x, y, by } = choice;
    const { columns } = output;
    /** Shorter stretches show nothing more. */
    const unit = columns[x]?.type === 'date' && (y === undefined || columns[y]?.type === 'date') ? DAY : 1;
    const named = columns.findIndex((_, index) => index !== x && index !== y && index !== by);
    let whole: Stretch | undefined;
    let stretch: Stretch = { from: 0, to: 1 };
    let loaded: Loaded | undefined;
    /** Rows without a begin. */
    let without = 0;
    let drawn: TimelineDrawing | undefined;
    let targets: readonly Target[] = [];
    let current = 0;
    /** Answers to earlier questions are of no use once another is asked. */
    let question = 0;
    let isGone = false;
    let drag: { readonly x: number; readonly from: Stretch; isFar: boolean } | undefined;
    let drawnWidth = 0;

    const bar = element(
        'div',
        { class: 'chart-tools' },
        wordButton('←', () => pan(-0.5), l10n.t('Earlier (Shift+Left)')),
        wordButton('→', () => pan(0.5), l10n.t('Later (Shift+Right)')),
        element(
            'span',
            { class: 'chart-zoom' },
            wordButton('−', () => zoomBy(2), l10n.t('Zoom out')),
            wordButton('+', () => zoomBy(0.5), l10n.t('Zoom in')),
            wordButton(l10n.t('Fit'), () => showWhole(), l10n.t('Fit to the view')),
        ),
    );
    const axis = element('div', { class: 'timeline-head' });
    const canvas = element('div', { class: 'chart-canvas scrolled timeline-lanes', tabindex: -1 });
    const table = element('details', { class: 'chart-table' }, element('summary', {}, l10n.t('The points as a table')));

    const pageOf = (filters: readonly RowFilter[], offset: number, limit: number, sort?: RowView['sort']) =>
        source.page({ ...view, filters: [...(view.filters ?? []), ...filters], ...(sort && { sort }) }, offset, limit);
    const timeOf = (cell: Cell | undefined): number | undefined => (cell === undefined ? undefined : numberOf(cellText(cell), 'time'));
    const edgeOf = async (column: number, descending: boolean): Promise<{ at: number | undefined; matching: number }> => {
        const known = { column, operator: 'known', value: '' } as const;
        const { cells, matching } = await pageOf([known], 0, 1, [{ column, descending }]);
        return { at: timeOf(cells[0]?.[column]), matching };
    };
    const findWhole = async (): Promise<void> => {
        const { matching } = await pageOf([], 0, 1);
        const first = await edgeOf(x, false);
        without = matching - first.matching;
        const ends = [(await edgeOf(x, true)).at, ...(y === undefined ? [] : [(await edgeOf(y, false)).at, (await edgeOf(y, true)).at])];
        const moments = [first.at, ...ends].filter(at => at !== undefined);
        if (first.at === undefined || moments.length === 0) {
            canvas.replaceChildren(element('p', { class: 'muted' }, l10n.t('There is nothing to draw: choose another column.')));
            return;
        }
        const [from, to] = [Math.min(...moments), Math.max(...moments)];
        const margin = Math.max(unit, (to - from) * MARGIN);
        whole = { from: from - margin, to: to + margin };
        stretch = whole;
        await load();
    };
    const load = async (): Promise<void> => {
        const mine = ++question;
        const covers = stretch;
        // All rows with a begin are between the ends of the whole, those that have begun before are in it too.
        const inside: readonly RowFilter[] =
            covers === whole
                ? [{ column: x, operator: 'known', value: '' }]
                : [
                      { column: x, operator: 'atLeast', value: writtenMoment(covers.from) },
                      { column: x, operator: 'atMost', value: writtenMoment(covers.to) },
                  ];
        const rows: (readonly Cell[])[] = [];
        let matching = 1;
        while (rows.length < matching) {
            const page = await pageOf(inside, rows.length, PAGE);
            if (mine !== question || isGone) return;
            ({ matching } = page);
            if (matching > MOST_ROWS || page.cells.length === 0) break;
            rows.push(...page.cells);
        }
        if (matching <= MOST_ROWS) {
            loaded = { covers, marks: marksOf(rows, x, y) };
            draw();
            return;
        }
        const bins: Bin[] = [];
        for (const bin of binsOf(covers, BINS, unit)) {
            const { matching: begun } = await pageOf(
                [
                    { column: x, operator: 'atLeast', value: writtenMoment(bin.from) },
                    { column: x, operator: 'less', value: writtenMoment(bin.to) },
                ],
                0,
                1,
            );
            if (mine !== question || isGone) return;
            if (begun > 0) bins.push({ ...bin, rows: begun });
        }
        loaded = { covers, bins };
        draw();
    };
    const loadSoon = debounced(150, () => {
        load().catch(failed);
    });
    const goTo = ({ from, to }: Stretch): void => {
        if (whole === undefined) return;
        const length = Math.min(whole.to - whole.from, Math.max(unit * 2, to - from));
        const first = Math.min(whole.to - length, Math.max(whole.from, (from + to - length) / 2));
        stretch = length === whole.to - whole.from ? whole : { from: first, to: first + length };
        draw();
        const has = loaded !== undefined && 'marks' in loaded && loaded.covers.from <= stretch.from && loaded.covers.to >= stretch.to;
        if (!has) loadSoon();
    };
    const showWhole = (): void => {
        if (whole !== undefined) goTo(whole);
    };
    const zoomBy = (factor: number, at = (stretch.from + stretch.to) / 2): void =>
        goTo({ from: at - (at - stretch.from) * factor, to: at + (stretch.to - at) * factor });
    const pan = (part: number): void => {
        const step = (stretch.to - stretch.from) * part;
        goTo({ from: stretch.from + step, to: stretch.to + step });
    };
    const lanesNow = (width: number): Lane[] => {
        if (loaded === undefined) return [];
        if ('marks' in loaded) return lanesOf(loaded.marks, by, stretch, { least: leastLength(stretch, width), bin: unit });
        const bins = loaded.bins.filter(({ from, to }) => from <= stretch.to && to >= stretch.from);
        return [{ name: undefined, rows: bins.reduce((sum, { rows }) => sum + rows, 0), lines: [], bins }];
    };
    const draw = (): void => {
        const width = canvas.clientWidth;
        if (loaded === undefined || width < 20 || isGone) return;
        drawnWidth = width;
        const before = targets[current]?.words;
        const had = canvas.contains(document.activeElement);
        const lanes = lanesNow(width);
        drawn = drawLanes(lanes, stretch, width, { columns, named: named < 0 ? undefined : named });
        ({ targets } = drawn);
        axis.replaceChildren(drawn.axis);
        canvas.replaceChildren(drawn.lanes);
        const kept = targets.findIndex(({ words }) => words === before);
        current = Math.max(0, kept);
        targets[current]?.element.setAttribute('tabindex', '0');
        if (had) (targets[current]?.element ?? canvas).focus({ preventScroll: true });
        table.replaceChildren(table.firstElementChild ?? '', tableOf(lanes));
        said(saidOf(lanes));
    };
    const saidOf = (lanes: readonly Lane[]): string => {
        const rows = lanes.reduce((sum, lane) => sum + lane.rows, 0);
        const [from, to] = writtenStretch(stretch);
        const isCounted = loaded !== undefined && 'bins' in loaded;
        const isPart = loaded !== undefined && loaded.covers !== whole;
        const words = isPart
            ? l10n.t('{0} that begin from {1} to {2} (UTC)', rowsText(rows), from, to)
            : l10n.t('{0} from {1} to {2} (UTC)', rowsText(rows), from, to);
        const parts = [words, ...(without > 0 ? [l10n.t('{0} without a value', countText(without))] : [])];
        return [...parts, ...(isCounted ? [l10n.t('zoom in to see each of them')] : [])].join(' · ');
    };
    const tableOf = (lanes: readonly Lane[]): HTMLElement => {
        const lines = lanes.flatMap(({ name, lines: of, bins }) => [
            ...of.flat().map(({ row }) => [name ?? '', cellText(row[x] ?? ''), y === undefined ? '' : cellText(row[y] ?? '')]),
            ...bins.map(bin => [name ?? '', binWords(bin), '']),
        ]);
        const rows = lines.slice(0, LISTED).map(texts => element('tr', {}, ...texts.map(text => element('td', {}, visible(text)))));
        const names = [
            by === undefined ? '' : (columns[by]?.name ?? ''),
            columns[x]?.name ?? '',
            y === undefined ? '' : (columns[y]?.name ?? ''),
        ];
        const head = element('tr', {}, ...names.map(name => element('th', { scope: 'col' }, visible(name))));
        const more = lines.length > LISTED ? l10n.t('The first {0} of {1} points', LISTED, countText(lines.length)) : undefined;
        return element(
            'div',
            { class: 'chart-points', tabindex: 0 },
            more === undefined ? undefined : element('p', { class: 'muted' }, more),
            element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)),
        );
    };
    /** A row is shown among the rows, a bin is gone into. */
    const open = ({ meant }: Target): void => {
        if ('bin' in meant) {
            goTo(meant.bin);
            return;
        }
        const asked = [by, x, y].filter(column => column !== undefined);
        show?.(asked.flatMap(column => (meant.mark.row[column] === undefined ? [] : [{ column, cell: meant.mark.row[column] ?? '' }])));
    };
    const targetOf = (at: EventTarget | null): number => {
        const found = at instanceof Element ? at.closest('.target') : null;
        return found === null ? -1 : targets.findIndex(one => one.element === found);
    };
    const focusOn = (index: number): void => {
        targets[index]?.element.focus({ preventScroll: true });
        targets[index]?.element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };
    /** In another lane, what begins nearest. */
    const beside = (step: 1 | -1): number => {
        const from = targets[current];
        if (from === undefined) return -1;
        const lane = from.lane + step;
        const distance = (one: Target): number => Math.abs(one.from - from.from);
        const [first, ...others] = targets.filter(one => one.lane === lane);
        if (first === undefined) return -1;
        return targets.indexOf(others.reduce((nearest, one) => (distance(one) < distance(nearest) ? one : nearest), first));
    };
    const along = (step: 1 | -1): number => {
        const from = targets[current];
        const lane = targets.filter(one => one.lane === from?.lane).sort((one, other) => one.from - other.from);
        const next = from === undefined ? undefined : lane[lane.indexOf(from) + step];
        return next === undefined ? -1 : targets.indexOf(next);
    };
    canvas.addEventListener('focusin', event => {
        const index = targetOf(event.target);
        const chosen = targets[index];
        if (chosen === undefined) return;
        targets[current]?.element.setAttribute('tabindex', '-1');
        chosen.element.setAttribute('tabindex', '0');
        current = index;
        // Longer words would move what is under the pointer before it is let go.
        if (drag === undefined) said(chosen.words);
    });
    canvas.addEventListener('keydown', event => {
        drag = undefined;
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const chosen = targets[current];
        if (event.shiftKey && event.key === 'ArrowLeft') pan(-0.25);
        else if (event.shiftKey && event.key === 'ArrowRight') pan(0.25);
        else if (event.key === 'ArrowRight') focusOn(along(1));
        else if (event.key === 'ArrowLeft') focusOn(along(-1));
        else if (event.key === 'ArrowDown') focusOn(beside(1));
        else if (event.key === 'ArrowUp') focusOn(beside(-1));
        else if (event.key === 'Home') focusOn(0);
        else if (event.key === 'End') focusOn(targets.length - 1);
        else if (event.key === '+') zoomBy(0.5, chosen?.from);
        else if (event.key === '-') zoomBy(2, chosen?.from);
        else if (event.key === '0') showWhole();
        else if ((event.key === 'Enter' || event.key === ' ') && chosen !== undefined) open(chosen);
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    canvas.addEventListener(
        'wheel',
        event => {
            if (!event.ctrlKey && !event.metaKey) return;
            event.preventDefault();
            const part = (event.clientX - canvas.getBoundingClientRect().left) / Math.max(1, canvas.clientWidth);
            zoomBy(event.deltaY < 0 ? 0.8 : 1.25, stretch.from + part * (stretch.to - stretch.from));
        },
        { passive: false },
    );
    canvas.addEventListener('pointerdown', event => {
        drag = { x: event.clientX, from: stretch, isFar: false };
    });
    canvas.addEventListener('pointermove', event => {
        if (drag === undefined || event.buttons !== 1) return;
        const moved = event.clientX - drag.x;
        if (!drag.isFar && Math.abs(moved) < DRAG) return;
        if (!drag.isFar) canvas.setPointerCapture(event.pointerId);
        drag.isFar = true;
        const step = (moved / Math.max(1, canvas.clientWidth)) * (drag.from.to - drag.from.from);
        goTo({ from: drag.from.from - step, to: drag.from.to - step });
    });
    canvas.addEventListener('click', event => {
        const chosen = targets[targetOf(event.target)];
        if (chosen !== undefined && drag?.isFar !== true) open(chosen);
        drag = undefined;
    });
    const resized = new ResizeObserver(() => {
        if (canvas.clientWidth !== drawnWidth) draw();
    });
    resized.observe(canvas);
    findWhole().catch(failed);
    return {
        parts: [bar, axis, canvas, table],
        picture: () => drawn && { ...timelinePicture(drawn), note: saidOf(lanesNow(drawnWidth)) },
        focus: () => (targets[current]?.element ?? canvas).focus(),
        dispose() {
            isGone = true;
            resized.disconnect();
        },
    };
}
