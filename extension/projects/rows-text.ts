import { l10n } from 'vscode';
import { countText } from '#extension/surfaces/number-text.ts';

/** `1 row`, `2,000 rows`. */
export function rowsText(count: number): string {
    return count === 1 ? l10n.t('1 row') : l10n.t('{0} rows', countText(count));
}
