import { l10n } from '#extension/surfaces/l10n.ts';
import { countText, durationText } from '#extension/surfaces/number-text.ts';
import { evaluatingText } from '#extension/surfaces/progress-text.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import type { ShownRun } from './messages.ts';
import { noticeList } from './notices.ts';

type RunningRun = Extract<ShownRun, { readonly kind: 'running' }>;

export interface SurfaceActions {
    runAgain(): void;
    showOutput(): void;
    openSetting(): void;
    /** Opens the place of a notice, by its position in the list. */
    openNotice(index: number): void;
}

/** A run that has no rows to show: how it ended, and what to do. */
export function runSurface(run: Exclude<ShownRun, { readonly kind: 'running' }>, actions: SurfaceActions): HTMLElement {
    const again = { label: l10n.t('Run again'), act: actions.runAgain };
    const output = { label: l10n.t('Show output'), act: actions.showOutput };
    switch (run.kind) {
        case 'finished':
            return stateSurface({
                picture: 'empty',
                title: l10n.t('No outputs'),
                text: l10n.t('The program says no predicate is an output. Add @output("p") for each predicate whose rows you want to see.'),
                action: again,
            });
        case 'failed': {
            const errors = run.notices.filter(notice => notice.severity === 'error').length;
            return stateSurface(
                {
                    picture: 'error',
                    tone: 'error',
                    title: errors > 1 ? l10n.t('The run stopped at {0} errors', countText(errors)) : l10n.t('The run stopped at an error'),
                    action: again,
                },
                noticeList(run.notices, actions.openNotice),
            );
        }
        case 'none':
            return stateSurface({
                picture: 'again',
                title: l10n.t('Not run yet'),
                text: l10n.t('The rows of the outputs come here.'),
                action: { label: l10n.t('Run'), act: actions.runAgain },
            });
        case 'stopped':
            return stateSurface({
                picture: 'stop',
                title: l10n.t('Run stopped'),
                text: l10n.t('It was stopped after {0}. Nothing was written.', durationText(run.milliseconds)),
                action: again,
            });
        case 'crashed':
            return stateSurface({
                picture: 'broken',
                tone: 'error',
                title: l10n.t('The run process ended'),
                text: run.message,
                action: again,
                other: output,
            });
        case 'refused':
            return stateSurface({
                picture: 'error',
                tone: 'error',
                title: l10n.t('The run could not begin'),
                text: run.message,
                ...(run.setting
                    ? { action: { label: l10n.t('Open setting'), act: actions.openSetting }, other: again }
                    : { action: again, other: output }),
            });
        case 'gone':
            return stateSurface({
                picture: 'again',
                title: l10n.t('The rows of this run are gone'),
                text: goneText(run.message),
                action: again,
            });
    }
}

function goneText(why: string | undefined): string {
    if (why === undefined) return l10n.t('They were not kept when the window was closed. Your columns, filters and order are there.');
    return l10n.t('{0}. Your columns, filters and order are there.', why);
}

/** How far a run is. */
export function progressText(run: RunningRun): string {
    const { phase, facts, filling, milliseconds } = run;
    const where =
        phase === 'starting'
            ? l10n.t('Starting')
            : evaluatingText({
                  ...run,
                  phase,
                  row_count: facts,
                  predicate: filling ? { name: filling.name, row_count: filling.rows } : null,
              });
    return `${where} · ${durationText(milliseconds)}`;
}
