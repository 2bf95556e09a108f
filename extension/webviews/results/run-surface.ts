import { counted, countText, durationText } from '#extension/surfaces/number-text.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import type { ShownRun } from './messages.ts';
import { noticeList } from './notices.ts';

export interface SurfaceActions {
    runAgain(): void;
    showOutput(): void;
    openParameters(): void;
    /** Opens the place of a notice, by its position in the list. */
    openNotice(index: number): void;
}

/** A run that has no rows to show: how it ended, and what to do. */
export function runSurface(run: Exclude<ShownRun, { readonly kind: 'running' }>, actions: SurfaceActions): HTMLElement {
    const again = { label: 'Run again', act: actions.runAgain };
    const output = { label: 'Show output', act: actions.showOutput };
    switch (run.kind) {
        case 'finished':
            return stateSurface({
                picture: 'empty',
                title: 'No outputs',
                text: 'The program says no predicate is an output. Add @output("p") for each predicate whose rows you want to see.',
                action: again,
            });
        case 'failed': {
            const errors = run.notices.filter(notice => notice.severity === 'error').length;
            return stateSurface(
                {
                    picture: 'error',
                    tone: 'error',
                    title: errors > 1 ? `The run stopped at ${countText(errors)} errors` : 'The run stopped at an error',
                    action: again,
                },
                noticeList(run.notices, actions.openNotice),
            );
        }
        case 'stopped':
            return stateSurface({
                picture: 'stop',
                title: 'Run stopped',
                text: `It was stopped after ${durationText(run.milliseconds)}. Nothing was written.`,
                action: again,
            });
        case 'crashed':
            return stateSurface({
                picture: 'broken',
                tone: 'error',
                title: 'The run process ended',
                text: run.message,
                action: again,
                other: output,
            });
        case 'refused':
            return stateSurface({
                picture: 'error',
                tone: 'error',
                title: 'The run could not begin',
                text: run.message,
                ...(run.setting
                    ? { action: { label: 'Open setting', act: actions.openParameters }, other: again }
                    : { action: again, other: output }),
            });
        case 'gone':
            return stateSurface({
                picture: 'again',
                title: 'The rows of this run are gone',
                text: `${run.message ?? 'They were not kept when the window was closed'}. Your columns, filters and order are there.`,
                action: again,
            });
    }
}

/** How far a run is. */
export function progressText(run: Extract<ShownRun, { readonly kind: 'running' }>): string {
    const facts = run.facts === 0 ? '' : ` · ${counted(run.facts, 'fact')}`;
    return `${PHASES[run.phase](run.stratum, run.strata)}${facts} · ${durationText(run.milliseconds)}`;
}

const PHASES = {
    starting: () => 'Starting',
    loading: () => 'Reading data',
    evaluating: (stratum: number, strata: number) => (strata > 1 ? `Evaluating stratum ${stratum} of ${strata}` : 'Evaluating'),
    writing: () => 'Writing files',
} as const;
