import { PlatformError } from '#server/client/platform-error.ts';
import { l10n } from '../l10n.ts';
import { stateSurface } from '../state-surface.ts';

type StateText = Parameters<typeof stateSurface>[0];

/** How to open the page with a token. */
export function openAgain(): string {
    return l10n.t(
        'Run rulelang open in a terminal: it opens this page with a token for reading that is good for twelve hours, and with --edit one for changes.',
    );
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

/** Says why there is nothing to show, and what to do; `again` tries once more, `more` stands below the words. */
export function failureSurface(error: unknown, again: () => void, more?: HTMLElement): HTMLElement {
    const text: StateText = { ...wordsFor(error, again), tone: 'error' };
    return stateSurface(text, more);
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
