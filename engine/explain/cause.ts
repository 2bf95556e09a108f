import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import type { FactNode, Origin } from './explanation.ts';
import type { HeadPattern } from './match-rule.ts';
import type { NearMiss } from './near-miss.ts';
import type { Remedy } from './remedy.ts';

/** Why a fact is not derived: what came nearest to deriving it, the nearest first. */
export interface WhyNot {
    /** `control("ada",_)`: open columns are blanks. */
    readonly fact: string;
    /** Facts were asked for beyond the ones that fit: a premise that is there, with values that do not do. */
    readonly further: boolean;
    /** The fact is there, where a negation does not want it: the reasons say why. */
    readonly present?: true;
    /** Missing data, and the values that are there; true of the database. */
    readonly reasons: readonly Reason[];
    /** Changes of rules under which the fact would be derived, for those who think that a rule is wrong; the likeliest first. */
    readonly edits: readonly Reason[];
    /** The search ended before everything was looked at. */
    readonly cutShort: boolean;
    /** The time was up before everything was looked at and tried out. */
    readonly late?: true;
    /** Small changes of rules and facts that were not tried out, because evaluating again would take too long. */
    readonly untried?: number;
    /** No change was tried out: a second run need not do what the first did, by chance or by what the host answers; or what sources gave has been made equal. */
    readonly untriable?: 'chance' | 'equality';
}

/** One way in which the fact could have been derived, and what it lacks. */
export interface Reason {
    readonly cause: Cause;
    /** The rule; absent for a fact that would have to be given. */
    readonly rule?: { readonly text: string; readonly place: ClausePlace; readonly span: Span };
    /** Where to look: the literal, the condition, the head, or a fact that is nearly the one missed. */
    readonly place?: Extract<Origin, { kind: 'clause' }>;
    /** The facts that the rest of the rule matches, in body order. */
    readonly premises: readonly string[];
    /** What is missing, where the cause is a missing fact. */
    readonly missing?: AbsentFact;
    /** Why the missing premise is not derived. */
    readonly because?: WhyNot;
    /** The premise is missing for all matches of the rest of the rule. */
    readonly forAll?: true;
    /** Facts of the predicate and of outputs, other than the one asked about, that the change of a rule would bring or take away. */
    readonly changes?: number;
    /** What is done to try the cause out; nothing where there is nothing to do. */
    readonly remedies?: readonly Remedy[];
    /** The fact that the rule gives where this match lacks the cause alone. */
    readonly derives?: AbsentFact;
    /** What is done about all that is named with the cause and not followed. */
    readonly beside?: readonly Remedy[];
    /** Whatever else the rule gets, it does not give the fact while this is so. */
    readonly needed?: true;
    /** The least or greatest value of a group is beyond the wanted one: nothing that is added changes that. */
    readonly decides?: true;
    /** Nobody has tried whether the fact is derived without the cause. */
    readonly untried?: true;
    /** Why a fact is there that a negation does not want. */
    readonly proof?: FactNode;
    /** How far the rule is from deriving the fact; only the order means anything. */
    readonly distance: number;
}

