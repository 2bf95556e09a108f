/**
 * Messages of editor, language server and run process about runs. The same messages pass through all three. A webview sees them too, so
 * nothing in them is a path, a command or markup.
 */

import { isRowCounts, isRunDifference } from './run-difference.ts';
import {
    countUpTo,
    either,
    isCount,
    isFlag,
    isText,
    listOf,
    type Of,
    object,
    oneOf,
    optional,
    recordOf,
    type Shape,
    textUpTo,
} from './shape.ts';

const COLUMNS = 10_000;
const PARAMETERS = 1000;
const KEYS = 64;
const FILTERS = 256;
const MOST = 0x7fffffff;

/** Texts of requests that pass through a webview, so that nothing about them is certain. */
export const isName = textUpTo(1000);
export const isGivenText = textUpTo(1 << 20);
export const isUri = textUpTo(1 << 16);

/** The output predicate of an answer: name and arity, `ctrl/2`. */
export type OutputKey = string;

/** The value of a parameter, as JSON has it. */
export type GivenParameter = string | number | boolean | readonly GivenParameter[];

/** Lists in lists at most. */
const DEEPEST = 16;

export function isGivenParameter(value: unknown, depth = 0): value is GivenParameter {
    switch (typeof value) {
        case 'string':
            return isGivenText(value);
        case 'number':
            return Number.isFinite(value);
        case 'boolean':
            return true;
        default:
            return Array.isArray(value) && depth < DEEPEST && value.every(item => isGivenParameter(item, depth + 1));
    }
}

/** Values of parameters by their names. */
export const isGivenParameters = recordOf((value): value is GivenParameter => isGivenParameter(value), PARAMETERS);
export type GivenParameters = Of<typeof isGivenParameters>;

/** A parameter of a program and the value that a run used. */
export const isRunParameter = object({
    name: isText,
    /** As the value prints. */
    text: isText,
    /** Given for the run; else it is the default that the program declares. */
    given: isFlag,
});
export type RunParameter = Of<typeof isRunParameter>;

/** Unique while the server lives. */
const run = isCount;
/** How far a run is. */
export const PROGRESS = {
    phase: oneOf('loading', 'evaluating', 'writing'),
    stratum: isCount,
    strata: isCount,
    round: isCount,
    facts: isCount,
    /** The predicate whose rows are being found, and how many it has so far. */
    filling: optional(object({ name: isText, rows: isCount })),
};
const isRunProgress = object({ run, ...PROGRESS });
export type RunProgress = Of<typeof isRunProgress>;

/** Zero-based, in UTF-16 units. */
export const isPosition = object({ line: countUpTo(MOST), character: countUpTo(MOST) });
export const isRange = object({ start: isPosition, end: isPosition });
export type WireRange = Of<typeof isRange>;

/** Whether one position comes before another. */
export function isBefore(left: Of<typeof isPosition>, right: Of<typeof isPosition>): boolean {
    return left.line < right.line || (left.line === right.line && left.character < right.character);
}

const isScriptFault = either(
    object({ script: isText, kind: oneOf('unavailable'), reason: isText }),
    object({ script: isText, kind: oneOf('not-found', 'no-main', 'bad-result') }),
    /** The keys of a row, counted from one, are not the columns of the head. */
    object({ script: isText, kind: oneOf('columns'), row: isCount, expected: listOf(isText), actual: listOf(isText) }),
    object({ script: isText, kind: oneOf('failed'), traceback: isText }),
);
export type ScriptFault = Of<typeof isScriptFault>;

