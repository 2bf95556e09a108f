import { l10n } from './l10n.ts';

/** Copies texts in a browser; announces the description of a text, or that the browser refused. */
export function toClipboard(announce: (text: string) => void): (text: string, description: string) => void {
    return (text, description) => {
        navigator.clipboard.writeText(text).then(
            () => announce(description),
            () => announce(l10n.t('The browser did not allow copying')),
        );
    };
}
