import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import type { Running } from '#extension/surfaces/platform/runs-table.ts';
import { visible } from '#extension/surfaces/visible-text.ts';

/** What runs, on one line. */
export function statusText(now: readonly Running[]): string {
    const [only] = now;
    if (only === undefined) return l10n.t('Nothing runs');
    if (now.length === 1) return nameOf(only);
    const waiting = now.filter(({ state }) => state === 'waiting').length;
    const going = now.length - waiting;
    const text = going === 1 ? l10n.t('1 evaluation runs') : l10n.t('{0} evaluations run', countText(going));
    return waiting === 0 ? text : l10n.t('{0}, {1} waiting', text, countText(waiting));
}

export function nameOf({ state, concept: of }: Running): string {
    const name = of === null ? l10n.t('A program') : visible(of.concept_name);
    if (state === 'waiting') return l10n.t('{0} waits', name);
    return of?.purpose === 'explanation' ? l10n.t('{0} is explained', name) : l10n.t('{0} runs', name);
}
