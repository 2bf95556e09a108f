import type { Words } from '#extension/surfaces/l10n.ts';

/** The words that the host has put into the page of a view. */
export function hostWords(): Words {
    return JSON.parse(document.getElementById('words')?.textContent ?? '{}');
}
