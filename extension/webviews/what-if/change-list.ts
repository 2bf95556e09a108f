import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { WhatIfChanges } from '#server/protocol/what-if.ts';

/** Lists the supposed changes, one line for each; `drop` takes one back. */
export function changeList(
    { without, with: added, set }: WhatIfChanges,
    drop: (of: keyof WhatIfChanges, text: string) => void,
): HTMLElement[] {
    const item = (of: keyof WhatIfChanges, word: string, text: string, key = text): HTMLElement =>
        element(
            'li',
            { class: `change ${of}` },
            element('span', { class: 'muted' }, word),
            ' ',
            element('span', { class: 'clause', title: visible(text) }, visible(text)),
            iconButton(icon('close'), l10n.t('Without this change: {0}', visible(text)), () => drop(of, key)),
        );
    return [
        ...without.map(text => item('without', l10n.t('without'), text)),
        ...added.map(text => item('with', l10n.t('with'), text)),
        ...Object.entries(set).map(([name, value]) => item('set', l10n.t('where'), `${name} = ${valueText(value)}`, name)),
    ];
}

function valueText(value: WhatIfChanges['set'][string]): string {
    return typeof value === 'string' ? value : JSON.stringify(value);
}
