import { areLogins } from './login.ts';
import { EXPORT_FORMAT_NAMES } from './result-formats.ts';
import { isRunEffects } from './run-difference.ts';
import {
    isColumn,
    isExplainedDerivation,
    isExplanation,
    isFollowed,
    isGivenParameters,
    isGivenText,
    isGroupedOutput,
    isName,
    isResultPage,
    isRevealedPlace,
    isRow,
    isRowView,
    isUri,
    PAGE_LIMIT,
} from './runs.ts';
import { countUpTo, either, isCount, isFlag, isText, listOf, object, oneOf, optional, textUpTo } from './shape.ts';
import { isChangedRows, isWhatIf, isWhatIfChanges } from './what-if.ts';
import { isAbsence, isAskablePredicate, isQuestionCheck, isWhyNotAnswer } from './why-not.ts';

const NAMES = 1000;
/** A fact as the user types it. */
const question = textUpTo(1 << 16);
/** Unique while the server lives. */
const run = isCount;
const node = isCount;
const view = isRowView;
const row = isRow;
const isRunReference = object({ run });
const isRowCount = object({ rows: isCount });
const isDone = oneOf(null);

/** Methods that a run process answers as the editor has asked; the language server hands them on. */
export const RELAYED_METHODS = {
    'rulelang/page': { params: object({ run, view, offset: row, limit: countUpTo(PAGE_LIMIT) }), result: isResultPage },
    /** The columns of a view of groups. */
    'rulelang/grouped': { params: object({ run, view }), result: isGroupedOutput },
    /** The whole text of a cell. */
    'rulelang/cell': { params: object({ run, view, row, column: isColumn }), result: object({ text: isText }) },
    /** Rows as clauses that read back to the same facts. */
    'rulelang/facts': { params: object({ run, view, offset: row, limit: row }), result: object({ text: isText }) },
    /** `all` asks for every derivation instead of the first. */
    'rulelang/explain': { params: object({ run, view, row, all: isFlag }), result: isExplanation },
    'rulelang/expand': { params: object({ run, node, all: isFlag }), result: listOf(isExplainedDerivation) },
    /** The predicates of the program: outputs, then derived ones, then given ones, each in the order of evaluation. */
    'rulelang/predicates': { params: isRunReference, result: listOf(isAskablePredicate) },
    'rulelang/checkQuestion': { params: object({ run, question }), result: isQuestionCheck },
    'rulelang/whyNot': { params: object({ run, question }), result: isWhyNotAnswer },
    'rulelang/absence': { params: object({ run, node }), result: isAbsence },
    /** Rows of the outputs that would come and go. Nothing is written, asked or run for it. */
    'rulelang/whatIf': { params: object({ run, changes: isWhatIfChanges }), result: isWhatIf },
    /** Further rows that would. */
    'rulelang/whatIfRows': { params: object({ run, number: isCount, output: isName, offset: row }), result: isChangedRows },
    /** Why one of these rows is there or not, in the program as it is or as it would be. */
    'rulelang/whatIfExplain': {
        params: object({ run, number: isCount, output: isName, row, changed: isFlag }),
        result: isWhyNotAnswer,
    },
    /** The words that are texts in the data, or predicates. */
    'rulelang/namesAmong': { params: object({ run, words: listOf(isName, NAMES) }), result: listOf(isText) },
} as const;

/** The rows to write to a file, and the format. */
export const EXPORT = { run, view, format: oneOf(...EXPORT_FORMAT_NAMES) };
/** The rows of a finished run for a file of the editor. */
export const KEEP = {
    run,
    /** A note that the editor gets back when it has the rows again. */
    note: isGivenText,
    /** Bytes; more are not written. */
    largest: isCount,
};

/** Requests about runs, by method name. Their parameters may come from a webview, so that nothing about them is certain. */
export const RUN_METHODS = {
    'rulelang/run': {
        params: object({
            /** The document whose text, saved or not, is run. */
            uri: isUri,
            /** Evaluates and shows these predicates, by name, instead of the outputs of the program. */
            predicates: optional(listOf(isName, NAMES)),
            /** Evaluates and shows for which values this body holds, instead. */
            body: optional(isGivenText),
            parameters: optional(isGivenParameters),
            /** Counts what comes to the atoms of rules, which inlay hints and problems then tell. */
            profiled: optional(isFlag),
            /**
             * Credentials of databases that the user has connected, which the program may reach. For one without a password they only grant
             * the host.
             */
            connected: optional(areLogins),
            /** Its rows are to follow edits; where it only `looks`, nothing is written. */
            live: optional(oneOf('looks', 'writes')),
        }),
        result: isRunReference,
    },
    /** Brings the rows of a live run up to date with the text of its document. Marks begin anew where typing had `rested`. */
    'rulelang/follow': { params: object({ run, rested: isFlag }), result: isFollowed },
    'rulelang/stop': { params: isRunReference, result: isDone },
    /** Ends the process that serves the rows of a run. */
    'rulelang/close': { params: isRunReference, result: isDone },
    ...RELAYED_METHODS,
    /** Begins a run without a program, whose rows are given; it writes them to files. `types` are those of the platform. */
    'rulelang/gather': { params: object({ name: isName, columns: listOf(isText), types: listOf(isText) }), result: isRunReference },
    /** Further rows of it, as JSON of the platform. */
    'rulelang/give': { params: object({ run, rows: isText }), result: isDone },
    /** `uri` is the file that the user chose. */
    'rulelang/export': { params: object({ ...EXPORT, uri: isUri }), result: isRowCount },
    /** Writes the rows to a file for `rulelang/restore`, and beside it the program, in a file that has the name in the answer and `.program`. */
    'rulelang/keep': { params: object({ ...KEEP, uri: isUri }), result: object({ bytes: isCount, program: optional(isText) }) },
    /** Takes the rows of a file that `rulelang/keep` wrote for those of a run, which begins with that; its end comes as that of any run. */
    'rulelang/restore': { params: object({ uri: isUri }), result: isRunReference },
    /** Takes what differs between the rows of two such files for the rows of a run. */
    'rulelang/compare': { params: object({ before: isUri, after: isUri }), result: isRunReference },
    /** The changes between the compared runs that make the difference. */
    'rulelang/effects': { params: isRunReference, result: isRunEffects },
    /** The current place of a clause of the program, as it prints, or of the first clause about a subject. */
    'rulelang/clausePlace': { params: object({ uri: isUri, clause: isGivenText }), result: either(isRevealedPlace, isDone) },
    /** The place of the fact itself, or of the rule of its n-th derivation. */
    'rulelang/reveal': {
        params: object({ run, node, derivation: optional(row) }),
        result: either(isRevealedPlace, isDone),
    },
} as const;

export type RunMethods = typeof RUN_METHODS;
