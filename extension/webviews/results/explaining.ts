import { type Asked, createExplanationPane, type ExplanationPane } from '#extension/surfaces/explanation/explanation-pane.ts';
import { cellText, isCut, isMissing, isNull } from '#extension/surfaces/grid/cell-text.ts';
import { missingQuestion } from '#extension/surfaces/grid/missing-question.ts';
import type { OutputView } from '#extension/surfaces/grid/output-view.ts';
import type { Row } from '#extension/surfaces/grid/row-store.ts';
import type { RowFilter, RowView } from '#server/protocol/runs.ts';
import type { ResultsLink } from './host-link.ts';

/** Explanations beside the rows. */
export interface Explaining {
    readonly pane: ExplanationPane;
    /** A row of a view; by its cells it is found again where rows have become others. */
    row(view: RowView, row: number, cells?: Row): void;
    /** Why a fact is missing. */
    missing(question: string): void;
    /** Has the user say which row of the output that is shown is missed. */
    askMissing(): void;
    /** Explains what is explained once more, by the rows as they are now. */
    refresh(): void;
}

/** Events between explanations and their view. */
export interface ExplainingEvents {
    current(): OutputView | undefined;
    /** Whether language models and an agent are there. */
    hasModels(): boolean;
    /** The pane has opened or closed. */
    resized(): void;
}

export function createExplaining(link: ResultsLink, { current, hasModels, resized }: ExplainingEvents): Explaining {
    const pane = createExplanationPane();
    /** Explains the same row again, after the rows have changed. */
    let again: (() => void) | undefined;
    const show = (asked: Asked): void => {
        const back = current();
        pane.show(asked, {
            expand: (node, all, signal) => link.ask('rulelang/expand', { node, all }, signal),
            absence: (node, signal) => link.ask('rulelang/absence', { node }, signal),
            reveal: (node, derivation) =>
                link.send({ kind: 'reveal', run: link.run, node, ...(derivation === undefined ? {} : { derivation }) }),
            savePicture: picture => link.send({ kind: 'picture', ...picture }),
            ...(hasModels() && { ask: given => link.send({ kind: 'give', ...given }) }),
            closed: () => {
                again = undefined;
                resized();
                if (back !== undefined && back === current()) back.focus();
            },
        });
        resized();
    };
    const explainRow = (view: RowView, row: number, cells: Row | undefined): void => {
        let fact: string | undefined;
        show({
            kind: 'row',
            explain: async (all, signal) => {
                const explanation = await link.ask('rulelang/explain', { view, row, all }, signal);
                fact = explanation.fact.text;
                return explanation;
            },
            ...(hasModels() && { tell: signal => link.ask('rulelang/tell', { view, row }, signal) }),
        });
        again = () => void explainAgain(view.output, fact, cells);
    };
    /** Explains a row anew, or why it is missing if it is gone. */
    const explainAgain = async (output: RowView['output'], fact: string | undefined, cells: Row | undefined): Promise<void> => {
        const view = cells && viewOfRow(output, cells);
        const found = view && (await link.ask('rulelang/page', { view, offset: 0, limit: 1 }).catch(() => undefined));
        if (!pane.open) return;
        if (view !== undefined && found !== undefined && found.matching > 0) explainRow(view, 0, cells);
        else if (fact !== undefined) missing(fact);
    };
    const missing = (question: string): void => {
        show({
            kind: 'missing',
            answer: signal => link.ask('rulelang/whyNot', { question }, signal),
            again: () => link.send({ kind: 'askMissing', question }),
        });
        again = () => missing(question);
    };
    return {
        pane,
        row(view, row, cells) {
            explainRow(view, row, cells);
            current()?.grid.reveal(false);
        },
        missing,
        refresh() {
            if (pane.open) again?.();
        },
        askMissing() {
            const shown = current();
            if (shown !== undefined) link.send({ kind: 'askMissing', question: missingQuestion(shown.output, shown.view.filters) });
        },
    };
}

/** The rows of an output that have these values; undefined where a text is cut. */
function viewOfRow(output: RowView['output'], cells: Row): RowView | undefined {
    if (cells.some(isCut)) return undefined;
    const filters = cells.map((cell, column): RowFilter => {
        if (isMissing(cell)) return { column, operator: 'missing', value: '' };
        return { column, operator: isNull(cell) ? 'labelled' : 'equals', value: cellText(cell) };
    });
    return { output, filters };
}
