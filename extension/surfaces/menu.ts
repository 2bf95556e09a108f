import { element } from './dom.ts';
import { icon } from './icons.ts';

export interface MenuItem {
    readonly label: string;
    /** Shown at the end: a sign or a key. */
    readonly detail?: string;
    /** Given for items that are switched; these leave the menu open. */
    readonly checked?: boolean;
    /** Given for items of which one is in force. */
    readonly chosen?: boolean;
    choose(): void;
}

/** Opens a menu below a button; it closes with Escape, a choice or a click elsewhere, and gives the focus back. */
export function openMenu(button: HTMLElement, label: string, items: readonly MenuItem[]): void {
    const buttons = items.map(item => {
        const role = item.checked !== undefined ? 'menuitemcheckbox' : item.chosen !== undefined ? 'menuitemradio' : 'menuitem';
        const state = item.checked ?? item.chosen;
        const mark = element('span', { class: 'menu-check' }, state ? icon('check') : undefined);
        const detail = item.detail === undefined ? undefined : element('span', { class: 'muted menu-detail' }, item.detail);
        const made = element(
            'button',
            { type: 'button', class: 'menu-item', role, tabindex: -1 },
            mark,
            element('span', {}, item.label),
            detail,
        );
        if (state === undefined) mark.hidden = items.every(other => (other.checked ?? other.chosen) === undefined);
        else made.setAttribute('aria-checked', String(state));
        made.addEventListener('click', () => {
            if (item.checked === undefined) close();
            item.choose();
            if (item.checked !== undefined) {
                const checked = made.getAttribute('aria-checked') !== 'true';
                made.setAttribute('aria-checked', String(checked));
                mark.replaceChildren(...(checked ? [icon('check')] : []));
            }
        });
        return made;
    });
    const root = element('div', { class: 'menu', role: 'menu', 'aria-label': label }, ...buttons);
    const outside = (event: Event): void => {
        if (event.target instanceof Node && !root.contains(event.target)) close();
    };
    const close = (): void => {
        root.remove();
        document.removeEventListener('pointerdown', outside, true);
        button.setAttribute('aria-expanded', 'false');
        button.focus();
    };
    root.addEventListener('keydown', event => {
        const at = (buttons as readonly (Element | null)[]).indexOf(document.activeElement);
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (event.key === 'Escape' || event.key === 'Tab') close();
        else if (step !== undefined) buttons[(at + step + buttons.length) % buttons.length]?.focus();
        else if (event.key === 'Home') buttons[0]?.focus();
        else if (event.key === 'End') buttons.at(-1)?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    document.body.append(root);
    const [at, size] = [button.getBoundingClientRect(), root.getBoundingClientRect()];
    root.style.left = `${Math.max(4, Math.min(at.left, window.innerWidth - size.width - 8))}px`;
    root.style.top = `${Math.max(4, Math.min(at.bottom + 2, window.innerHeight - size.height - 8))}px`;
    button.setAttribute('aria-expanded', 'true');
    document.addEventListener('pointerdown', outside, true);
    const chosen = items.findIndex(item => item.chosen);
    buttons[Math.max(0, chosen)]?.focus();
}
