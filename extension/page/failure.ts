import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { PlatformError } from '#server/client/platform-client.ts';

type StateText = Parameters<typeof stateSurface>[0];

const OPEN_AGAIN = 'Run rulelang open in a terminal: it opens this page with a token that is good for ten minutes.';

/** Said where the page was opened without a token. */
export function withoutToken(): HTMLElement {
    return stateSurface({ picture: 'lock', title: 'This page needs a token', text: OPEN_AGAIN });
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
    if (!(error instanceof PlatformError)) return 'The services do not answer';
    return isVoid(error) ? 'The token is no longer good: run rulelang open' : error.message;
}

/** Says why there is nothing to show, and what to do; `again` tries once more. */
export function failureSurface(error: unknown, again: () => void): HTMLElement {
    return stateSurface({ ...wordsFor(error, again), tone: 'error' });
}

function wordsFor(error: unknown, again: () => void): StateText {
    const action = { label: 'Try again', act: again };
    if (!(error instanceof PlatformError)) {
        const text = 'Nobody answers at the address of this page. Start the services with rulelang serve, then run rulelang open.';
        return { picture: 'broken', title: 'The services do not answer', text, action };
    }
    if (isVoid(error)) return { picture: 'lock', title: 'The token is no longer good', text: OPEN_AGAIN };
    return { picture: 'broken', title: 'The services answered with an error', text: `${error.message} (${error.code})`, action };
}
