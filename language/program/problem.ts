import type { Location } from './span.ts';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** Something wrong, or worth knowing, at a place of a program. Words come from the catalogue in `problems/`. */
export interface Problem extends Location {
    readonly code: `RL${number}`;
    readonly severity: Severity;
    /** One sentence without a final dot. */
    readonly message: string;
    /** A phrase that says what to do, if one thing helps. */
    readonly remedy?: string;
    readonly related?: readonly RelatedPlace[];
    readonly tags?: readonly ('unnecessary' | 'deprecated')[];
    /** The values in the message, in the order of its entry's parameters in the catalogue. */
    readonly arguments?: readonly unknown[];
    /** The remedy as data, for fixes, where it is about this one place. */
    readonly suggestion?: Suggestion;
}

export type Suggestion =
    /** A text, for what is marked or where it is missing; an empty one where the item goes. */
    | { readonly kind: 'write'; readonly text: string }
    /** The name that was probably meant. */
    | { readonly kind: 'meant'; readonly name: string }
    /** A call of this function, around what is marked or around the operand that is a text. */
    | { readonly kind: 'cast'; readonly to: Cast }
    /** The operands change places. */
    | { readonly kind: 'swap' }
    /** A replacement for the marked text, which is a form of another language. */
    | ({ readonly kind: 'form' } & MeantForm)
    /** The absence of a predicate that does not exist yet. */
    | ({ readonly kind: 'helper' } & HelperPredicate);

export type Cast = 'as_double' | 'as_int' | 'as_string' | 'as_date' | 'as_timestamp';

/** A replacement for a form of another language. It is empty if the form goes; an annotation may then become a clause of its own. */
interface MeantForm {
    readonly text: string;
    readonly annotation?: OwnAnnotation;
}

interface OwnAnnotation {
    readonly name: string;
    readonly text: string;
}

/** Why nothing is written for a form, or the annotation that stands for it. */
export type Instead = string | OwnAnnotation;

/** A predicate that a rule of its own derives. */
export interface HelperPredicate {
    readonly name: string;
    readonly terms: string;
    readonly body: string;
}

export interface RelatedPlace extends Location {
    readonly message: string;
}

/** The value of a stage, complete or partial, with the problems that the stage found. A bad program never throws. */
export interface Analysed<T> {
    readonly value: T;
    readonly problems: readonly Problem[];
}
