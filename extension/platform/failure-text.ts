import { l10n } from 'vscode';
import { PlatformError } from '#server/client/platform-error.ts';
import { AddressFailed } from './connection.ts';

const UNAUTHORIZED = 401;

/** Describes a failed call to the services: in their own words, or why they could not be asked. */
export function failureText(reason: unknown): string {
    if (reason instanceof PlatformError) {
        if (reason.status === UNAUTHORIZED) return l10n.t('the token is not accepted, or no longer. Sign in again.');
        return reason.code === 'no_json' || reason.message === '' ? noPlatform() : reason.message;
    }
    if (reason instanceof AddressFailed)
        return reason.fault === 'elsewhere' ? l10n.t('it leads to another address, and the token is not taken along.') : noPlatform();
    if (!(reason instanceof Error)) return String(reason);
    // `fetch` says only that it failed; its cause says why.
    const cause = reason.cause instanceof Error && reason.cause.message !== '' ? reason.cause : reason;
    return cause.message;
}

function noPlatform(): string {
    return l10n.t('something answers there, but it is no platform of Rulelang.');
}
