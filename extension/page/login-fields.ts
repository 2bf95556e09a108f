import { l10n } from '#extension/surfaces/l10n.ts';
import type { SheetField } from './form-sheet.ts';

/** Who opens a source. The page keeps none of it. */
export function loginFields(): readonly SheetField[] {
    return [
        { name: 'username', label: l10n.t('User name') },
        { name: 'password', label: l10n.t('Password'), kind: 'password', optional: true },
        {
            name: 'keeps',
            label: l10n.t('Keep the password with the services'),
            kind: 'flag',
            value: 'on',
            hint: l10n.t('Otherwise it is asked for each time, and concepts that bind the source cannot be run.'),
        },
    ];
}
