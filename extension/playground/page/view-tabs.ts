import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';

interface View {
    readonly root: HTMLElement;
    focus(): void;
    /** It is looked at again. */
    shown?(): void;
}

interface ViewTab {
    readonly label: string;
    /** Makes the view, when it is looked at first. */
    open(): View;
}

/** Views of the program that take turns in one place; the first one is shown. */
export interface ViewTabs {
    readonly root: HTMLElement;
    focus(): void;
    hasFocus(): boolean;
}

export function createViewTabs(tabs: readonly ViewTab[]): ViewTabs {
    const views = new Map<ViewTab, View>();
    let shown: View | undefined;
    const panel = element('div', { class: 'view-panel', role: 'tabpanel' });
    const buttons = tabs.map(tab => {
        const button = element('button', { type: 'button', class: 'tab', role: 'tab' }, tab.label);
        button.addEventListener('click', () => show(tab));
        return button;
    });
    const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': l10n.t('Views') }, ...buttons);
    const root = element('section', { class: 'view-side', 'aria-label': l10n.t('Views') }, list, panel);
    const show = (tab: ViewTab): void => {
        const view = views.get(tab) ?? tab.open();
        if (!views.has(tab)) panel.append(view.root);
        views.set(tab, view);
        shown = view;
        for (const other of views.values()) other.root.hidden = other !== view;
        panel.setAttribute('aria-label', tab.label);
        view.shown?.();
        for (const [i, button] of buttons.entries()) {
            button.setAttribute('aria-selected', String(tabs[i] === tab));
            button.tabIndex = tabs[i] === tab ? 0 : -1;
        }
    };
    list.addEventListener('keydown', event => {
        const at = (buttons as readonly (Element | null)[]).indexOf(document.activeElement);
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const next = step === undefined ? undefined : buttons.at((at + step) % buttons.length);
        next?.click();
        next?.focus();
    });
    const [first] = tabs;
    if (first !== undefined) show(first);
    return { root, focus: () => shown?.focus(), hasFocus: () => root.contains(document.activeElement) };
}