/** A problem or report of a run, for people. Positions are zero-based, in UTF-16 units. */
export const NOTICE = {
    code: isText,
    severity: oneOf('error', 'warning', 'information', 'hint'),
    message: isText,
    remedy: optional(isText),
    /** Lines to be shown as they are, below the message. */
    details: optional(listOf(isText)),
    range: optional(isRange),
    /** A line of a data file, one-based. */
    source: optional(object({ file: isText, line: optional(isCount) })),
    /** The data source at whose bind it stands. */
    bound: optional(object({ type: isText, name: isText })),
    /** The parameter or the input predicate that the run was to be given. */
    wanted: optional(object({ kind: oneOf('parameter', 'input'), name: isText })),
    /** The error of a script. */
    script: optional(isScriptFault),
    /** The name that the run gives a value, where it is about that. */
    parameter: optional(isText),
};
const isRunNotice = object(NOTICE);
export type RunNotice = Of<typeof isRunNotice>;

export const isOutputColumn = object({
    name: isText,
    /** As a user writes it: `int`, `list<string>`. */
    type: isText,
    /** How its cells are aligned and sorted. */
    shape: oneOf('number', 'text', 'boolean', 'time', 'collection'),
});
export type OutputColumn = Of<typeof isOutputColumn>;

export const isOutputSummary = object({
    key: isText as Shape<OutputKey>,
    name: isText,
    rows: isCount,
    columns: listOf(isOutputColumn),
    /** Of rows that say what differs from an earlier run. */
    difference: optional(isRowCounts),
    /** Changes by edits to rows that follow them; absent if nothing changed. */
    changes: optional(object({ added: isCount, removed: isCount })),
});
export type OutputSummary = Of<typeof isOutputSummary>;

const ENDED = { milliseconds: isCount, notices: listOf(isRunNotice) };
export const FINISHED = {
    ...ENDED,
    outcome: oneOf('finished'),
    outputs: listOf(isOutputSummary),
    facts: isCount,
    /** Parameters of the program. */
    parameters: optional(listOf(isRunParameter)),
    /** Its rows are what differs between two runs; this differs in what they were made of. */
    difference: optional(isRunDifference),
    /** The note that was kept with its rows, if they come from a kept file. */
    note: optional(isText),
    /** It was to follow edits: `why` it cannot, in words. */
    live: optional(object({ why: optional(isText) })),
};
/** Problems of the program, or a report that ended the run; the notices say which. */
export const FAILED = { ...ENDED, outcome: oneOf('failed') };

/** How a run ended. A finished run's process lives on to serve its rows, until it is closed. */
const isRunEnd = either(
    object({ run, ...FINISHED }),
    object({ run, ...FAILED }),
    object({ run, ...ENDED, outcome: oneOf('stopped') }),
    /** The run process died; `message` says how. */
    object({ run, ...ENDED, outcome: oneOf('crashed'), message: isText }),
);
export type RunEnd = Of<typeof isRunEnd>;

/** The state of a run's rows that follow edits. */
export const isFollowed = either(
    /** They are those of the program as it is now. */
    object({ kind: oneOf('rows'), milliseconds: isCount, outputs: listOf(isOutputSummary), facts: isCount, notices: listOf(isRunNotice) }),
    /** The program has errors, or its evaluation ended at one; the rows are those of before. */
    object({ kind: oneOf('error'), notices: listOf(isRunNotice) }),
    /** The rows of the program as it is now can only be had by a run, or once its sources are read; they are those of before. */
    object({ kind: oneOf('held'), why: isText, needs: oneOf('run', 'sources') }),
);
export type Followed = Of<typeof isFollowed>;

export const isColumn = countUpTo(COLUMNS);
/** The position of a row in a view. */
export const isRow = countUpTo(MOST);

/** Comparisons of a filter with the cells of its column, for rows of runs and for stored ones. */
export const FILTER_OPERATORS = [
    'equals',
    'differs',
    /** This, `lacks`, `starts` and `ends` ignore letter case. */
    'contains',
    'lacks',
    'starts',
    'ends',
    /** A regular expression, as ECMAScript writes it, matches somewhere in the text; what needs more than linear time is refused. */
    'matches',
    /** This, `atMost`, `greater` and `atLeast` compare numbers and times by value. */
    'less',
    'atMost',
    'greater',
    'atLeast',
    /** A null of either kind, and none. */
    'unknown',
    'known',
    /** A value that the source of a row did not have. */
    'missing',
    /** A labelled null that a rule invented; with a value the null that is shown so, whatever made it. */
    'labelled',
] as const;

