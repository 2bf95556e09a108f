/**
 * What an editor, a language server and a run process say to each other about runs. The same messages pass through all
 * three; a webview sees them too, so nothing in them is a path, a command or markup.
 */

/** The output predicate of an answer: name and arity, `ctrl/2`. */
export type OutputKey = string;

export interface RunStart {
    /** The document whose text, saved or not, is run. */
    readonly uri: string;
    /** Evaluates and shows these predicates, by name, instead of the outputs of the program. */
    readonly predicates?: readonly string[];
    readonly parameters?: Readonly<Record<string, GivenParameter>>;
}

/** The value of a parameter, as JSON has it. */
export type GivenParameter = string | number | boolean | readonly GivenParameter[];

/** A parameter of a program and the value that a run used. */
export interface RunParameter {
    readonly name: string;
    /** As the value prints. */
    readonly text: string;
    /** Given for the run; else it is the default that the program declares. */
    readonly given: boolean;
}

export interface RunReference {
    /** Unique while the server lives. */
    readonly run: number;
}

export interface RunProgress extends RunReference {
    readonly phase: 'loading' | 'evaluating' | 'writing';
    readonly stratum: number;
    readonly strata: number;
    readonly round: number;
    readonly facts: number;
}

/** How a run ended. A finished run's process lives on to serve its rows, until it is closed. */
export type RunEnd = RunReference & {
    readonly milliseconds: number;
    readonly notices: readonly RunNotice[];
} & (
        | {
              readonly outcome: 'finished';
              readonly outputs: readonly OutputSummary[];
              readonly facts: number;
              /** Those that the program has. */
              readonly parameters?: readonly RunParameter[];
              /** Its rows come from a file that was kept; this is the note of whoever had them kept. */
              readonly note?: string;
          }
        /** Problems of the program, or a report that ended the run; the notices say which. */
        | { readonly outcome: 'failed' }
        | { readonly outcome: 'stopped' }
        /** The run process died; `message` says how. */
        | { readonly outcome: 'crashed'; readonly message: string }
    );

/** A problem or report of a run, for people. Positions are zero-based, in UTF-16 units. */
export interface RunNotice {
    readonly code: string;
    readonly severity: 'error' | 'warning' | 'information' | 'hint';
    readonly message: string;
    readonly remedy?: string;
    /** Lines to be shown as they are, below the message. */
    readonly details?: readonly string[];
    readonly range?: WireRange;
    /** A line of a data file, one-based. */
    readonly source?: { readonly file: string; readonly line?: number };
    /** The data source at whose bind it stands. */
    readonly bound?: { readonly type: string; readonly name: string };
    /** The parameter or the input predicate that the run was to be given. */
    readonly wanted?: { readonly kind: 'parameter' | 'input'; readonly name: string };
    /** The name that the run gives a value, where it is about that. */
    readonly parameter?: string;
}

export interface WireRange {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
}

export interface OutputSummary {
    readonly key: OutputKey;
    readonly name: string;
    readonly rows: number;
    readonly columns: readonly OutputColumn[];
}

export interface OutputColumn {
    readonly name: string;
    /** As a user writes it: `int`, `list<string>`. */
    readonly type: string;
    /** How its cells are aligned and sorted. */
    readonly shape: 'number' | 'text' | 'boolean' | 'time' | 'collection';
}

/** Which rows of an output are looked at, and in which order. */
export interface RowView {
    readonly output: OutputKey;
    /** The first is the major key; without keys the rows come in listing order. */
    readonly sort?: readonly { readonly column: number; readonly descending: boolean }[];
    readonly filters?: readonly RowFilter[];
    /** Keeps rows with a cell whose text contains this, letter case ignored. */
    readonly search?: string;
}

export interface RowFilter {
    readonly column: number;
    /** `contains` and `starts` ignore letter case; `less` and `greater` compare numbers and times by value. */
    readonly operator: 'equals' | 'differs' | 'contains' | 'starts' | 'less' | 'greater' | 'unknown' | 'known';
    /** The text form of the value; unused for `unknown` and `known`. */
    readonly value: string;
}

export interface PageRequest extends RunReference {
    readonly view: RowView;
    readonly offset: number;
    readonly limit: number;
}

export interface ResultPage {
    /** Rows of the whole output, and those that pass filters and search. */
    readonly rows: number;
    readonly matching: number;
    readonly offset: number;
    /** One array per row, one cell per column. Where rows are very long, fewer rows than were asked for. */
    readonly cells: readonly (readonly Cell[])[];
}

/** Text of a value, cut after `CELL_LIMIT` characters; a labelled null; a value that is cut has its whole length. */
export type Cell = string | { readonly null: string } | { readonly text: string; readonly length: number };

export const CELL_LIMIT = 300;
export const PAGE_LIMIT = 1000;

/** One row of a view, by its position in it. */
export interface RowReference extends RunReference {
    readonly view: RowView;
    readonly row: number;
}

export interface CellReference extends RowReference {
    readonly column: number;
}

