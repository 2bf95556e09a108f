/** Methods of editor, language server and run process about facts that a run did not derive. */
import { isExplainedFact, isPosition, isRange, isUri, ORIGIN, type OutputKey } from './runs.ts';
import { either, isCount, isText, listOf, type Of, object, oneOf, optional, type Shape } from './shape.ts';

/** A predicate that can be asked about. */
export const isAskablePredicate = object({
    key: isText as Shape<OutputKey>,
    name: isText,
    columns: listOf(isText),
    /** `given` has no rules. */
    kind: oneOf('output', 'derived', 'given'),
    /** Facts that the run has; absent for a predicate that it did not need. */
    facts: optional(isCount),
});
export type AskablePredicate = Of<typeof isAskablePredicate>;

/** A check of a question. Without a problem it can be asked. */
export const isQuestionCheck = object({
    problem: optional(isText),
    /** The question may not say what was meant. */
    remark: optional(isText),
});
export type QuestionCheck = Of<typeof isQuestionCheck>;

/** A place that `rulelang/reveal` opens by its node. */
const isNodePlace = object({ ...ORIGIN, node: isCount });
export type NodePlace = Of<typeof isNodePlace>;

/** A premise that is satisfied. */
const isHoldingPremise = object({
    text: isText,
    /** `28 matches` */
    note: optional(isText),
    /** The fact, where the premise is one that can be explained. */
    fact: optional(isExplainedFact),
});
export type HoldingPremise = Of<typeof isHoldingPremise>;

/** A premise or condition that a rule lacks, or that stops it. */
const isLack = object({
    words: isText,
    /** The literal in the program first, then a line of data. */
    places: listOf(isNodePlace),
    /** Facts that are nearly the one that is missed. */
    near: listOf(object({ words: isText, place: optional(isNodePlace) })),
    /** The node by which `rulelang/absence` explains why the premise is missing. */
    node: optional(isCount),
    /** A fact that is there and should not be. */
    fact: optional(isExplainedFact),
});
export type Lack = Of<typeof isLack>;

const isAbsenceReason = object({
    /** The rule that would derive the fact; absent where it would have to be given. */
    rule: optional(object({ text: isText, place: isNodePlace })),
    holds: listOf(isHoldingPremise),
    lacks: listOf(isLack),
    /** Further effects of a change of a rule, in words; absent if the host has not tried it. */
    changes: optional(isText),
});
export type AbsenceReason = Of<typeof isAbsenceReason>;

/** Why a fact is missing, or why one is there that a rule does not want. */
export const isAbsence = object({
    /** `control("ada",_)` */
    fact: isText,
    /**
     * `missing`: not derived. `further`: facts that fit are there, but none that does. `present`: there, where a negation
     * does not want it. `empty`: the predicate has no facts at all; then the reasons are its rules in text order, and what
     * holds of a rule ends at the first premise that fails.
     */
    kind: oneOf('missing', 'further', 'present', 'empty'),
    /** The nearest first, except for `empty`. */
    reasons: listOf(isAbsenceReason),
    /** Changes of rules under which the fact would be derived, for those who think that a rule is wrong; absent where none is known. */
    edits: optional(listOf(isAbsenceReason)),
    /** Limits of the search, in words: the parts that it left out. */
    limits: listOf(isText),
});
export type Absence = Of<typeof isAbsence>;

export const isWhyNotAnswer = either(
    object({
        kind: oneOf('absent'),
        absence: isAbsence,
        /** Places to look at first, in words. */
        first: optional(object({ words: isText, places: listOf(isNodePlace) })),
    }),
    /** The fact is there, or facts of the form that was asked about: the first of them in listing order. */
    object({ kind: oneOf('present'), facts: listOf(isExplainedFact), count: isCount, note: optional(isText) }),
);
export type WhyNotAnswer = Of<typeof isWhyNotAnswer>;

/** A question as it is typed: a fact with `_` for any value. */
const isQuestion = object({ question: isText });
export type Question = Of<typeof isQuestion>;

/** Requests about the facts in a text, by method name. They run nothing and need no trust. */
export const QUESTION_METHODS = {
    /**
     * A question about the fact or atom at a place, with `_` for terms that are not constants; null without an atom there. Zero-based, in
     * UTF-16 units.
     */
    'rulelang/questionAt': {
        params: object({ uri: isUri, position: isPosition }),
        result: either(isQuestion, oneOf(null)),
        needs: 'a place',
    },
    /** The fact or rule at a place, without its annotations; nothing where there is none. */
    'rulelang/clauseAt': {
        params: object({ uri: isUri, position: isPosition }),
        result: either(object({ clause: isText }), oneOf(null)),
        needs: 'a place',
    },
    /**
     * The part of a selection that can be evaluated by itself: the body of its items, else the predicates that it defines; null without
     * either.
     */
    'rulelang/selectedPart': {
        params: object({ uri: isUri, range: isRange }),
        result: either(object({ body: isText }), object({ predicates: listOf(isText) }), oneOf(null)),
        needs: 'a range',
    },
    /** The predicates that a part of a program is there to show, such as a cell of a notebook: its outputs, else all that it defines or reads; nothing of what is not open. */
    'rulelang/cellPredicates': {
        params: object({ uri: isUri, range: isRange }),
        result: either(listOf(isText), oneOf(null)),
        needs: 'a range',
    },
    /** The parameters that a run of a program takes; `secret` marks values that must not be kept or shown. */
    'rulelang/parameters': {
        params: object({ uri: isUri }),
        result: listOf(object({ name: isText, type: optional(isText), usual: optional(isText), secret: optional(oneOf(true)) })),
        needs: 'a document',
    },
} as const;