const isRowFilter = object({
    column: isColumn,
    operator: oneOf(...FILTER_OPERATORS),
    /** The text form of the value; unused for the operators about nulls but `labelled`. */
    value: isGivenText,
});
export type RowFilter = Of<typeof isRowFilter>;

const NARROWING = {
    filters: optional(listOf(isRowFilter, FILTERS)),
    /** Keeps rows with a cell whose text contains this, letter case ignored. */
    search: optional(isGivenText),
};

/** Groups of the rows that pass: those that have the same values in the columns `by`, with measures of the columns `measured`. */
const isGrouping = object({ by: listOf(isColumn, KEYS), measured: listOf(isColumn, FILTERS), ...NARROWING });
export type RowGrouping = Of<typeof isGrouping>;

/** The rows of an output to show, and their order. */
export const isRowView = object({
    output: isName as Shape<OutputKey>,
    /** A row is a group then, and columns are those of `rulelang/grouped`. */
    grouped: optional(isGrouping),
    /** The first is the major key; without keys the rows come in listing order. */
    sort: optional(listOf(object({ column: isColumn, descending: isFlag }), KEYS)),
    ...NARROWING,
    /** Has rows that an edit removed among the others, and all that it added and removed marked. */
    marked: optional(oneOf(true)),
});
export type RowView = Of<typeof isRowView>;

/** Groups of rows as an output, and what its columns say behind those of the values in common and the number of rows. */
export const isGroupedOutput = object({
    output: isOutputSummary,
    measures: listOf(object({ column: isCount, measure: oneOf('count', 'sum', 'min', 'max') })),
});
export type GroupedOutput = Of<typeof isGroupedOutput>;

export const CELL_LIMIT = 300;
export const PAGE_LIMIT = 1000;

/** Text of a value, cut after `CELL_LIMIT` characters; a null, `missing` where no rule invented it; a value that is cut has its whole length. */
export const isCell = either(isText, object({ null: isText, missing: optional(oneOf(true)) }), object({ text: isText, length: isCount }));
export type Cell = Of<typeof isCell>;

/** A value as text: a dash for a missing one, and an ellipsis behind a text that was cut. */
export function cellText(cell: Cell): string {
    if (typeof cell === 'string') return cell;
    return 'null' in cell ? (cell.missing === true ? '—' : cell.null) : `${cell.text}…`;
}

export const isResultPage = object({
    /** Rows of the whole output, and those that pass filters and search. */
    rows: isCount,
    matching: isCount,
    offset: isCount,
    /** One array per row, one cell per column. Where rows are very long, fewer rows than were asked for. */
    cells: listOf(listOf(isCell), PAGE_LIMIT),
    /** Rows of the page that were added or removed, by their places in it; in a view that is marked. */
    marks: optional(listOf(object({ place: isCount, mark: oneOf('added', 'removed') }), PAGE_LIMIT)),
});
export type ResultPage = Of<typeof isResultPage>;

/** A place in the program, a line of a data file, or another concept; `node` lets the editor open it without a path in the message. */
export const ORIGIN = { label: isText, kind: oneOf('clause', 'source', 'concept') };
const isWireOrigin = object(ORIGIN);
export type WireOrigin = Of<typeof isWireOrigin>;

/** A fact of an explanation and, when it was asked for, what it rests on. Nodes are numbered by the run process. */
export const isExplainedFact = object({
    node: isCount,
    /** `fact` has derivations or an origin; `group` holds the contributions to an aggregate. */
    kind: oneOf('fact', 'group'),
    text: isText,
    verbalization: isText,
    origin: optional(isWireOrigin),
    deferred: isFlag,
    /** It is derived, so that `expand` has something to say. */
    expandable: isFlag,
});
export type ExplainedFact = Of<typeof isExplainedFact>;

