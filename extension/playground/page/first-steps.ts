import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';

type Step = 'run' | 'explain' | 'change';

/** Steps for a new user, one after the other; each is marked once it is done. */
export interface FirstSteps {
    readonly root: HTMLElement;
    /** Shows them, none of them done, or hides them. */
    show(isShown: boolean): void;
    done(step: Step): void;
}

export function createFirstSteps(): FirstSteps {
    const steps: readonly (readonly [step: Step, text: string])[] = [
        ['run', l10n.t('Run the program: Ctrl+Enter.')],
        ['explain', l10n.t('Choose a row and press E: why is it there?')],
        ['change', l10n.t('Change a rule, or a row in a data file, and run again.')],
    ];
    const items = new Map(steps.map(([step, text]) => [step, element('li', {}, element('span', { class: 'step-text' }, text))] as const));
    const close = iconButton(icon('close'), l10n.t('Hide the first steps'), () => api.show(false));
    const root = element('div', { class: 'first-steps', hidden: true }, element('ol', {}, ...items.values()), close);
    const api: FirstSteps = {
        root,
        show(isShown) {
            root.hidden = !isShown;
            for (const item of items.values()) mark(item, false);
        },
        done(step) {
            const item = items.get(step);
            if (item !== undefined) mark(item, true);
        },
    };
    return api;
}

function mark(item: HTMLElement, isDone: boolean): void {
    item.classList.toggle('done', isDone);
    item.querySelector('.step-done')?.remove();
    if (isDone) item.append(element('span', { class: 'step-done', role: 'img', 'aria-label': l10n.t('done') }, icon('check')));
}
