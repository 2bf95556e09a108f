import { RELAYED_METHODS } from '#server/protocol/run-methods.ts';
import { either, isAnything, isCount, isText, type Of, object, oneOf, optional } from '#server/protocol/shape.ts';
import { isWhatIf, isWhatIfChanges } from '#server/protocol/what-if.ts';
import type { Conversation } from '../conversation.ts';
import { isGivenPicture } from '../given-picture.ts';
import { isQuestionBy, type QuestionBy } from '../view-question.ts';

/** From the host to the view. */
const fromHost = either(
    /** The whole state; `run` numbers it, so that answers to an earlier one are told apart. */
    object({
        kind: oneOf('show'),
        run: isCount,
        program: isText,
        changes: isWhatIfChanges,
        /** The changes of the outputs; absent while the run computes them, or if it cannot. */
        whatIf: optional(isWhatIf),
        /** Why it cannot be told. */
        why: optional(isText),
    }),
    /** `result` is checked by who asked. */
    object({ kind: oneOf('answer'), request: isCount, result: isAnything }),
    object({ kind: oneOf('refusal'), request: isCount, message: isText }),
);
export type HostMessage = Of<typeof fromHost>;

/** Questions of the view about its rows. */
export const WHAT_IF_METHODS = {
    'rulelang/whatIfRows': RELAYED_METHODS['rulelang/whatIfRows'],
    'rulelang/whatIfExplain': RELAYED_METHODS['rulelang/whatIfExplain'],
    'rulelang/expand': RELAYED_METHODS['rulelang/expand'],
    'rulelang/absence': RELAYED_METHODS['rulelang/absence'],
} as const;
export type WhatIfMethods = typeof WHAT_IF_METHODS;
export type WhatIfQuestion = QuestionBy<WhatIfMethods>;

const isQuestion = isQuestionBy(WHAT_IF_METHODS);

/** The kinds of changes. */
const KINDS = ['without', 'with', 'set'] as const;

/** From the view to the host. */
const fromView = either(
    isQuestion,
    /** The view no longer waits for the answer to this request. */
    object({ kind: oneOf('giveUp'), given: isCount }),
    object({ kind: oneOf('reveal'), run: isCount, node: isCount, derivation: optional(isCount) }),
    /** Takes a change back: its text, or the name of a parameter. */
    object({ kind: oneOf('drop'), of: oneOf(...KINDS), text: isText }),
    /** Has the user say what else is to be otherwise. */
    object({ kind: oneOf('add') }),
    object({ kind: oneOf('again') }),
    isGivenPicture,
);
export type ViewMessage = Of<typeof fromView>;

export const WHAT_IF: Conversation<HostMessage, ViewMessage> = { name: 'what-if', fromHost, fromView };