export interface ExportRequest extends RunReference {
    readonly view: RowView;
    readonly format: 'csv' | 'json' | 'ndjson';
    /** The file that the user chose. */
    readonly uri: string;
}

/** A fact of an explanation and, when it was asked for, what it rests on. Nodes are numbered by the run process. */
export interface ExplainedFact {
    readonly node: number;
    /** `fact` has derivations or an origin; `group` holds the contributions to an aggregate. */
    readonly kind: 'fact' | 'group';
    readonly text: string;
    readonly verbalization: string;
    readonly origin?: WireOrigin;
    readonly deferred: boolean;
    /** It is derived, so that `expand` has something to say. */
    readonly expandable: boolean;
}

/** A place in the program, a line of a data file, or another concept; `node` lets the editor open it without a path in the message. */
export interface WireOrigin {
    readonly label: string;
    readonly kind: 'clause' | 'source' | 'concept';
}

export interface ExplainedDerivation {
    /** Canonical text of the rule. */
    readonly rule: string;
    readonly place: string;
    readonly premises: readonly ExplainedFact[];
    /** What the rule asks not to be there, with `_` for any value: `leads("Bo",_)`. */
    readonly absent?: readonly string[];
    /** What it contributes to each aggregate, as text. */
    readonly gives?: readonly string[];
    /** The premise with which a chain of steps by one rule goes on. */
    readonly next?: number;
}

export interface Explanation {
    readonly fact: ExplainedFact;
    readonly derivations: readonly ExplainedDerivation[];
    /** The explanation in plain words. */
    readonly words: string;
}

/** Writes the rows of a finished run to a file of the editor, for `rulelang/restore`. */
export interface KeepRequest extends RunReference {
    readonly uri: string;
    /** What the editor wants to know of the run when it has its rows again. */
    readonly note: string;
    /** Bytes; more are not written. */
    readonly largest: number;
}

/** Takes the rows of a file that `rulelang/keep` wrote for those of a run, which begins with that. */
export interface RestoreRequest {
    readonly uri: string;
}

export interface ExpandRequest extends RunReference {
    readonly node: number;
    /** Every derivation instead of the first. */
    readonly all: boolean;
}

export interface RevealRequest extends RunReference {
    readonly node: number;
    /** The place of the fact itself, or of the rule of its n-th derivation. */
    readonly derivation?: number;
}

/** A place for the editor to open. */
export interface RevealedPlace {
    readonly uri: string;
    readonly range: WireRange;
}

/** Requests about runs, by method name. */
export type RunRequests = {
    'rulelang/run': { readonly params: RunStart; readonly result: RunReference };
    'rulelang/stop': { readonly params: RunReference; readonly result: null };
    /** Ends the process that serves the rows of a run. */
    'rulelang/close': { readonly params: RunReference; readonly result: null };
    'rulelang/page': { readonly params: PageRequest; readonly result: ResultPage };
    /** The whole text of a cell. */
    'rulelang/cell': { readonly params: CellReference; readonly result: { readonly text: string } };
    'rulelang/export': { readonly params: ExportRequest; readonly result: { readonly rows: number } };
    'rulelang/keep': { readonly params: KeepRequest; readonly result: { readonly bytes: number } };
    /** The end of the run comes as that of any run. */
    'rulelang/restore': { readonly params: RestoreRequest; readonly result: RunReference };
    'rulelang/explain': { readonly params: RowReference & { readonly all: boolean }; readonly result: Explanation };
    'rulelang/expand': { readonly params: ExpandRequest; readonly result: readonly ExplainedDerivation[] };
    'rulelang/reveal': { readonly params: RevealRequest; readonly result: RevealedPlace | null };
};

/** Notifications about runs, by method name. */
export type RunNotifications = {
    'rulelang/runProgress': RunProgress;
    'rulelang/runEnded': RunEnd;
};

/** What a server answers when a run is refused or gone, in the `data` of the error. */
export const RUN_ERRORS = { untrusted: 'untrusted', unknownRun: 'unknown-run', unknownDocument: 'unknown-document' } as const;

/** What the extension tells the server when it starts. */
export interface InitializationOptions {
    /** False in restricted mode: nothing is run, and no file is read but the first 64 KiB of data files and programs up to 64 KiB, inside the workspace folders. */
    readonly trusted: boolean;
    /** The client has the commands of lenses and actions: `rulelang.runPredicate`, `rulelang.explainPredicate`, `rulelang.explainProblem`, `rulelang.nameMadeUp`, `rulelang.reorderArguments`. */
    readonly lenses?: boolean;
    /** What a run may use; usual limits apply where absent. */
    readonly limits?: {
        /** Bytes. */
        readonly maxMemory?: number;
        /** Milliseconds. */
        readonly timeout?: number;
        /** Rounds of a recursion that makes new values, beyond the facts that it reads. */
        readonly maxRounds?: number;
    };
}

/** From client to server when the user grants trust. */
export const TRUST_GRANTED = 'rulelang/trustGranted';
