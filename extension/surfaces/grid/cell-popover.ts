import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { visibleLines } from '../visible-text.ts';

/** Shows the whole text of a cell beside it. */
export interface CellPopover {
    show(anchor: HTMLElement, title: string, text: Promise<string>, actions: { copy(text: string): void; closed(): void }): void;
    close(): void;
    readonly open: boolean;
}

export function createCellPopover(): CellPopover {
    let shown: { readonly root: HTMLElement; readonly closed: () => void } | undefined;
    const close = (): void => {
        const closing = shown;
        shown = undefined;
        closing?.root.remove();
        closing?.closed();
    };
    document.addEventListener('pointerdown', event => {
        if (shown !== undefined && event.target instanceof Node && !shown.root.contains(event.target)) close();
    });
    return {
        get open() {
            return shown !== undefined;
        },
        close,
        show(anchor, title, text, actions) {
            close();
            const body = element('pre', { class: 'popover-text', tabindex: 0, 'aria-label': title });
            const copy = element('button', { type: 'button', class: 'link' }, l10n.t('Copy'));
            const head = element('div', { class: 'popover-head' }, element('span', { class: 'muted' }, title), copy);
            const root = element('div', { class: 'popover', role: 'dialog', 'aria-label': title }, head, body);
            shown = { root, closed: actions.closed };
            document.body.append(root);
            place(root, anchor);
            text.then(
                whole => {
                    body.textContent = visibleLines(whole);
                    copy.addEventListener('click', () => actions.copy(whole));
                    place(root, anchor);
                    body.focus();
                },
                () => close(),
            );
            root.addEventListener('keydown', event => {
                if (event.key !== 'Escape' && event.key !== 'Enter') return;
                if (event.key === 'Enter' && event.target === copy) return;
                event.preventDefault();
                event.stopPropagation();
                close();
            });
        },
    };
}

/** Below the anchor, or above it where there is no room, and never outside the window. */
function place(root: HTMLElement, anchor: HTMLElement): void {
    const cell = anchor.getBoundingClientRect();
    const size = root.getBoundingClientRect();
    const below = cell.bottom + 2;
    const top = below + size.height <= window.innerHeight - 8 ? below : Math.max(8, cell.top - size.height - 2);
    const left = Math.max(8, Math.min(cell.left, window.innerWidth - size.width - 8));
    root.style.top = `${top}px`;
    root.style.left = `${left}px`;
}
