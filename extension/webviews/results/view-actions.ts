import type { OutputView } from '#extension/surfaces/grid/output-view.ts';
import { selectedRows } from '#extension/surfaces/grid/selected-rows.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { Explaining } from './explaining.ts';
import type { ViewAction } from './messages.ts';

export interface ActionHost {
    readonly explaining: Pick<Explaining, 'askMissing'>;
    /** Asks what would be without the fact of the focused row, or with another one. */
    askWhatIf(otherwise: boolean): void;
    /** Opens another panel with the next output. */
    showBeside(): void;
    /** Gives rows to the agent: a table in Markdown. */
    give(title: string, text: string): void;
}

/** Does what a command of the editor wants of the rows that are shown. */
export function actOn(view: OutputView | undefined, action: ViewAction, { explaining, askWhatIf, showBeside, give }: ActionHost): void {
    switch (action) {
        case 'explain':
            view?.explain();
            return;
        case 'askMissing':
            explaining.askMissing();
            return;
        case 'whatIfWithout':
        case 'whatIfOtherwise':
            askWhatIf(action === 'whatIfOtherwise');
            return;
        case 'ask': {
            const text = view === undefined ? '' : selectedRows(view);
            if (text !== '') give(l10n.t('Rows of {0}', view?.output.name ?? ''), text);
            return;
        }
        case 'table':
        case 'tableWithHeader':
        case 'markdown':
        case 'facts':
            void view?.copy(action);
            return;
        case 'beside':
            showBeside();
            return;
        case 'showCell':
            view?.openCell();
            return;
        case 'filterByCell':
            view?.filterByCell();
            return;
    }
}
