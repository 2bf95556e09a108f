import { element, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import type { ShownColumn } from './column-layout.ts';
import { readFilter } from './filter-text.ts';
import type { GridLook } from './grid-look.ts';
import { type DrawnHeader, type HeaderEvents, newHeader } from './header-cell.ts';
import type { SortKey } from './narrowing.ts';

export interface GridHeader {
    readonly root: HTMLElement;
    /** Draws the headers of these places; those before `pinned` stay in sight, as far as `end`. */
    draw(look: GridLook, places: ReadonlySet<number>, pinned: number, end: number): void;
    clear(): void;
    cell(place: number): HTMLElement | undefined;
    focusFilter(place: number): void;
}

/** The names of the columns, and below them, when it is shown, the row of filters. */
export function createGridHeader(events: HeaderEvents): GridHeader {
    const names = headerRow(
        'names',
        { role: 'columnheader', 'aria-colindex': 1 },
        element('span', { class: 'visually-hidden' }, l10n.t('Row number')),
    );
    const filters = headerRow('filters', { role: 'gridcell' }, icon('filter'));
    setAttributes(names.root, { 'aria-rowindex': 1 });
    const root = element('div', { class: 'head', role: 'rowgroup' }, names.root, filters.root);
    const drawn = new Map<number, DrawnHeader>();
    const create = (place: number, shown: ShownColumn, isPinned: boolean): DrawnHeader => {
        const made = newHeader(place, shown, events);
        (isPinned ? names.pinned : names.root).append(made.cell);
        (isPinned ? filters.pinned : filters.root).append(made.filter);
        drawn.set(place, made);
        return made;
    };
    const remove = (place: number, { cell, filter }: DrawnHeader): void => {
        cell.remove();
        filter.remove();
        drawn.delete(place);
    };
    return {
        root,
        clear() {
            for (const [place, header] of drawn) remove(place, header);
        },
        draw(look, places, pinned, end) {
            const { layout } = look;
            root.style.width = `${layout.width}px`;
            filters.root.hidden = !look.filterRow;
            for (const row of [names, filters]) placeRow(row, layout.numbers, pinned === 0 ? undefined : end);
            for (const [place, header] of drawn) {
                const isInUse = header.cell.contains(document.activeElement) || header.filter.contains(document.activeElement);
                if (!places.has(place) && !isInUse) remove(place, header);
            }
            for (const [place, shown] of layout.columns.entries()) {
                if (!places.has(place) && !drawn.has(place)) continue;
                const isPinned = place < pinned;
                const header = drawn.get(place) ?? create(place, shown, isPinned);
                for (const part of [header.cell, header.filter]) {
                    part.style.left = `${shown.left - (isPinned ? layout.numbers : 0)}px`;
                    part.style.width = `${shown.width}px`;
                }
                drawHeader(header, place, shown, look);
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

/** A row of the header, and in it the part that stays in sight. */
interface HeaderRow {
    readonly root: HTMLElement;
    readonly corner: HTMLElement;
    readonly pinned: HTMLElement;
}

function headerRow(name: string, attributes: Parameters<typeof element>[1], inCorner: Element): HeaderRow {
    const corner = element('div', { class: 'corner', ...attributes }, inCorner);
    const pinned = element('div', { class: 'pinned', role: 'presentation', hidden: true });
    return { root: element('div', { class: name, role: 'row' }, corner, pinned), corner, pinned };
}

/** Gives the part that stays in sight its place, from the row numbers to `end`; undefined if there is none. */
function placeRow({ corner, pinned }: HeaderRow, numbers: number, end: number | undefined): void {
    corner.style.width = `${numbers}px`;
    pinned.hidden = end === undefined;
    pinned.style.left = `${numbers}px`;
    pinned.style.width = `${(end ?? numbers) - numbers}px`;
}

function drawHeader(header: DrawnHeader, place: number, shown: ShownColumn, { sort, filters, selection }: GridLook): void {
    drawSort(header, shown, sort);
    const text = filters.get(shown.index) ?? '';
    if (header.input.value !== text && header.input !== document.activeElement) header.input.value = text;
    header.filter.classList.toggle('active', text !== '');
    const read = readFilter(text, shown.index, shown.column.shape);
    const fault = read.kind === 'fault' ? read.fault : undefined;
    setAttributes(header.input, { 'aria-invalid': fault === undefined ? undefined : 'true', title: fault });
    header.filter.classList.toggle('faulty', fault !== undefined);
    header.cell.tabIndex = selection.focus.row < 0 && selection.focus.column === place ? 0 : -1;
}

function drawSort(header: DrawnHeader, shown: ShownColumn, sort: readonly SortKey[]): void {
    const position = sort.findIndex(key => key.column === shown.index);
    const key = sort[position];
    const sorted = key === undefined ? 'none' : key.descending ? 'descending' : 'ascending';
    if (header.cell.getAttribute('aria-sort') !== sorted || header.mark.dataset.keys !== `${position}/${sort.length}`) {
        header.mark.dataset.keys = `${position}/${sort.length}`;
        const order = sort.length > 1 && key !== undefined ? element('span', { class: 'sort-order' }, String(position + 1)) : undefined;
        header.mark.replaceChildren(...(key === undefined ? [] : [icon(key.descending ? 'descending' : 'ascending'), order ?? '']));
    }
    setAttributes(header.cell, { 'aria-sort': sorted });
}
