import { element, iconButton, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';
import { clampedWidth, type ShownColumn } from './column-layout.ts';
import { readFilter } from './filter-text.ts';
import type { GridLook } from './grid.ts';
import type { SortKey } from './narrowing.ts';

export interface HeaderEvents {
    /** A click on a header; `extend` adds a key to those that are there. */
    sorted(column: number, extend: boolean): void;
    resized(column: number, width: number): void;
    fitted(column: number): void;
    filtered(column: number, text: string): void;
    operatorsAsked(column: number, button: HTMLElement): void;
    headerFocused(place: number): void;
    /** A column was dragged to the place of another. */
    columnMoved(column: number, to: number): void;
    menuAsked(column: number, header: HTMLElement): void;
}

export interface GridHeader {
    readonly root: HTMLElement;
    /** Draws the headers of these places; those before `pinned` stay in sight, as far as `end`. */
    draw(look: GridLook, places: ReadonlySet<number>, pinned: number, end: number): void;
    clear(): void;
    cell(place: number): HTMLElement | undefined;
    focusFilter(place: number): void;
}

/** Pixels after which a press on a header drags it. */
const DRAG = 6;

interface DrawnHeader {
    readonly cell: HTMLElement;
    readonly mark: HTMLElement;
    readonly filter: HTMLElement;
    readonly input: HTMLInputElement;
}

/** The names of the columns, and below them, when it is shown, the row of filters. */
export function createGridHeader(events: HeaderEvents): GridHeader {
    const cornerName = element('span', { class: 'visually-hidden' }, l10n.t('Row number'));
    const corner = element('div', { class: 'corner', role: 'columnheader', 'aria-colindex': 1 }, cornerName);
    const names = element('div', { class: 'names', role: 'row', 'aria-rowindex': 1 }, corner);
    const filterCorner = element('div', { class: 'corner', role: 'gridcell' }, icon('filter'));
    const filters = element('div', { class: 'filters', role: 'row' }, filterCorner);
    const root = element('div', { class: 'head', role: 'rowgroup' }, names, filters);
    const pinnedNames = element('div', { class: 'pinned', role: 'presentation', hidden: true });
    const pinnedFilters = element('div', { class: 'pinned', role: 'presentation', hidden: true });
    names.append(pinnedNames);
    filters.append(pinnedFilters);
    const drawn = new Map<number, DrawnHeader>();

    /** Lets a header be dragged to the place of another; a click that ends a drag sorts nothing. */
    const dragged = (cell: HTMLElement, column: number): (() => boolean) => {
        let target: HTMLElement | undefined;
        let moves = false;
        const mark = (next: HTMLElement | undefined): void => {
            target?.classList.remove('drop');
            target = next;
            target?.classList.add('drop');
        };
        cell.addEventListener('pointerdown', event => {
            if (event.button !== 0 || (event.target instanceof Element && event.target.closest('.resizer'))) return;
            const from = event.clientX;
            moves = false;
            const move = (moved: PointerEvent): void => {
                if (!moves && Math.abs(moved.clientX - from) < DRAG) return;
                if (!moves) cell.setPointerCapture(event.pointerId);
                moves = true;
                cell.classList.add('dragged');
                const below = document.elementFromPoint(moved.clientX, moved.clientY)?.closest<HTMLElement>('.header') ?? undefined;
                mark(below === cell || below === undefined || !names.contains(below) ? undefined : below);
            };
            const end = (): void => {
                window.removeEventListener('pointermove', move);
                cell.classList.remove('dragged');
                const to = target?.dataset.column;
                mark(undefined);
                if (to !== undefined) events.columnMoved(column, Number(to));
            };
            window.addEventListener('pointermove', move);
            window.addEventListener('pointerup', end, { once: true });
        });
        return () => moves;
    };

    const create = (place: number, shown: ShownColumn, isPinned: boolean): DrawnHeader => {
        const mark = element('span', { class: 'sort-mark' });
        const cell = element(
            'div',
            {
                class: 'header',
                role: 'columnheader',
                'aria-colindex': place + 2,
                tabindex: -1,
                title: `${shown.column.name}: ${shown.column.type}`,
            },
            element('span', { class: 'name' }, visible(shown.column.name)),
            element('span', { class: 'type' }, shown.column.type),
            mark,
            resizer(cell => widthOf(cell), shown.index),
        );
        cell.dataset.shape = shown.column.shape;
        cell.dataset.column = String(shown.index);
        const wasDragged = dragged(cell, shown.index);
        cell.addEventListener('contextmenu', event => {
            event.preventDefault();
            event.stopPropagation();
            events.headerFocused(place);
            events.menuAsked(shown.index, cell);
        });
        cell.addEventListener('click', event => {
            if (wasDragged()) return;
            if (event.target instanceof Element && event.target.closest('.resizer')) return;
            events.headerFocused(place);
            events.sorted(shown.index, event.shiftKey);
        });
        const input = element('input', {
            type: 'text',
            spellcheck: 'false',
            'aria-label': l10n.t('Filter {0}', shown.column.name),
            placeholder: l10n.t('filter'),
        });
        input.addEventListener('input', () => events.filtered(shown.index, input.value));
        input.addEventListener('keydown', event => {
            if (!event.altKey || event.key !== 'ArrowDown') return;
            event.preventDefault();
            event.stopPropagation();
            events.operatorsAsked(shown.index, input);
        });
        const operators: HTMLButtonElement = iconButton(icon('descending'), l10n.t('Kinds of filter for {0}', shown.column.name), () =>
            events.operatorsAsked(shown.index, operators),
        );
        operators.classList.add('operators');
        // Tab goes from filter to filter; Alt and an arrow key open the kinds of one.
        operators.tabIndex = -1;
        operators.replaceChildren(element('span', {}, '⋯'));
        const filter = element('div', { class: 'filter', role: 'gridcell', 'aria-colindex': place + 2 }, input, operators);
        (isPinned ? pinnedNames : names).append(cell);
        (isPinned ? pinnedFilters : filters).append(filter);
        const made = { cell, mark, filter, input };
        drawn.set(place, made);
        return made;
    };

    const widthOf = (handle: HTMLElement): number => handle.parentElement?.offsetWidth ?? 0;
    const resizer = (width: (handle: HTMLElement) => number, column: number): HTMLElement => {
        const handle = element('div', { class: 'resizer', 'aria-hidden': 'true' });
        handle.addEventListener('pointerdown', event => {
            if (event.button !== 0) return;
            event.preventDefault();
            event.stopPropagation();
            handle.setPointerCapture(event.pointerId);
            const [start, from] = [event.clientX, width(handle)];
            const move = (moved: PointerEvent): void => events.resized(column, clampedWidth(from + moved.clientX - start));
            handle.addEventListener('pointermove', move);
            handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true });
        });
        handle.addEventListener('dblclick', event => {
            event.stopPropagation();
            events.fitted(column);
        });
        return handle;
    };

    const drawSort = (header: DrawnHeader, shown: ShownColumn, sort: readonly SortKey[]): void => {
        const position = sort.findIndex(key => key.column === shown.index);
        const key = sort[position];
        const sorted = key === undefined ? 'none' : key.descending ? 'descending' : 'ascending';
        if (header.cell.getAttribute('aria-sort') !== sorted || header.mark.dataset.keys !== `${position}/${sort.length}`) {
            header.mark.dataset.keys = `${position}/${sort.length}`;
            const order = sort.length > 1 && key !== undefined ? element('span', { class: 'sort-order' }, String(position + 1)) : undefined;
            header.mark.replaceChildren(...(key === undefined ? [] : [icon(key.descending ? 'descending' : 'ascending'), order ?? '']));
        }
        setAttributes(header.cell, { 'aria-sort': sorted });
    };

    return {
        root,
        clear() {
            for (const { cell, filter } of drawn.values()) {
                cell.remove();
                filter.remove();
            }
            drawn.clear();
        },
        draw({ layout, sort, filterRow, filters: texts, selection }, places, pinned, end) {
            root.style.width = `${layout.width}px`;
            corner.style.width = `${layout.numbers}px`;
            filterCorner.style.width = `${layout.numbers}px`;
            filters.hidden = !filterRow;
            for (const part of [pinnedNames, pinnedFilters]) {
                part.hidden = pinned === 0;
                part.style.left = `${layout.numbers}px`;
                part.style.width = `${end - layout.numbers}px`;
            }
            for (const [place, header] of drawn) {
                const inUse = header.cell.contains(document.activeElement) || header.filter.contains(document.activeElement);
                if (places.has(place)) continue;
                if (inUse) continue;
                header.cell.remove();
                header.filter.remove();
                drawn.delete(place);
            }
            for (const [place, shown] of layout.columns.entries()) {
                if (!places.has(place) && !drawn.has(place)) continue;
                const isPinned = place < pinned;
                const header = drawn.get(place) ?? create(place, shown, isPinned);
                for (const part of [header.cell, header.filter]) {
                    part.style.left = `${shown.left - (isPinned ? layout.numbers : 0)}px`;
                    part.style.width = `${shown.width}px`;
                }
                drawSort(header, shown, sort);
                const text = texts.get(shown.index) ?? '';
                if (header.input.value !== text && header.input !== document.activeElement) header.input.value = text;
                header.filter.classList.toggle('active', text !== '');
                const read = readFilter(text, shown.index, shown.column.shape);
                const fault = read.kind === 'fault' ? read.fault : undefined;
                setAttributes(header.input, { 'aria-invalid': fault === undefined ? undefined : 'true', title: fault });
                header.filter.classList.toggle('faulty', fault !== undefined);
                const isFocus = selection.focus.row < 0 && selection.focus.column === place;
                header.cell.tabIndex = isFocus ? 0 : -1;
            }
        },
        cell: place => drawn.get(place)?.cell,
        focusFilter(place) {
            const input = drawn.get(place)?.input;
            input?.focus();
            input?.select();
        },
    };
}
