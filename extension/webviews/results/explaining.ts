import { type Asked, createExplanationPane, type ExplanationPane } from '#extension/surfaces/explanation/explanation-pane.ts';
import { missingQuestion } from '#extension/surfaces/grid/missing-question.ts';
import type { OutputView } from '#extension/surfaces/grid/output-view.ts';
import type { RowView } from '#server/protocol/runs.ts';
import type { ResultsLink } from './host-link.ts';

/** Explanations beside the rows. */
export interface Explaining {
    readonly pane: ExplanationPane;
    row(view: RowView, row: number): void;
    /** Why a fact is missing. */
    missing(question: string): void;
    /** Has the user say which row of the output that is shown is missed. */
    askMissing(): void;
}

/** `resized` is called when the pane has opened or closed. */
export function createExplaining(link: ResultsLink, current: () => OutputView | undefined, resized: () => void): Explaining {
    const pane = createExplanationPane();
    const show = (asked: Asked): void => {
        const back = current();
        pane.show(asked, {
            expand: (node, all, signal) => link.ask('rulelang/expand', { node, all }, signal),
            absence: (node, signal) => link.ask('rulelang/absence', { node }, signal),
            reveal: (node, derivation) =>
                link.send({ kind: 'reveal', run: link.run, node, ...(derivation === undefined ? {} : { derivation }) }),
            closed: () => {
                resized();
                if (back !== undefined && back === current()) back.focus();
            },
        });
        resized();
    };
    return {
        pane,
        row(view, row) {
            show({
                kind: 'row',
                explain: (all, signal) => link.ask('rulelang/explain', { view, row, all }, signal),
                tell: signal => link.ask('rulelang/tell', { view, row }, signal),
            });
            current()?.grid.reveal(false);
        },
        missing(question) {
            show({
                kind: 'missing',
                answer: signal => link.ask('rulelang/whyNot', { question }, signal),
                again: () => link.send({ kind: 'askMissing', question }),
            });
        },
        askMissing() {
            const shown = current();
            if (shown !== undefined) link.send({ kind: 'askMissing', question: missingQuestion(shown.output, shown.view.filters) });
        },
    };
}
