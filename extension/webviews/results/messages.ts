import { COPY_FORMATS } from '#extension/surfaces/grid/table-text.ts';
import type { AskedBy } from '#server/protocol/methods.ts';
import { isToldProof } from '#server/protocol/proof-sentences.ts';
import { EXPORT, RELAYED_METHODS, RUN_METHODS } from '#server/protocol/run-methods.ts';
import { isOutputSummary, isRow, isRowView, isRunParameter, NOTICE } from '#server/protocol/runs.ts';
import {
    either,
    isAnything,
    isCount,
    isFlag,
    isNumber,
    isText,
    listOf,
    type Of,
    object,
    oneOf,
    optional,
    type Shape,
} from '#server/protocol/shape.ts';
import type { Conversation } from '../conversation.ts';

const DENSITY = oneOf('compact', 'comfortable');
export type Density = Of<typeof DENSITY>;

/** `setting` where the one that gives parameters is its place. */
const notice = object({ ...NOTICE, setting: optional(oneOf(true)) });
export type ShownNotice = Of<typeof notice>;

/** What is known of the run that a panel shows. */
const isShownRun = either(
    object({
        kind: oneOf('running'),
        phase: oneOf('starting', 'loading', 'evaluating', 'writing'),
        stratum: isCount,
        strata: isCount,
        facts: isCount,
        milliseconds: isNumber,
    }),
    object({
        kind: oneOf('finished'),
        outputs: listOf(isOutputSummary),
        facts: isCount,
        milliseconds: isNumber,
        notices: listOf(notice),
        parameters: listOf(isRunParameter),
        /** The rows were kept from an earlier window; when they were made, in milliseconds. */
        kept: optional(isNumber),
    }),
    object({ kind: oneOf('failed'), notices: listOf(notice), milliseconds: isNumber }),
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

/** What the commands of the editor ask of the view that is looked at. */
const ACTION = oneOf('explain', 'askMissing', 'showCell', 'filterByCell', ...COPY_FORMATS);
export type ViewAction = Of<typeof ACTION>;

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
    }),
    object({ kind: oneOf('stale'), stale: isFlag }),
    object({ kind: oneOf('density'), density: DENSITY }),
    object({ kind: oneOf('act'), action: ACTION }),
    /** `result` is checked by who asked. */
    object({ kind: oneOf('answer'), request: isCount, result: isAnything }),
    object({ kind: oneOf('refusal'), request: isCount, message: isText }),
    /** Opens an output and explains one of its rows. */
    object({ kind: oneOf('open'), view: isRowView, row: isCount }),
    /** Explains why a fact is missing. */
    object({ kind: oneOf('missing'), question: isText }),
);
export type HostMessage = Of<typeof fromHost>;

/** What the view asks about a run, by its number in this window; the host knows the run process, and asks for the file of an export. */
export const VIEW_METHODS = {
    ...RELAYED_METHODS,
    'rulelang/export': { ...RUN_METHODS['rulelang/export'], params: object(EXPORT) },
    /** Has a language model of the editor tell why a row is there. */
    'rulelang/tell': { params: object({ run: isCount, view: isRowView, row: isRow }), result: isToldProof },
} as const;
export type ViewMethods = typeof VIEW_METHODS;
export type ViewQuestion = { readonly kind: 'ask'; readonly request: number } & AskedBy<ViewMethods>;

const isViewQuestion = either(
    ...Object.entries(VIEW_METHODS).map(([method, { params }]) =>
        object({ kind: oneOf('ask'), request: isCount, method: oneOf(method), params }),
    ),
) as Shape<ViewQuestion>;

/** The number of a request that does not follow its shape, so that it can be refused: somebody waits for an answer. */
export function requestIn(message: unknown): number | undefined {
    if (typeof message !== 'object' || message === null || !('kind' in message && 'request' in message)) return undefined;
    return message.kind === 'ask' && isCount(message.request) ? message.request : undefined;
}

/** From the view to the host. */
const fromView = either(
    isViewQuestion,
    /** Nobody waits for the answer to this request any more. */
    object({ kind: oneOf('giveUp'), given: isCount }),
    object({ kind: oneOf('reveal'), run: isCount, node: isCount, derivation: optional(isCount) }),
    /** Opens the place of a notice of the run, by its position in the list. */
    object({ kind: oneOf('notice'), run: isCount, index: isCount }),
    object({ kind: oneOf('copy'), text: isText }),
    object({ kind: oneOf('arranged'), arranged }),
    object({ kind: oneOf('runAgain') }),
    /** Has the user say which fact is missed, beginning with this one. */
    object({ kind: oneOf('askMissing'), question: isText }),
    object({ kind: oneOf('stop') }),
    object({ kind: oneOf('showOutput') }),
    /** Opens the setting that gives parameters. */
    object({ kind: oneOf('openParameters') }),
);
export type ViewMessage = Of<typeof fromView>;

export const RESULTS: Conversation<HostMessage, ViewMessage> = { name: 'results', fromHost, fromView };
