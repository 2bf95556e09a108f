import { l10n } from './l10n.ts';
import { countText } from './number-text.ts';

/** `1 row`, `2,000 rows`. */
export function rowsText(count: number): string {
    return count === 1 ? l10n.t('1 row') : l10n.t('{0} rows', countText(count));
}

/** `12 of 2,000 rows`. */
export function rowsOfText(matching: number, count: number): string {
    return count === 1 ? l10n.t('{0} of 1 row', countText(matching)) : l10n.t('{0} of {1} rows', countText(matching), countText(count));
}

/** `1 row written`, `2,000 rows written`. */
export function rowsWrittenText(count: number): string {
    return count === 1 ? l10n.t('1 row written') : l10n.t('{0} rows written', countText(count));
}

/** `1 fact`, `2,000 facts`. */
export function factsText(count: number): string {
    return count === 1 ? l10n.t('1 fact') : l10n.t('{0} facts', countText(count));
}
