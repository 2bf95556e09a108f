import { l10n } from 'vscode';
import { PlatformError } from '#server/client/platform-client.ts';

const UNAUTHORIZED = 401;

/** What is told of a call to the services that failed: their own words, or why they could not be asked. */
export function failureText(reason: unknown): string {
    if (reason instanceof PlatformError) {
        if (reason.status === UNAUTHORIZED) return l10n.t('the token is not accepted, or no longer. Sign in again.');
        return reason.message;
    }
    if (!(reason instanceof Error)) return String(reason);
    // `fetch` says only that it failed; its cause says why.
    const cause = reason.cause instanceof Error && reason.cause.message !== '' ? reason.cause : reason;
    return cause.message;
}
