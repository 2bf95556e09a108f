import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { tokenIn } from './arrival.ts';

type StateText = Parameters<typeof stateSurface>[0];

function openAgain(): string {
    return l10n.t(
        'Run rulelang open in a terminal: it opens this page with a token for reading that is good for twelve hours, and with --edit one for changes.',
    );
}

/** Said where the page was opened without a token; `takeUp` gets one that the reader gives. */
export function withoutToken(takeUp: (token: string) => void): HTMLElement {
    return stateSurface({ picture: 'lock', title: l10n.t('This page needs a token'), text: openAgain() }, tokenForm(takeUp));
}

/** Takes a token where the page is: what was not saved in this tab stays. */
function tokenForm(takeUp: (token: string) => void): HTMLElement {
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

/** Whether nothing at all can be read: the token is void, or nobody answers. */
export function isAboutAccess(error: unknown): boolean {
    return !(error instanceof PlatformError) || isVoid(error);
}

/** Whether the token is void: asking again helps no one. */
export function isVoid(error: unknown): boolean {
    return error instanceof PlatformError && error.status === 401;
}

/** Why it is not known what runs, on one line. */
export function briefly(error: unknown): string {
    if (!(error instanceof PlatformError)) return l10n.t('The services do not answer');
    return isVoid(error) ? l10n.t('The token is no longer good: run rulelang open') : error.message;
}

/** Says why there is nothing to show, and what to do; `again` tries once more, `takeUp` goes on with another token. */
export function failureSurface(error: unknown, again: () => void, takeUp?: (token: string) => void): HTMLElement {
    const text: StateText = { ...wordsFor(error, again), tone: 'error' };
    return stateSurface(text, isVoid(error) && takeUp !== undefined ? tokenForm(takeUp) : undefined);
}

function wordsFor(error: unknown, again: () => void): StateText {
    const action = { label: l10n.t('Try again'), act: again };
    if (!(error instanceof PlatformError)) {
        const text = l10n.t('Nobody answers at the address of this page. Start the services with rulelang serve, then run rulelang open.');
        return { picture: 'broken', title: l10n.t('The services do not answer'), text, action };
    }
    if (isVoid(error)) return { picture: 'lock', title: l10n.t('The token is no longer good'), text: openAgain() };
    return { picture: 'broken', title: l10n.t('The services answered with an error'), text: `${error.message} (${error.code})`, action };
}
