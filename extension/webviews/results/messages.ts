import type {
    Cell,
    ExplainedDerivation,
    ExplainedFact,
    Explanation,
    OutputColumn,
    OutputSummary,
    ResultPage,
    RowFilter,
    RowView,
    RunNotice,
    RunParameter,
    WireRange,
} from '#server/protocol/runs.ts';
import { PAGE_LIMIT } from '#server/protocol/runs.ts';
import { either, isCount, isFlag, isNumber, isText, listOf, type Of, object, oneOf, optional, type Shape } from '#server/protocol/shape.ts';
import type { Absence, AbsenceReason, Lack, NodePlace, WhyNotAnswer } from '#server/protocol/why-not.ts';

/** What is known of the run that a panel shows. */
export type ShownRun =
    | ({ readonly kind: 'running' } & Progress)
    | {
          readonly kind: 'finished';
          readonly outputs: readonly OutputSummary[];
          readonly facts: number;
          readonly milliseconds: number;
          readonly notices: readonly ShownNotice[];
          readonly parameters: readonly RunParameter[];
          /** The rows were kept from an earlier window; when they were made, in milliseconds. */
          readonly kept?: number;
      }
    | { readonly kind: 'failed'; readonly notices: readonly ShownNotice[]; readonly milliseconds: number }
    | { readonly kind: 'stopped'; readonly milliseconds: number }
    | { readonly kind: 'crashed'; readonly message: string }
    /** The run could not begin; `message` says why, and `setting` that a setting is to be changed. */
    | { readonly kind: 'refused'; readonly message: string; readonly setting?: true }
    /** The editor was started anew, and the rows went with the old one. */
    | { readonly kind: 'gone'; readonly message?: string };

/** `setting` where the one that gives parameters is its place. */
export type ShownNotice = RunNotice & { readonly setting?: true };

export interface Progress {
    readonly phase: 'starting' | 'loading' | 'evaluating' | 'writing';
    readonly stratum: number;
    readonly strata: number;
    readonly facts: number;
    readonly milliseconds: number;
}

const DENSITY = oneOf('compact', 'comfortable');
export type Density = Of<typeof DENSITY>;

const range: Shape<WireRange> = object({
    start: object({ line: isCount, character: isCount }),
    end: object({ line: isCount, character: isCount }),
});
const notice: Shape<ShownNotice> = object({
    code: isText,
    severity: oneOf('error', 'warning', 'information', 'hint'),
    message: isText,
    remedy: optional(isText),
    details: optional(listOf(isText)),
    range: optional(range),
    source: optional(object({ file: isText, line: optional(isCount) })),
    bound: optional(object({ type: isText, name: isText })),
    wanted: optional(object({ kind: oneOf('parameter', 'input'), name: isText })),
    parameter: optional(isText),
    setting: optional(oneOf(true)),
});
const parameter: Shape<RunParameter> = object({ name: isText, text: isText, given: isFlag });
const column: Shape<OutputColumn> = object({
    name: isText,
    type: isText,
    shape: oneOf('number', 'text', 'boolean', 'time', 'collection'),
});
const output: Shape<OutputSummary> = object({ key: isText, name: isText, rows: isCount, columns: listOf(column) });

const run: Shape<ShownRun> = either(
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
        outputs: listOf(output),
        facts: isCount,
        milliseconds: isNumber,
        notices: listOf(notice),
        parameters: listOf(parameter),
        kept: optional(isNumber),
    }),
    object({ kind: oneOf('failed'), notices: listOf(notice), milliseconds: isNumber }),
    object({ kind: oneOf('stopped'), milliseconds: isNumber }),
    object({ kind: oneOf('crashed'), message: isText }),
    object({ kind: oneOf('refused'), message: isText, setting: optional(oneOf(true)) }),
    object({ kind: oneOf('gone'), message: optional(isText) }),
);

const cell: Shape<Cell> = either(isText, object({ null: isText }), object({ text: isText, length: isCount }));
export const isResultPage: Shape<ResultPage> = object({
    rows: isCount,
    matching: isCount,
    offset: isCount,
    cells: listOf(listOf(cell), PAGE_LIMIT),
});

