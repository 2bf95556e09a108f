import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';

/** Milliseconds of a wait that is not shown. */
const PATIENCE = 150;

/** A bar above the rows while they are loaded. */
export interface LoadingBar {
    readonly root: HTMLElement;
    show(isBusy: boolean): void;
}

/** `isHeld` says that the bar stays, since a run goes on. */
export function createLoadingBar(isHeld: () => boolean): LoadingBar {
    const root = element('div', { class: 'loading-bar', role: 'progressbar', 'aria-label': l10n.t('Loading'), hidden: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    return {
        root,
        show(isBusy) {
            if (isBusy && timer !== undefined) return;
            clearTimeout(timer);
            timer = undefined;
            if (isBusy) {
                timer = setTimeout(() => {
                    root.hidden = false;
                }, PATIENCE);
            } else if (!isHeld()) root.hidden = true;
        },
    };
}
