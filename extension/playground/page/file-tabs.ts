import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { openMenu } from '#extension/surfaces/menu.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import { nameOf } from './program-files.ts';

export interface FileTabEvents {
    opened(path: string): void;
    /** A further file is wanted. */
    added(): void;
    saved(path: string): void;
    removed(path: string): void;
}

/** A tab for each file of the page, and what can be done with the one that is open. */
export interface FileTabs {
    readonly root: HTMLElement;
    /** `program` is the one that runs, `current` the file that is open. */
    show(paths: readonly string[], current: string, program: string): void;
}

export function createFileTabs(events: FileTabEvents): FileTabs {
    let shown = { current: '', program: '' };
    const tabs = element('div', { class: 'tabs', role: 'tablist', 'aria-label': l10n.t('Files') });
    const more: HTMLButtonElement = iconButton(icon('more'), l10n.t('What can be done with this file'), () => openActions(), {
        'aria-haspopup': 'menu',
    });
    const add = iconButton(icon('add'), l10n.t('New file'), events.added);
    const openActions = (): void => {
        const { current, program } = shown;
        const items = [
            { label: l10n.t('Save a copy'), choose: () => events.saved(current) },
            ...(current === program ? [] : [{ label: l10n.t('Remove'), choose: () => events.removed(current) }]),
        ];
        openMenu(more, l10n.t('What can be done with this file'), items);
    };
    tabs.addEventListener('keydown', event => {
        const all = [...tabs.querySelectorAll<HTMLElement>('.tab')];
        const at = (all as readonly (Element | null)[]).indexOf(document.activeElement);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
        if (to === undefined || at < 0) return;
        event.preventDefault();
        all.at(to % all.length)?.click();
        tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    });
    return {
        root: element('div', { class: 'file-tabs' }, tabs, add, more),
        show(paths, current, program) {
            shown = { current, program };
            tabs.replaceChildren(...paths.map(path => tabOf(path, path === current, () => events.opened(path))));
            tabs.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        },
    };
}

function tabOf(path: string, selected: boolean, opened: () => void): HTMLElement {
    const tab = element(
        'button',
        {
            type: 'button',
            class: 'tab',
            role: 'tab',
            'aria-selected': selected,
            tabindex: selected ? 0 : -1,
            title: visible(path.slice(1)),
        },
        element('span', { class: 'tab-name' }, visible(nameOf(path))),
    );
    tab.addEventListener('click', opened);
    return tab;
}
