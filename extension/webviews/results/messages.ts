import { COPY_FORMATS } from '#extension/surfaces/grid/table-text.ts';
import { isToldProof } from '#server/protocol/proof-sentences.ts';
import { isRunDifference } from '#server/protocol/run-difference.ts';
import { EXPORT, RELAYED_METHODS, RUN_METHODS } from '#server/protocol/run-methods.ts';
import { isGivenText, isName, isOutputSummary, isRow, isRowView, isRunParameter, NOTICE, PROGRESS } from '#server/protocol/runs.ts';
import { either, isAnything, isCount, isFlag, isNumber, isText, listOf, type Of, object, oneOf, optional } from '#server/protocol/shape.ts';
import type { Conversation } from '../conversation.ts';
import { isGivenPicture } from '../given-picture.ts';
import { isGivenRows } from '../given-rows.ts';
import { isQuestionBy, type QuestionBy } from '../view-question.ts';

const DENSITY = oneOf('compact', 'comfortable');
export type Density = Of<typeof DENSITY>;

/** `setting` where what gives parameters is its place. */
const notice = object({ ...NOTICE, setting: optional(oneOf(true)) });
export type ShownNotice = Of<typeof notice>;

/** How the rows follow edits of the program; `at` is when the rows that are shown came, in milliseconds. */
const isShownLive = either(
    object({ kind: oneOf('follows') }),
    /** The program has an error; the rows are those of before. */
    object({ kind: oneOf('error'), why: isText, line: optional(isCount), at: isNumber }),
    /** A run, or sources that are read again, would tell; the rows are those of before. */
    object({ kind: oneOf('held'), why: isText, needs: oneOf('run', 'sources'), at: isNumber }),
    object({ kind: oneOf('off'), why: isText }),
);
export type ShownLive = Of<typeof isShownLive>;

/** The state of the run that a panel shows. */
const isShownRun = either(
    object({
        kind: oneOf('running'),
        phase: oneOf('starting', 'loading', 'evaluating', 'writing'),
        stratum: isCount,
        strata: isCount,
        facts: isCount,
        filling: PROGRESS.filling,
        milliseconds: isNumber,
    }),
    object({
        kind: oneOf('finished'),
        outputs: listOf(isOutputSummary),
        facts: isCount,
        milliseconds: isNumber,
        notices: listOf(notice),
        parameters: listOf(isRunParameter),
        /** Of a run whose rows are to follow edits; `followed` is how often they have. */
        live: optional(isShownLive),
        followed: optional(isCount),
        /** The rows were kept from an earlier window; when they were made, in milliseconds. */
        kept: optional(isNumber),
        /** The rows are what differs between two runs, which began then. */
        compared: optional(object({ before: isNumber, after: isNumber, difference: isRunDifference })),
    }),
    object({ kind: oneOf('failed'), notices: listOf(notice), milliseconds: isNumber }),
    /** There was none yet. */
    object({ kind: oneOf('none') }),
    object({ kind: oneOf('stopped'), milliseconds: isNumber }),
    object({ kind: oneOf('crashed'), message: isText }),
    /** The run could not begin; `message` says why, and `setting` that a setting is to be changed. */
    object({ kind: oneOf('refused'), message: isText, setting: optional(oneOf(true)) }),
    /** The editor was started anew, and the rows went with the old one. */
    object({ kind: oneOf('gone'), message: optional(isText) }),
);
export type ShownRun = Of<typeof isShownRun>;
export type Progress = Omit<Extract<ShownRun, { kind: 'running' }>, 'kind'>;

const names = listOf(isText, 10_000);
/** How the columns of an output were arranged, by their names, by the key of the output. */
const arranged = object({
    output: isText,
    columns: listOf(object({ name: isText, width: isNumber }), 10_000),
    order: optional(names),
    hidden: optional(names),
    frozen: optional(isCount),
});
export type KeptColumns = Of<typeof arranged>;

/** Actions of the editor's commands in the active view. */
const ACTION = oneOf(
    'explain',
    'ask',
    'askMissing',
    'whatIfWithout',
    'whatIfOtherwise',
    'showCell',
    'filterByCell',
    'beside',
    ...COPY_FORMATS,
);
export type ViewAction = Of<typeof ACTION>;

/** Values of parameters as the user wrote them; an empty one means the default. */
const written = listOf(object({ name: isName, written: isGivenText }), 10_000);
export type WrittenValues = Of<typeof written>;
const parameterSet = object({ name: isText, values: written });
export type ParameterSet = Of<typeof parameterSet>;
const parameter = object({
    name: isText,
    type: optional(isText),
    usual: optional(isText),
    written: optional(isText),
    secret: optional(oneOf(true)),
});
export type ProgramParameter = Of<typeof parameter>;

