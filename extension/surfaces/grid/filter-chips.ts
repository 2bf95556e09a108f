import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';

/** A condition that rows must pass, in words. */
export interface FilterChip {
    readonly words: string;
    /** It cannot be asked as it is written; the words say why. */
    readonly fault: boolean;
    /** Lets the user change it. */
    edit(): void;
    remove(): void;
}

/** The conditions that narrow the rows, above them: each can be changed and taken away. */
export interface FilterChips {
    readonly root: HTMLElement;
    show(chips: readonly FilterChip[]): void;
}

/** `clear` takes all of them away, and `left` is called when the last one has gone while it had the focus. */
export function createFilterChips(clear: () => void, left: () => void): FilterChips {
    const root = element('div', { class: 'chips', role: 'group', 'aria-label': l10n.t('Filters that are on'), hidden: true });
    let drawn = '';
    const draw = (chips: readonly FilterChip[]): void => {
        const at = [...root.querySelectorAll('.chip')].findIndex(chip => chip.contains(document.activeElement));
        const hadFocus = root.contains(document.activeElement);
        root.hidden = chips.length === 0;
        const all = element('button', { type: 'button', class: 'link' }, l10n.t('Remove all filters'));
        all.addEventListener('click', clear);
        root.replaceChildren(...chips.map(chipOf), ...(chips.length > 1 ? [all] : []));
        if (!hadFocus) return;
        const next = root.querySelectorAll<HTMLElement>('.chip-words')[Math.min(Math.max(0, at), chips.length - 1)];
        if (next === undefined) left();
        else next.focus();
    };
    return {
        root,
        show(chips) {
            const key = JSON.stringify(chips.map(({ words }) => words));
            if (key === drawn) return;
            drawn = key;
            draw(chips);
        },
    };
}

function chipOf({ words, fault, edit, remove }: FilterChip): HTMLElement {
    const text = element('button', { type: 'button', class: 'chip-words', title: words }, visible(words));
    text.addEventListener('click', edit);
    const chip = element(
        'span',
        { class: fault ? 'chip faulty' : 'chip' },
        text,
        iconButton(icon('close'), l10n.t('Remove: {0}', words), remove),
    );
    chip.addEventListener('keydown', event => {
        if (event.key !== 'Delete' && event.key !== 'Backspace') return;
        event.preventDefault();
        event.stopPropagation();
        remove();
    });
    return chip;
}
