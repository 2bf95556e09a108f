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
import type { Absence, AbsenceReason, Lack, NodePlace, WhyNotAnswer } from '#server/protocol/why-not.ts';
import {
    type Check,
    type Checked,
    either,
    isCount,
    isFlag,
    isLongText,
    isNumber,
    isText,
    listOf,
    oneOf,
    optional,
    shape,
} from '../schema.ts';

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
export type Density = Checked<typeof DENSITY>;

const range: Check<WireRange> = shape({
    start: shape({ line: isCount, character: isCount }),
    end: shape({ line: isCount, character: isCount }),
});
const notice: Check<ShownNotice> = shape({
    code: isText,
    severity: oneOf('error', 'warning', 'information', 'hint'),
    message: isText,
    remedy: optional(isText),
    details: optional(listOf(isText)),
    range: optional(range),
    source: optional(shape({ file: isText, line: optional(isCount) })),
    bound: optional(shape({ type: isText, name: isText })),
    wanted: optional(shape({ kind: oneOf('parameter', 'input'), name: isText })),
    parameter: optional(isText),
    setting: optional(oneOf(true)),
});
const parameter: Check<RunParameter> = shape({ name: isText, text: isText, given: isFlag });
const column: Check<OutputColumn> = shape({
    name: isText,
    type: isText,
    shape: oneOf('number', 'text', 'boolean', 'time', 'collection'),
});
const output: Check<OutputSummary> = shape({ key: isText, name: isText, rows: isCount, columns: listOf(column) });

const run: Check<ShownRun> = either(
    shape({
        kind: oneOf('running'),
        phase: oneOf('starting', 'loading', 'evaluating', 'writing'),
        stratum: isCount,
        strata: isCount,
        facts: isCount,
        milliseconds: isNumber,
    }),
    shape({
        kind: oneOf('finished'),
        outputs: listOf(output),
        facts: isCount,
        milliseconds: isNumber,
        notices: listOf(notice),
        parameters: listOf(parameter),
        kept: optional(isNumber),
    }),
    shape({ kind: oneOf('failed'), notices: listOf(notice), milliseconds: isNumber }),
    shape({ kind: oneOf('stopped'), milliseconds: isNumber }),
    shape({ kind: oneOf('crashed'), message: isText }),
    shape({ kind: oneOf('refused'), message: isText, setting: optional(oneOf(true)) }),
    shape({ kind: oneOf('gone'), message: optional(isText) }),
);

const cell: Check<Cell> = either(isLongText, shape({ null: isText }), shape({ text: isText, length: isCount }));
export const isResultPage: Check<ResultPage> = shape({
    rows: isCount,
    matching: isCount,
    offset: isCount,
    cells: listOf(listOf(cell), PAGE_LIMIT),
});

const fact: Check<ExplainedFact> = shape({
    node: isCount,
    kind: oneOf('fact', 'group'),
    text: isText,
    verbalization: isText,
    origin: optional(shape({ label: isText, kind: oneOf('clause', 'source', 'concept') })),
    deferred: isFlag,
    expandable: isFlag,
});
const derivation: Check<ExplainedDerivation> = shape({
    rule: isText,
    place: isText,
    premises: listOf(fact),
    absent: optional(listOf(isText)),
    gives: optional(listOf(isText)),
    next: optional(isCount),
});
export const isDerivations = listOf(derivation);
const nodePlace: Check<NodePlace> = shape({ node: isCount, label: isText, kind: oneOf('clause', 'source') });
const lack: Check<Lack> = shape({
    words: isText,
    places: listOf(nodePlace),
    near: listOf(shape({ words: isText, place: optional(nodePlace) })),
    node: optional(isCount),
    fact: optional(fact),
});
const reason: Check<AbsenceReason> = shape({
    rule: optional(shape({ text: isText, place: nodePlace })),
    holds: listOf(shape({ text: isText, note: optional(isText), fact: optional(fact) })),
    lacks: listOf(lack),
    changes: optional(isText),
});
export const isAbsence: Check<Absence> = shape({
    fact: isText,
    kind: oneOf('missing', 'further', 'present', 'empty'),
    reasons: listOf(reason),
    edits: optional(listOf(reason)),
    limits: listOf(isText),
});
export const isWhyNotAnswer: Check<WhyNotAnswer> = either(
    shape({
        kind: oneOf('absent'),
        absence: isAbsence,
        first: optional(shape({ words: isText, places: listOf(nodePlace) })),
    }),
    shape({ kind: oneOf('present'), facts: listOf(fact), count: isCount }),
);
export const isExplanation: Check<Explanation> = shape({ fact, derivations: isDerivations, words: isText });
export const isCellText = shape({ text: isLongText });
export const isExported = shape({ rows: isCount });

