/** What an editor, a language server and a run process say to each other about facts that a run did not derive. */
import type { ExplainedFact, OutputKey, RunReference, WireOrigin } from './runs.ts';
import { countUpTo, object, type Shape, textUpTo } from './shape.ts';

/** A predicate that can be asked about. */
export interface AskablePredicate {
    readonly key: OutputKey;
    readonly name: string;
    readonly columns: readonly string[];
    /** `given` has no rules. */
    readonly kind: 'output' | 'derived' | 'given';
    /** Facts that the run has; absent for a predicate that it did not need. */
    readonly facts?: number;
}

/** A question as it is typed: a fact with `_` for any value. */
export interface Question {
    readonly question: string;
}

/** What is to be said of a question before it is asked. Without a problem it can be asked. */
export interface QuestionCheck {
    readonly problem?: string;
    /** The question may not say what was meant. */
    readonly remark?: string;
}

export type WhyNotAnswer =
    | {
          readonly kind: 'absent';
          readonly absence: Absence;
          /** What to look at first, in words. */
          readonly first?: { readonly words: string; readonly places: readonly NodePlace[] };
      }
    /** The fact is there, or facts of the form that was asked about: the first of them in listing order. */
    | { readonly kind: 'present'; readonly facts: readonly ExplainedFact[]; readonly count: number };

/** Why a fact is missing, or why one is there that a rule does not want. */
export interface Absence {
    /** `control("ada",_)` */
    readonly fact: string;
    /**
     * `missing`: not derived. `further`: facts that fit are there, but none that does. `present`: there, where a negation
     * does not want it. `empty`: the predicate has no facts at all; then the reasons are its rules in text order, and what
     * holds of a rule ends at the first premise that fails.
     */
    readonly kind: 'missing' | 'further' | 'present' | 'empty';
    /** Where `empty` does not say otherwise, the nearest first. */
    readonly reasons: readonly AbsenceReason[];
    /** Changes of rules under which the fact would be derived, for those who think that a rule is wrong; absent where none is known. */
    readonly edits?: readonly AbsenceReason[];
    /** What was not looked at, in words. */
    readonly limits: readonly string[];
}

export interface AbsenceReason {
    /** The rule that would derive the fact; absent where it would have to be given. */
    readonly rule?: { readonly text: string; readonly place: NodePlace };
    readonly holds: readonly HoldingPremise[];
    readonly lacks: readonly Lack[];
    /** What else a change of a rule would do, in words; absent where that was not tried. */
    readonly changes?: string;
}

/** A premise that is satisfied. */
export interface HoldingPremise {
    readonly text: string;
    /** `28 matches` */
    readonly note?: string;
    /** The fact, where the premise is one that can be explained. */
    readonly fact?: ExplainedFact;
}

/** What a rule lacks, or what stops it. */
export interface Lack {
    readonly words: string;
    /** The literal in the program first, then a line of data. */
    readonly places: readonly NodePlace[];
    /** Facts that are nearly the one that is missed. */
    readonly near: readonly { readonly words: string; readonly place?: NodePlace }[];
    /** Why the premise is missing is told by `rulelang/absence` about this node. */
    readonly node?: number;
    /** A fact that is there and should not be. */
    readonly fact?: ExplainedFact;
}

/** A place that `rulelang/reveal` opens by its node. */
export interface NodePlace extends WireOrigin {
    readonly node: number;
}

/** Requests about missing facts, by method name. */
export type WhyNotRequests = {
    /** The predicates of the program: outputs, then derived ones, then given ones, each in the order of evaluation. */
    'rulelang/predicates': { readonly params: RunReference; readonly result: readonly AskablePredicate[] };
    'rulelang/checkQuestion': { readonly params: RunReference & Question; readonly result: QuestionCheck };
    'rulelang/whyNot': { readonly params: RunReference & Question; readonly result: WhyNotAnswer };
    'rulelang/absence': { readonly params: RunReference & { readonly node: number }; readonly result: Absence };
};

/** Requests about the facts in a text, by method name. They run nothing and need no trust. */
export type QuestionRequests = {
    /** A question about the fact or atom at a place, `_` for what is no constant; nothing where there is none. Zero-based, in UTF-16 units. */
    'rulelang/questionAt': {
        readonly params: { readonly uri: string; readonly position: { readonly line: number; readonly character: number } };
        readonly result: Question | null;
    };
};

const LONGEST = 1 << 16;
const MOST = 0x7fffffff;

export const isQuestionPlace: Shape<QuestionRequests['rulelang/questionAt']['params']> = object({
    uri: textUpTo(LONGEST),
    position: object({ line: countUpTo(MOST), character: countUpTo(MOST) }),
});