/** What a rule or the data lacks; facts, literals and values are text as in a program. */
export type Cause =
    /** Nobody gives the fact; `derivable` where rules could derive it. */
    | {
          readonly kind: 'missing';
          readonly fact: string;
          readonly derivable: boolean;
          readonly near: readonly NearFact[];
          /** What is asked for the facts of the predicate. */
          readonly query?: string;
          /** Facts that fit are there, and do not do. */
          readonly further?: true;
          /** The fact is missing for each of these values of variables that it names. */
          readonly among?: Among;
      }
    | { readonly kind: 'condition'; readonly condition: string; readonly values: readonly Given[]; readonly off?: string }
    | {
          readonly kind: 'negation';
          readonly literal: string;
          readonly fact: string;
          readonly origin?: Origin;
          /** The premises of its first derivation. */
          readonly because?: readonly string[];
      }
    /** A premise of a fact that should not be there. */
    | { readonly kind: 'present'; readonly fact: string }
    /** Two unknown values, of which the rule needs one. */
    | { readonly kind: 'unequal'; readonly left: string; readonly right: string }
    /** Each of these atoms has facts, with no value of the variables in common. */
    | { readonly kind: 'apart'; readonly variables: readonly string[]; readonly atoms: readonly [string, string] }
    /** An aggregate has no value, since all values that it would be made of are unknown. */
    | { readonly kind: 'valueless'; readonly aggregate: string; readonly argument: string; readonly contributions: number }
    /** A given fact that would have to have two of its values exchanged. */
    | { readonly kind: 'turned'; readonly fact: string; readonly meant: string; readonly origin?: Origin }
    /** No match of the body of a rule gives the fact. */
    | { readonly kind: 'nothing' }
    /** A condition that holds for a fact which should not be there. */
    | { readonly kind: 'holds'; readonly condition: string; readonly values: readonly Given[]; readonly fact: string }
    /** A value of the question that no given fact has, and one that looks like it. */
    | { readonly kind: 'unknown'; readonly value: string; readonly near: NearFact }
    /** A value that one given fact alone has, and that looks like another one. */
    | { readonly kind: 'slip'; readonly value: string; readonly meant: string; readonly near: NearFact; readonly other?: NearFact }
    /** A given fact with a value of another type than the other facts have in this column. */
    | { readonly kind: 'odd'; readonly fact: string; readonly column: number; readonly origin?: Origin }
    /** An argument of an atom has another value than the facts that do the rest. */
    | {
          readonly kind: 'argument';
          readonly literal: string;
          /** The argument as written. */
          readonly argument: string;
          readonly column: number;
          readonly wanted: string;
          readonly near: NearFact;
      }
    /** With two arguments exchanged, the rule would give the fact. */
    | {
          readonly kind: 'exchanged';
          readonly literal: string;
          /** The literal with its arguments exchanged. */
          readonly to: string;
          readonly columns: readonly [number, number];
          readonly values: readonly Given[];
          readonly near?: NearFact;
      }
    /** The fact is derived once this part of the rule is written otherwise, or left out. */
    | { readonly kind: 'repair'; readonly from: string; readonly to?: string; readonly values: readonly Given[] }
    /** The head gives another value than the one asked for. */
    | { readonly kind: 'head'; readonly head: string; readonly column: number; readonly wanted: string; readonly given: string }
    /** The rule makes an unknown value where a known one is asked for. */
    | { readonly kind: 'invented'; readonly head: string; readonly column: number; readonly wanted: string }
    /** The head needs a variable that nothing binds; this argument would bind it. */
    | { readonly kind: 'unbound'; readonly literal: string; readonly column: number; readonly variable: string; readonly wanted: string }
    /** The group is there, with another value. */
    | {
          readonly kind: 'aggregate';
          readonly aggregate: string;
          readonly wanted: string;
          readonly given: string;
          /** Absent where they are too many to count. */
          readonly contributions?: number;
      }
    /** A relation function or another body that is not taken apart gives no such row. */
    | { readonly kind: 'function'; readonly call?: string }
    /** A query gives no such row: another value in one column beside the values that are asked in others, or no rows at all, where that is known. */
    | {
          readonly kind: 'query';
          readonly column?: Given & { readonly wanted: string };
          readonly beside?: readonly Given[];
          readonly isEmpty?: true;
      }
    /** No row of a table of a query goes with rows of the others. */
    | { readonly kind: 'table'; readonly table: string; readonly conditions: readonly string[]; readonly values: readonly Given[] }
    /** Values that `dom(*)` shuts out. */
    | { readonly kind: 'domain' }
    | { readonly kind: 'several'; readonly causes: readonly Cause[] };

/** A variable and its value. */
export interface Given {
    readonly name: string;
    readonly value: string;
}

/** What a premise is missing for: every match of the rest of a rule. */
export interface Among {
    readonly variables: readonly string[];
    /** Some of the values, `("a",1)` where there are several variables. */
    readonly values: readonly string[];
    /** All of them. */
    readonly count: number;
}

/** A given fact that is nearly the one meant, the zero-based column in which it differs, and how. */
export interface NearFact {
    readonly fact: string;
    readonly column: number;
    readonly difference: NearMiss['difference'];
    readonly origin?: Origin;
}

/** A pattern of the facts that are asked about. */
export interface AbsentFact {
    readonly predicate: PredicateKey;
    readonly values: HeadPattern;
    /** Names of open columns that have to agree with another one. */
    readonly names?: OpenNames;
}

/** The variables of open columns, where one stands in several of them. */
export type OpenNames = readonly (string | undefined)[];

/** The given fact that a cause names beside the program. */
export function originOf(cause: Cause): Origin | undefined {
    if ('origin' in cause) return cause.origin;
    return 'near' in cause && cause.kind !== 'missing' ? cause.near?.origin : undefined;
}

/** The reason at the end of the chain of first reasons: what to look at first. */
export function firstCause(answer: WhyNot): Reason | undefined {
    const reason = nearestReason(answer);
    return reason?.because === undefined ? reason : (firstCause(reason.because) ?? reason);
}

/** The change of a rule itself, where a reason leads to one through premises. */
export function endOf(edit: Reason): Reason {
    return { ...((edit.because && firstCause(edit.because)) ?? edit), premises: [] };
}

/** What comes first of an answer: what the data lack, or else a change of a rule. */
export function nearestReason({ reasons, edits }: Pick<WhyNot, 'reasons' | 'edits'>): Reason | undefined {
    return reasons[0] ?? edits[0];
}

/** Whether a cause is a change of a rule that would do, and no statement about the database. */
export function isEdit(cause: Cause): boolean {
    switch (cause.kind) {
        case 'exchanged':
        case 'repair':
        case 'unbound':
            return true;
        case 'argument':
            return cause.near.difference === 'other';
        case 'several':
            return cause.causes.some(isEdit);
        default:
            return false;
    }
}