/** Widths of columns by their names, by the key of their output. */
const widths = shape({ output: isText, columns: listOf(shape({ name: isText, width: isNumber }), 10_000) });
export type ColumnWidths = Checked<typeof widths>;

/** What the commands of the editor ask of the view that is looked at. */
const ACTION = oneOf('explain', 'askMissing', 'copy', 'copyWithHeader', 'showCell', 'filterByCell');
export type ViewAction = Checked<typeof ACTION>;

const filter: Check<RowFilter> = shape({
    column: isCount,
    operator: oneOf('equals', 'differs', 'contains', 'starts', 'less', 'greater', 'unknown', 'known'),
    value: isText,
});
const isRowView: Check<RowView> = shape({
    output: isText,
    sort: optional(listOf(shape({ column: isCount, descending: isFlag }), 64)),
    filters: optional(listOf(filter, 1000)),
    search: optional(isText),
});

/** From the host to the view. */
export const isHostMessage = either(
    /** The whole state; `run` numbers it, so that answers to an earlier one are told apart. */
    shape({
        kind: oneOf('show'),
        panel: isText,
        program: isText,
        run: isCount,
        shown: run,
        stale: isFlag,
        density: DENSITY,
        widths: listOf(widths, 10_000),
    }),
    shape({ kind: oneOf('stale'), stale: isFlag }),
    shape({ kind: oneOf('density'), density: DENSITY }),
    shape({ kind: oneOf('act'), action: ACTION }),
    /** `result` is checked by who asked. */
    shape({ kind: oneOf('answer'), request: isCount, result: (value: unknown): value is unknown => value !== undefined }),
    shape({ kind: oneOf('refusal'), request: isCount, message: isText }),
    /** Opens an output and explains one of its rows. */
    shape({ kind: oneOf('open'), view: isRowView, row: isCount }),
    /** Explains why a fact is missing. */
    shape({ kind: oneOf('missing'), question: isText }),
);
export type HostMessage = Checked<typeof isHostMessage>;

const asked = { run: isCount, request: isCount };

/** From the view to the host. */
export const isViewMessage = either(
    shape({ kind: oneOf('ready') }),
    shape({ kind: oneOf('page'), ...asked, view: isRowView, offset: isCount, limit: isCount }),
    shape({ kind: oneOf('cell'), ...asked, view: isRowView, row: isCount, column: isCount }),
    shape({ kind: oneOf('explain'), ...asked, view: isRowView, row: isCount, all: isFlag }),
    shape({ kind: oneOf('expand'), ...asked, node: isCount, all: isFlag }),
    shape({ kind: oneOf('whyNot'), ...asked, question: isText }),
    shape({ kind: oneOf('absence'), ...asked, node: isCount }),
    shape({ kind: oneOf('export'), ...asked, view: isRowView, format: oneOf('csv', 'json', 'ndjson') }),
    /** Nobody waits for the answer to this request any more. */
    shape({ kind: oneOf('giveUp'), given: isCount }),
    shape({ kind: oneOf('reveal'), run: isCount, node: isCount, derivation: optional(isCount) }),
    /** Opens the place of a notice of the run, by its position in the list. */
    shape({ kind: oneOf('notice'), run: isCount, index: isCount }),
    shape({ kind: oneOf('copy'), text: isLongText }),
    shape({ kind: oneOf('widths'), widths }),
    shape({ kind: oneOf('runAgain') }),
    /** Has the user say which fact is missed, beginning with this one. */
    shape({ kind: oneOf('askMissing'), question: isText }),
    shape({ kind: oneOf('stop') }),
    shape({ kind: oneOf('showOutput') }),
    /** Opens the setting that gives parameters. */
    shape({ kind: oneOf('openParameters') }),
);
export type ViewMessage = Checked<typeof isViewMessage>;

/** A message that is answered, without the numbers that its sender adds. */
export type ViewRequest = OmitNumbers<Extract<ViewMessage, { readonly request: number }>>;
type OmitNumbers<M> = M extends unknown ? Omit<M, 'run' | 'request'> : never;
