import { l10n } from '#extension/surfaces/l10n.ts';
import { isConceptName } from '#extension/surfaces/platform/saved-body.ts';

/** Why a new concept cannot be called so, beside others that are there. */
export function nameComplaint(text: string, taken: readonly string[]): string | undefined {
    if (!isConceptName(text)) return l10n.t('A name begins with a letter or _ and has letters, digits and _');
    return taken.includes(text) ? l10n.t('There is a concept of this name') : undefined;
}
