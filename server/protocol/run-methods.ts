import { EXPORT_FORMAT_NAMES } from './result-formats.ts';
import {
    type GivenParameter,
    isColumn,
    isExplainedDerivation,
    isExplanation,
    isGivenParameter,
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
import { countUpTo, either, isCount, isFlag, isText, listOf, object, oneOf, optional, recordOf, textUpTo } from './shape.ts';
import { isAbsence, isAskablePredicate, isQuestionCheck, isWhyNotAnswer } from './why-not.ts';

const NAMES = 1000;
/** A fact as somebody types it. */
const question = textUpTo(1 << 16);
/** Unique while the server lives. */
const run = isCount;
const node = isCount;
const view = isRowView;
const row = isRow;
const isRunReference = object({ run });
const isRowCount = object({ rows: isCount });
const isDone = oneOf(null);

/** What a run process answers as the editor has asked; the language server hands it on. */
export const RELAYED_METHODS = {
    'rulelang/page': { params: object({ run, view, offset: row, limit: countUpTo(PAGE_LIMIT) }), result: isResultPage },
    /** What a view of groups has for columns. */
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
    /** Those of some words that are texts in the data, or predicates. */
    'rulelang/namesAmong': { params: object({ run, words: listOf(isName, NAMES) }), result: listOf(isText) },
} as const;

/** What is written to a file, and how. */
export const EXPORT = { run, view, format: oneOf(...EXPORT_FORMAT_NAMES) };
/** The rows of a finished run for a file of the editor. */
export const KEEP = {
    run,
    /** What the editor wants to know of the run when it has its rows again. */
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
            parameters: optional(recordOf((value): value is GivenParameter => isGivenParameter(value), NAMES)),
        }),
        result: isRunReference,
    },
    'rulelang/stop': { params: isRunReference, result: isDone },
    /** Ends the process that serves the rows of a run. */
    'rulelang/close': { params: isRunReference, result: isDone },
    ...RELAYED_METHODS,
    /** `uri` is the file that the user chose. */
    'rulelang/export': { params: object({ ...EXPORT, uri: isUri }), result: isRowCount },
    /** Writes the rows to a file for `rulelang/restore`. */
    'rulelang/keep': { params: object({ ...KEEP, uri: isUri }), result: object({ bytes: isCount }) },
    /** Takes the rows of a file that `rulelang/keep` wrote for those of a run, which begins with that; its end comes as that of any run. */
    'rulelang/restore': { params: object({ uri: isUri }), result: isRunReference },
    /** The place of the fact itself, or of the rule of its n-th derivation. */
    'rulelang/reveal': {
        params: object({ run, node, derivation: optional(row) }),
        result: either(isRevealedPlace, isDone),
    },
} as const;

export type RunMethods = typeof RUN_METHODS;