export const isExplainedDerivation = object({
    /** Canonical text of the rule. */
    rule: isText,
    place: isText,
    premises: listOf(isExplainedFact),
    /** Atoms that the rule negates, with `_` for any value: `leads("Bo",_)`. */
    absent: optional(listOf(isText)),
    /** Its contributions to aggregates, as text. */
    gives: optional(listOf(isText)),
    /** The premise with which a chain of steps by one rule goes on. */
    next: optional(isCount),
});
export type ExplainedDerivation = Of<typeof isExplainedDerivation>;

export const isExplanation = object({
    fact: isExplainedFact,
    derivations: listOf(isExplainedDerivation),
    /** The explanation in plain words. */
    words: isText,
});
export type Explanation = Of<typeof isExplanation>;

/** A place for the editor to open. */
export const isRevealedPlace = object({ uri: isText, range: isRange });
export type RevealedPlace = Of<typeof isRevealedPlace>;

/** Notifications about runs, by method name. */
export interface RunNotifications {
    'rulelang/runProgress': RunProgress;
    'rulelang/runEnded': RunEnd;
    /** How many rows the predicates of a program had in its last run is known. */
    'rulelang/rowsCounted': { readonly uri: string };
    'rulelang/modelAgreed': { readonly agreed: string };
}

/** Codes in the `data` of the error with which a server answers if a run is refused or gone. */
export const RUN_ERRORS = {
    untrusted: 'untrusted',
    unknownRun: 'unknown-run',
    unknownDocument: 'unknown-document',
    noBody: 'no-body',
} as const;

/** Settings that the extension sends to the server at its start. */
export const isInitializationOptions = object({
    /** False in restricted mode: nothing is run, and no file is read but the first 64 KiB of data files and programs up to 64 KiB, inside the workspace folders. */
    trusted: isFlag,
    /** The client has the commands of lenses and actions: `rulelang.runPredicate`, `rulelang.explainPredicate`, `rulelang.explainProblem`, `rulelang.nameMadeUp`, `rulelang.reorderArguments`, `rulelang.whatIfWithout`, `rulelang.whatIfOtherwise`. */
    lenses: optional(isFlag),
    /** Hosts that runs and checks may talk to, as `hostGrant` reads them, and variables of the environment that credentials of binds may name. */
    allowNet: optional(listOf(isText)),
    secrets: optional(listOf(isText)),
    /** Limits of a run; usual ones apply if absent. */
    limits: optional(
        object({
            /** Bytes. */
            maxMemory: optional(isCount),
            /** Milliseconds. */
            timeout: optional(isCount),
            /** Rounds of a recursion that makes new values, beyond the facts that it reads. */
            maxRounds: optional(isCount),
            /** Threads that work at once. */
            threads: optional(isCount),
        }),
    ),
    /** How programs ask the model of this machine. */
    model: optional(
        object({
            /** They ask none. */
            never: optional(isFlag),
            /** The consent of the user for this workspace, as `MODEL_AGREED` brings it. */
            agreed: optional(isText),
            /** The folder for the configuration of the services, and for kept answers of models; the usual place if absent. */
            dataDirectory: optional(isText),
        }),
    ),
    /** Whether scripts are run, and with what; they are not where absent. */
    python: optional(object({ enabled: isFlag, network: isFlag, path: optional(isText) })),
});
export type InitializationOptions = Of<typeof isInitializationOptions>;

/** From server to client when the user lets the programs of the workspace ask a model: what to say about it in another session. */
export const MODEL_AGREED = 'rulelang/modelAgreed';

/** From client to server: what opens the databases that the user has connected and lets programs reach, for checks. */
export const CONNECTED = 'rulelang/connected';

/** From client to server when the user grants trust. */
export const TRUST_GRANTED = 'rulelang/trustGranted';
