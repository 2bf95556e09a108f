import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';
import { clampedWidth, type ShownColumn } from './column-layout.ts';

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

/** Pixels after which a press on a header drags it. */
const DRAG = 6;

/** The elements of a column in the header: its name, and its filter below. */
export interface DrawnHeader {
    readonly cell: HTMLElement;
    readonly mark: HTMLElement;
    readonly filter: HTMLElement;
    readonly input: HTMLInputElement;
}

export function newHeader(place: number, shown: ShownColumn, events: HeaderEvents): DrawnHeader {
    const mark = element('span', { class: 'sort-mark' });
    return { cell: nameCell(place, shown, mark, events), mark, ...filterCell(place, shown, events) };
}

function nameCell(place: number, { index, column }: ShownColumn, mark: HTMLElement, events: HeaderEvents): HTMLElement {
    const cell = element(
        'div',
        { class: 'header', role: 'columnheader', 'aria-colindex': place + 2, tabindex: -1, title: `${column.name}: ${column.type}` },
        element('span', { class: 'name' }, visible(column.name)),
        element('span', { class: 'type' }, column.type),
        mark,
        resizer(index, events),
    );
    cell.dataset.shape = column.shape;
    cell.dataset.column = String(index);
    const wasDragged = takeDrags(cell, index, events.columnMoved);
    cell.addEventListener('contextmenu', event => {
        event.preventDefault();
        event.stopPropagation();
        events.headerFocused(place);
        events.menuAsked(index, cell);
    });
    cell.addEventListener('click', event => {
        if (wasDragged()) return;
        if (event.target instanceof Element && event.target.closest('.resizer')) return;
        events.headerFocused(place);
        events.sorted(index, event.shiftKey);
    });
    return cell;
}

function filterCell(place: number, { index, column }: ShownColumn, events: HeaderEvents): Pick<DrawnHeader, 'filter' | 'input'> {
    const input = element('input', {
        type: 'text',
        spellcheck: 'false',
        'aria-label': l10n.t('Filter {0}', column.name),
        placeholder: l10n.t('filter'),
    });
    input.addEventListener('input', () => events.filtered(index, input.value));
    input.addEventListener('keydown', event => {
        if (!event.altKey || event.key !== 'ArrowDown') return;
        event.preventDefault();
        event.stopPropagation();
        events.operatorsAsked(index, input);
    });
    const operators: HTMLButtonElement = iconButton(icon('descending'), l10n.t('Kinds of filter for {0}', column.name), () =>
        events.operatorsAsked(index, operators),
    );
    operators.classList.add('operators');
    // Tab goes from filter to filter; Alt and an arrow key open the kinds of one.
    operators.tabIndex = -1;
    operators.replaceChildren(element('span', {}, '⋯'));
    return { filter: element('div', { class: 'filter', role: 'gridcell', 'aria-colindex': place + 2 }, input, operators), input };
}

/** Lets a header be dragged to the place of another. Returns whether the last press was a drag, whose click sorts nothing. */
function takeDrags(cell: HTMLElement, column: number, moved: (column: number, to: number) => void): () => boolean {
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
        const move = (to: PointerEvent): void => {
            if (!moves && Math.abs(to.clientX - from) < DRAG) return;
            if (!moves) cell.setPointerCapture(event.pointerId);
            moves = true;
            cell.classList.add('dragged');
            const below = document.elementFromPoint(to.clientX, to.clientY)?.closest<HTMLElement>('.header') ?? undefined;
            mark(below === cell || below === undefined || !cell.closest('.names')?.contains(below) ? undefined : below);
        };
        const end = (): void => {
            window.removeEventListener('pointermove', move);
            cell.classList.remove('dragged');
            const to = target?.dataset.column;
            mark(undefined);
            if (to !== undefined) moved(column, Number(to));
        };
        window.addEventListener('pointermove', move);
        window.addEventListener('pointerup', end, { once: true });
    });
    return () => moves;
}

function resizer(column: number, { resized, fitted }: HeaderEvents): HTMLElement {
    const handle = element('div', { class: 'resizer', 'aria-hidden': 'true' });
    handle.addEventListener('pointerdown', event => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.stopPropagation();
        handle.setPointerCapture(event.pointerId);
        const [start, from] = [event.clientX, handle.parentElement?.offsetWidth ?? 0];
        const move = (moved: PointerEvent): void => resized(column, clampedWidth(from + moved.clientX - start));
        handle.addEventListener('pointermove', move);
        handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true });
    });
    handle.addEventListener('dblclick', event => {
        event.stopPropagation();
        fitted(column);
    });
    return handle;
}