const fact: Shape<ExplainedFact> = object({
    node: isCount,
    kind: oneOf('fact', 'group'),
    text: isText,
    verbalization: isText,
    origin: optional(object({ label: isText, kind: oneOf('clause', 'source', 'concept') })),
    deferred: isFlag,
    expandable: isFlag,
});
const derivation: Shape<ExplainedDerivation> = object({
    rule: isText,
    place: isText,
    premises: listOf(fact),
    absent: optional(listOf(isText)),
    gives: optional(listOf(isText)),
    next: optional(isCount),
});
export const isDerivations = listOf(derivation);
const nodePlace: Shape<NodePlace> = object({ node: isCount, label: isText, kind: oneOf('clause', 'source') });
const lack: Shape<Lack> = object({
    words: isText,
    places: listOf(nodePlace),
    near: listOf(object({ words: isText, place: optional(nodePlace) })),
    node: optional(isCount),
    fact: optional(fact),
});
const reason: Shape<AbsenceReason> = object({
    rule: optional(object({ text: isText, place: nodePlace })),
    holds: listOf(object({ text: isText, note: optional(isText), fact: optional(fact) })),
    lacks: listOf(lack),
    changes: optional(isText),
});
export const isAbsence: Shape<Absence> = object({
    fact: isText,
    kind: oneOf('missing', 'further', 'present', 'empty'),
    reasons: listOf(reason),
    edits: optional(listOf(reason)),
    limits: listOf(isText),
});
export const isWhyNotAnswer: Shape<WhyNotAnswer> = either(
    object({
        kind: oneOf('absent'),
        absence: isAbsence,
        first: optional(object({ words: isText, places: listOf(nodePlace) })),
    }),
    object({ kind: oneOf('present'), facts: listOf(fact), count: isCount }),
);
export const isExplanation: Shape<Explanation> = object({ fact, derivations: isDerivations, words: isText });
export const isCellText = object({ text: isText });
export const isExported = object({ rows: isCount });

/** Widths of columns by their names, by the key of their output. */
const widths = object({ output: isText, columns: listOf(object({ name: isText, width: isNumber }), 10_000) });
export type ColumnWidths = Of<typeof widths>;

/** What the commands of the editor ask of the view that is looked at. */
const ACTION = oneOf('explain', 'askMissing', 'copy', 'copyWithHeader', 'showCell', 'filterByCell');
export type ViewAction = Of<typeof ACTION>;

const filter: Shape<RowFilter> = object({
    column: isCount,
    operator: oneOf('equals', 'differs', 'contains', 'starts', 'less', 'greater', 'unknown', 'known'),
    value: isText,
});
const isRowView: Shape<RowView> = object({
    output: isText,
    sort: optional(listOf(object({ column: isCount, descending: isFlag }), 64)),
    filters: optional(listOf(filter, 1000)),
    search: optional(isText),
});

/** From the host to the view. */
export const isHostMessage = either(
    /** The whole state; `run` numbers it, so that answers to an earlier one are told apart. */
    object({
        kind: oneOf('show'),
        panel: isText,
        program: isText,
        run: isCount,
        shown: run,
        stale: isFlag,
        density: DENSITY,
        widths: listOf(widths, 10_000),
    }),
    object({ kind: oneOf('stale'), stale: isFlag }),
    object({ kind: oneOf('density'), density: DENSITY }),
    object({ kind: oneOf('act'), action: ACTION }),
    /** `result` is checked by who asked. */
    object({ kind: oneOf('answer'), request: isCount, result: (value: unknown): value is unknown => value !== undefined }),
    object({ kind: oneOf('refusal'), request: isCount, message: isText }),
    /** Opens an output and explains one of its rows. */
    object({ kind: oneOf('open'), view: isRowView, row: isCount }),
    /** Explains why a fact is missing. */
    object({ kind: oneOf('missing'), question: isText }),
);
export type HostMessage = Of<typeof isHostMessage>;

const asked = { run: isCount, request: isCount };

/** From the view to the host. */
export const isViewMessage = either(
    object({ kind: oneOf('ready') }),
    object({ kind: oneOf('page'), ...asked, view: isRowView, offset: isCount, limit: isCount }),
    object({ kind: oneOf('cell'), ...asked, view: isRowView, row: isCount, column: isCount }),
    object({ kind: oneOf('explain'), ...asked, view: isRowView, row: isCount, all: isFlag }),
    object({ kind: oneOf('expand'), ...asked, node: isCount, all: isFlag }),
    object({ kind: oneOf('whyNot'), ...asked, question: isText }),
    object({ kind: oneOf('absence'), ...asked, node: isCount }),
    object({ kind: oneOf('export'), ...asked, view: isRowView, format: oneOf('csv', 'json', 'ndjson') }),
    /** Nobody waits for the answer to this request any more. */
    object({ kind: oneOf('giveUp'), given: isCount }),
    object({ kind: oneOf('reveal'), run: isCount, node: isCount, derivation: optional(isCount) }),
    /** Opens the place of a notice of the run, by its position in the list. */
    object({ kind: oneOf('notice'), run: isCount, index: isCount }),
    object({ kind: oneOf('copy'), text: isText }),
    object({ kind: oneOf('widths'), widths }),
    object({ kind: oneOf('runAgain') }),
    /** Has the user say which fact is missed, beginning with this one. */
    object({ kind: oneOf('askMissing'), question: isText }),
    object({ kind: oneOf('stop') }),
    object({ kind: oneOf('showOutput') }),
    /** Opens the setting that gives parameters. */
    object({ kind: oneOf('openParameters') }),
);
export type ViewMessage = Of<typeof isViewMessage>;

/** A message that is answered, without the numbers that its sender adds. */
export type ViewRequest = OmitNumbers<Extract<ViewMessage, { readonly request: number }>>;
type OmitNumbers<M> = M extends unknown ? Omit<M, 'run' | 'request'> : never;
