import type { Conversation } from '#extension/webviews/conversation.ts';
import { isQuestionBy, type QuestionBy } from '#extension/webviews/view-question.ts';
import { isAskedChart } from '#server/protocol/notebooks/asked-chart.ts';
import { RELAYED_METHODS } from '#server/protocol/run-methods.ts';
import { isCell, isOutputSummary, isRange, isRow, isRowView } from '#server/protocol/runs.ts';
import { either, isAnything, isCount, isFlag, isText, listOf, type Of, object, oneOf, optional } from '#server/protocol/shape.ts';

/** Outputs below a cell that a renderer of this extension draws. */
export const ROWS_MIME = 'application/vnd.rulelang.rows+json';
export const PROBLEMS_MIME = 'application/vnd.rulelang.problems+json';

/** Rows of a predicate: the first of them, and of which run of the notebook they are. */
export const isRowsOutput = object({
    run: isCount,
    output: isOutputSummary,
    cells: listOf(listOf(isCell)),
    chart: optional(isAskedChart),
});
export type RowsOutput = Of<typeof isRowsOutput>;

/** A place in a cell, by the address of its text. */
const place = { cell: isText, range: isRange };

/** Problems of the program with their places. */
export const isProblemsOutput = object({
    problems: listOf(
        object({
            code: isText,
            message: isText,
            remedy: optional(isText),
            place: optional(object(place)),
            /** The place in words. */
            where: optional(isText),
        }),
    ),
});
export type ProblemsOutput = Of<typeof isProblemsOutput>;

/** Questions of an output about the rows of a run. */
export const OUTPUT_METHODS = {
    'rulelang/page': RELAYED_METHODS['rulelang/page'],
    'rulelang/cell': RELAYED_METHODS['rulelang/cell'],
    'rulelang/facts': RELAYED_METHODS['rulelang/facts'],
} as const;
export type OutputMethods = typeof OUTPUT_METHODS;
export type OutputQuestion = QuestionBy<OutputMethods>;

const isOutputQuestion = isQuestionBy(OUTPUT_METHODS);

const fromHost = either(
    /** Translations by the English text, unchecked: the extension has them from the editor. */
    object({ kind: oneOf('words'), words: isAnything }),
    /** `result` is checked by who asked. */
    object({ kind: oneOf('answer'), request: isCount, result: isAnything }),
    /** `gone` where the run has no rows any more. */
    object({ kind: oneOf('refusal'), request: isCount, message: isText, gone: isFlag }),
);
export type OutputsHostMessage = Of<typeof fromHost>;

const fromView = either(
    isOutputQuestion,
    object({ kind: oneOf('ready') }),
    object({ kind: oneOf('copy'), text: isText }),
    /** Opens all rows of an output where they are filtered, explained and drawn. */
    object({ kind: oneOf('open'), output: isText }),
    /** Explains a row. */
    object({ kind: oneOf('explain'), run: isCount, view: isRowView, row: isRow }),
    /** Opens a place in a cell. */
    object({ kind: oneOf('place'), ...place }),
);
export type OutputsMessage = Of<typeof fromView>;

/** The messages between the outputs of a notebook and the extension. */
export const NOTEBOOK_OUTPUTS: Conversation<OutputsHostMessage, OutputsMessage> = { name: 'notebook-outputs', fromHost, fromView };