/** From the host to the view. */
const fromHost = either(
    /** The whole state; `run` numbers it, so that answers to an earlier one are told apart. */
    object({
        kind: oneOf('show'),
        panel: isText,
        program: isText,
        run: isCount,
        shown: isShownRun,
        stale: isFlag,
        density: DENSITY,
        arranged: listOf(arranged, 10_000),
        /** Rows can follow edits here. */
        canFollow: optional(oneOf(true)),
        /** No language model and no agent is there. */
        withoutModels: optional(oneOf(true)),
    }),
    object({ kind: oneOf('stale'), stale: isFlag }),
    object({ kind: oneOf('density'), density: DENSITY }),
    object({ kind: oneOf('act'), action: ACTION }),
    /** `result` is checked by who asked. */
    object({ kind: oneOf('answer'), request: isCount, result: isAnything }),
    object({ kind: oneOf('refusal'), request: isCount, message: isText }),
    /** Opens an output, and explains one of its rows. */
    object({ kind: oneOf('open'), view: isRowView, row: optional(isCount) }),
    /** Explains why a fact is missing. */
    object({ kind: oneOf('missing'), question: isText }),
    /** Shows what a run can be given; `set` has just been kept. Without `sets` none are kept. */
    object({ kind: oneOf('parameters'), parameters: listOf(parameter), sets: optional(listOf(parameterSet)), set: optional(isText) }),
);
export type HostMessage = Of<typeof fromHost>;

/** Questions of the view about a run, by its number in this window. The host knows the run process, and asks for the file of an export. */
export const VIEW_METHODS = {
    ...RELAYED_METHODS,
    'rulelang/export': { ...RUN_METHODS['rulelang/export'], params: object(EXPORT) },
    'rulelang/effects': RUN_METHODS['rulelang/effects'],
    /** Has a language model of the editor tell why a row is there. */
    'rulelang/tell': { params: object({ run: isCount, view: isRowView, row: isRow }), result: isToldProof },
} as const;
export type ViewMethods = typeof VIEW_METHODS;
export type ViewQuestion = QuestionBy<ViewMethods>;

const isViewQuestion = isQuestionBy(VIEW_METHODS);

/** Returns the number of a request without the proper shape, so that the host can refuse it: the view waits for an answer. */
export function requestIn(message: unknown): number | undefined {
    if (typeof message !== 'object' || message === null || !('kind' in message && 'request' in message)) return undefined;
    return message.kind === 'ask' && isCount(message.request) ? message.request : undefined;
}

/** From the view to the host. */
const fromView = either(
    isViewQuestion,
    /** The view no longer waits for the answer to this request. */
    object({ kind: oneOf('giveUp'), given: isCount }),
    object({ kind: oneOf('reveal'), run: isCount, node: isCount, derivation: optional(isCount) }),
    /** Opens the place of a notice of the run, by its position in the list. */
    object({ kind: oneOf('notice'), run: isCount, index: isCount }),
    /** Opens the place of something that changed between two runs, by its position in the list. */
    object({ kind: oneOf('change'), run: isCount, index: isCount }),
    object({ kind: oneOf('copy'), text: isText }),
    isGivenRows,
    isGivenPicture,
    object({ kind: oneOf('arranged'), arranged }),
    object({ kind: oneOf('runAgain') }),
    /** Has rows follow edits, or not any more. */
    object({ kind: oneOf('switchLive') }),
    object({ kind: oneOf('readAgain') }),
    /** Has the user say which fact is missed, beginning with this one. */
    object({ kind: oneOf('askMissing'), question: isText }),
    /** Asks what would be without the fact of a row, or with another in its place. */
    object({ kind: oneOf('whatIf'), run: isCount, view: isRowView, row: isRow, otherwise: isFlag }),
    /** Opens a further panel of the program, with this output. */
    object({ kind: oneOf('beside'), output: isText }),
    object({ kind: oneOf('stop') }),
    object({ kind: oneOf('showOutput') }),
    /** Asks for what a run can be given. */
    object({ kind: oneOf('openParameters') }),
    object({ kind: oneOf('openSetting') }),
    object({ kind: oneOf('runWith'), values: written }),
    /** Keeps values as a set; `name` is that of the set from which they come. */
    object({ kind: oneOf('keepSet'), values: written, name: isText }),
    object({ kind: oneOf('forgetSet'), name: isText }),
);
export type ViewMessage = Of<typeof fromView>;

export const RESULTS: Conversation<HostMessage, ViewMessage> = { name: 'results', fromHost, fromView };
