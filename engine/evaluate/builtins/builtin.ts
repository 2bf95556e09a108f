import type { Expression } from '#language/program/program.ts';
import type { Type } from '#language/program/types.ts';
import type { ReportArguments, ReportCode } from '../../reports/reports.ts';
import type { Dictionary } from '../../values/dictionary.ts';
import type { ValueId } from '../../values/value-id.ts';
import type { Evaluate } from '../scope.ts';
import type { Surroundings } from './surroundings.ts';

/** One call in a program, as its implementation sees it while the call is compiled. */
export interface CallSite {
    readonly dictionary: Dictionary;
    /** The static types of the arguments. */
    readonly types: readonly Type[];
    /** The arguments as they are written. */
    readonly written: readonly Expression[];
    /** An expression over variables of its own, whose registers are in the order of the variables. */
    compileBody(body: Expression, variables: ReadonlyMap<string, Type>): Evaluate;
    /** Chance and clock of the run. */
    readonly surroundings: Surroundings;
    /** The null of this function and these arguments (3.8). */
    missing(args: ArrayLike<ValueId>): ValueId;
    /** As `missing`, with RT024 the first time. */
    undefinedFor(args: ArrayLike<ValueId>): ValueId;
    /** As `missing`, with RT021 the first time: the first argument cannot be read as the type. */
    unreadable(args: ArrayLike<ValueId>, type: string): ValueId;
    /** RT021 for part of an argument, the first time. */
    warnUnreadable(type: string, shown: string): void;
    /** Ends the run with a report at the call. */
    stop<C extends ReportCode>(code: C, ...args: ReportArguments<C>): never;
    /** Ends the run with RT010. */
    overflow(): never;
    /** Ends the run with RT011. */
    divisionByZero(): never;
}

/**
 * Called once per row with the values of the arguments; the array is reused. The catalogue says which kinds of values
 * arrive, and whether unknown values do; anything else has become an unknown value before.
 */
export type Implementation = (args: Int32Array) => ValueId;

export type Builtin =
    | { readonly kind: 'eager'; readonly compile: (site: CallSite) => Implementation }
    /** Decides itself which arguments to evaluate. */
    | { readonly kind: 'lazy'; readonly compile: (site: CallSite, args: readonly Evaluate[]) => Evaluate };

/** The functions of one family, by their names in the catalogue. */
export type Family = readonly (readonly [name: string, builtin: Builtin])[];

export function eager(compile: (site: CallSite) => Implementation): Builtin {
    return { kind: 'eager', compile };
}

export function lazy(compile: (site: CallSite, args: readonly Evaluate[]) => Evaluate): Builtin {
    return { kind: 'lazy', compile };
}
