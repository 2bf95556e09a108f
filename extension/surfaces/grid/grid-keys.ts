import type { OutputView } from './output-view.ts';

/** Has a view take its keys and copy its selection where it stands among other things; `more` takes others, and says whether it did. */
export function takeGridKeys(view: OutputView, more: (event: KeyboardEvent) => boolean = () => false): void {
    const { root } = view.grid;
    root.addEventListener('keydown', event => {
        if (event.target instanceof HTMLInputElement) {
            if (event.key !== 'Escape' && event.key !== 'Enter' && event.key !== 'ArrowDown') return;
            view.focus();
        } else if (view.key(event)) {
            // The header or the selection has taken it.
        } else if (event.key === 'Enter') view.openCell();
        else if (!more(event)) return;
        event.preventDefault();
        event.stopPropagation();
    });
    root.addEventListener('copy', event => {
        if (event.target instanceof HTMLInputElement) return;
        event.preventDefault();
        void view.copy('table');
    });
}

/** Has the view with the focus copy its selection: browsers may send the event to the body if no text is selected. */
export function takeCopies(view: () => OutputView | undefined): void {
    document.addEventListener('copy', event => {
        const shown = view();
        const focused = document.activeElement;
        if (event.defaultPrevented || focused instanceof HTMLInputElement || shown?.grid.root.contains(focused) !== true) return;
        event.preventDefault();
        void shown.copy('table');
    });
}

export function isPlain({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    return !ctrlKey && !metaKey && !altKey;
}
