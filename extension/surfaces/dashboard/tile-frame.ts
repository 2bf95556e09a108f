import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';
import type { Tile } from './definition.ts';
import type { Area, Step } from './layout.ts';
import type { TileContent } from './tile-content.ts';

export interface TileEvents {
    /** The area that it would have where the pointer is, or that it has got there. */
    dragged(area: Area, isEnd: boolean): void;
    /** As if nothing had been dragged. */
    dropped(): void;
    stepped(step: Step): void;
    settingsAsked(): void;
    removed(): void;
    /** Opens what it shows; absent where that is nothing. */
    open?: (() => void) | undefined;
}

/** The frame of a tile, which is moved and sized by its bar, its corner and keys. */
export interface TileFrame {
    readonly root: HTMLElement;
    place(area: Area): void;
    fill(content: TileContent): void;
    busy(isBusy: boolean): void;
    dispose(): void;
}

/** Pixels between tiles, and of a row. */
const GAP = 8;
const ROW = 40;

const STEPS: Readonly<Record<string, readonly [plain: Step, shifted: Step]>> = {
    ArrowLeft: ['left', 'narrower'],
    ArrowRight: ['right', 'wider'],
    ArrowUp: ['up', 'lower'],
    ArrowDown: ['down', 'higher'],
};

export function tileFrame(tile: Tile, isEdited: boolean, grid: HTMLElement, events: TileEvents): TileFrame {
    const { title, content } = tile;
    const name = nameOfTile(tile);
    const bar = element(
        'header',
        { class: 'tile-bar' },
        element('h2', { class: 'tile-title' }, title === '' && isEdited ? name : visible(title)),
        toolsOf(tile, isEdited, events),
    );
    // A tile of text alone needs no bar to be read.
    bar.hidden = !isEdited && title === '' && (content.kind === 'text' || content.kind === 'parameter');
    const body = element('div', { class: 'tile-body' });
    const corner = element('div', { class: 'tile-corner', 'aria-hidden': true });
    corner.hidden = !isEdited;
    const root = element(
        'section',
        {
            class: isEdited ? 'tile is-edited' : 'tile',
            'data-kind': content.kind,
            'aria-label': name,
            'data-tile': tile.id,
            ...(isEdited && { tabindex: 0, 'aria-describedby': 'dashboard-keys' }),
        },
        bar,
        body,
        corner,
    );
    let area: Area = tile;
    let shown: TileContent | undefined;
    if (isEdited) {
        const dragged = { root, grid, area: () => area, events };
        drag(bar, dragged, (x, y) => ({ x, y, width: 0, height: 0 }));
        drag(corner, dragged, (width, height) => ({ x: 0, y: 0, width, height }));
        takeKeys(root, events);
    }
    const place = (next: Area): void => {
        area = next;
        root.style.gridColumn = `${next.x + 1} / span ${next.width}`;
        root.style.gridRow = `${next.y + 1} / span ${next.height}`;
    };
    place(tile);
    return {
        root,
        place,
        fill(next) {
            shown?.dispose();
            shown = next;
            body.replaceChildren(next.root);
        },
        busy(isBusy) {
            root.toggleAttribute('aria-busy', isBusy);
            root.classList.toggle('is-busy', isBusy);
        },
        dispose: () => shown?.dispose(),
    };
}

function toolsOf(tile: Tile, isEdited: boolean, { settingsAsked, removed, open }: TileEvents): HTMLElement {
    const name = nameOfTile(tile);
    const change = (): HTMLElement => iconButton(icon('settings'), l10n.t('Change {0}', name), () => settingsAsked());
    const remove = (): HTMLElement => iconButton(icon('close'), l10n.t('Remove {0}', name), () => removed());
    const shown = open === undefined ? [] : [iconButton(icon('open'), l10n.t('Open {0}', name), open)];
    const edited = tile.content.kind === 'unknown' ? [remove()] : [change(), remove()];
    return element('div', { class: 'tile-tools' }, ...(isEdited ? edited : shown));
}

/** A tile whose area follows the pointer. */
interface Dragged {
    readonly root: HTMLElement;
    readonly grid: HTMLElement;
    area(): Area;
    readonly events: TileEvents;
}

function drag(handle: HTMLElement, { root, grid, area, events }: Dragged, moved: (columns: number, rows: number) => Area): void {
    handle.addEventListener('pointerdown', event => {
        if (event.button !== 0 || (event.target instanceof Element && event.target.closest('button') !== null)) return;
        event.preventDefault();
        handle.setPointerCapture(event.pointerId);
        const from = area();
        const column = (grid.clientWidth + GAP) / 12;
        const at = ({ clientX, clientY }: PointerEvent): Area => {
            const to = moved(Math.round((clientX - event.clientX) / column), Math.round((clientY - event.clientY) / (ROW + GAP)));
            return { x: from.x + to.x, y: from.y + to.y, width: from.width + to.width, height: from.height + to.height };
        };
        const follow = (next: PointerEvent): void => events.dragged(at(next), false);
        const stop = (next: PointerEvent | KeyboardEvent): void => {
            if (next instanceof KeyboardEvent && next.key !== 'Escape') return;
            handle.removeEventListener('pointermove', follow);
            handle.removeEventListener('pointerup', stop);
            handle.removeEventListener('pointercancel', stop);
            document.removeEventListener('keydown', stop, true);
            root.classList.remove('is-dragged');
            if (next instanceof PointerEvent && next.type === 'pointerup') events.dragged(at(next), true);
            else events.dropped();
            next.stopPropagation();
        };
        root.classList.add('is-dragged');
        handle.addEventListener('pointermove', follow);
        handle.addEventListener('pointerup', stop);
        handle.addEventListener('pointercancel', stop);
        document.addEventListener('keydown', stop, true);
    });
}

/** Moves and sizes a tile by keys. */
function takeKeys(root: HTMLElement, events: TileEvents): void {
    root.addEventListener('keydown', event => {
        if (event.target !== root || event.ctrlKey || event.metaKey || event.altKey) return;
        const [plain, shifted] = STEPS[event.key] ?? [];
        const step = event.shiftKey ? shifted : plain;
        if (step !== undefined) events.stepped(step);
        else if (event.key === 'Enter') events.settingsAsked();
        else if (event.key === 'Delete') events.removed();
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
}

/** The name of a tile in words. */
export function nameOfTile({ title, content }: Tile): string {
    if (title !== '') return visible(title);
    switch (content.kind) {
        case 'text':
            return l10n.t('Text');
        case 'parameter':
            return content.parameter === '' ? l10n.t('Parameter') : visible(content.parameter);
        case 'unknown':
            return l10n.t('A part of another kind');
        default:
            return content.concept === '' ? kindName(content.kind) : visible(content.concept);
    }
}

export function kindName(kind: 'text' | 'rows' | 'number' | 'chart' | 'parameter'): string {
    switch (kind) {
        case 'text':
            return l10n.t('Text');
        case 'rows':
            return l10n.t('Rows');
        case 'number':
            return l10n.t('Number');
        case 'chart':
            return l10n.t('Chart');
        case 'parameter':
            return l10n.t('Parameter');
    }
}
