import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { openAgain } from '#extension/surfaces/platform/failure.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { tokenIn } from './arrival.ts';

/** Says that the page was opened without a token; `takeUp` gets one that the reader gives. */
export function withoutToken(takeUp: (token: string) => void): HTMLElement {
    return stateSurface({ picture: 'lock', title: l10n.t('This page needs a token'), text: openAgain() }, tokenForm(takeUp));
}

/** Takes a token where the page is: what was not saved in this tab stays. */
export function tokenForm(takeUp: (token: string) => void): HTMLElement {
    const input = element('input', { type: 'password', autocomplete: 'off', spellcheck: 'false' });
    const problem = element('p', { class: 'token-problem', role: 'alert' });
    const form = element(
        'form',
        { class: 'token-form' },
        element('label', {}, element('span', {}, l10n.t('Or paste here what rulelang open --print prints')), input),
        element('button', { type: 'submit', class: 'button' }, l10n.t('Go on')),
        problem,
    );
    form.addEventListener('submit', event => {
        event.preventDefault();
        const token = tokenIn(input.value);
        if (token === undefined) problem.textContent = l10n.t('This is neither the address of the page nor a token.');
        else takeUp(token);
    });
    return form;
}
