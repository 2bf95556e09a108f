import { setAttributes } from '../dom.ts';
import type { GridEvents, GridLook } from './grid-look.ts';
import { areaOf, covers, extended, type Place, type Selection, single } from './selection.ts';

/** Selects and opens cells of a grid by the pointer. */
export function takePointer(body: HTMLElement, look: () => GridLook | undefined, { selected, opened }: GridEvents): void {
    let dragging = false;
    body.addEventListener('pointerdown', event => {
        const now = look();
        if (now === undefined) return;
        const number = closest(event.target, '.row-number')?.closest<HTMLElement>('.row');
        const place = placeOf(event.target);
        if (number) selected(wholeRow(Number(number.dataset.row), now));
        else if (place !== undefined && event.button === 2) {
            if (!covers(areaOf(now.selection), place.row, place.column)) selected(single(place));
            return;
        } else if (place !== undefined) {
            if (event.button !== 0) return;
            dragging = true;
            selected(event.shiftKey ? extended(now.selection, place) : single(place));
        }
        event.preventDefault();
    });
    body.addEventListener('pointermove', event => {
        const now = look();
        if (!dragging || now === undefined || (event.buttons & 1) === 0) return;
        const place = placeOf(document.elementFromPoint(event.clientX, event.clientY));
        if (place !== undefined) selected(extended(now.selection, place));
    });
    window.addEventListener('pointerup', () => {
        dragging = false;
    });
    body.addEventListener('dblclick', event => {
        const place = placeOf(event.target);
        if (place !== undefined) opened(place);
    });
    body.addEventListener('pointerover', event => {
        const cell = closest(event.target, '.cell');
        if (cell !== null) setAttributes(cell, { title: cell.scrollWidth > cell.clientWidth ? (cell.textContent ?? '') : undefined });
    });
}

function closest(target: EventTarget | null, selector: string): HTMLElement | null {
    return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}

function placeOf(target: EventTarget | null): Place | undefined {
    const row = closest(target, '.row')?.dataset.row;
    const place = closest(target, '.cell')?.dataset.place;
    return row === undefined || place === undefined ? undefined : { row: Number(row), column: Number(place) };
}

function wholeRow(row: number, { layout }: GridLook): Selection {
    return { anchor: { row, column: 0 }, focus: { row, column: Math.max(0, layout.columns.length - 1) } };
}
