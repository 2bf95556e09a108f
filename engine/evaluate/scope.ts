import type { LibraryPrefixes } from '#language/library/function-catalogue.ts';
import type { ClausePlace } from '#language/program/span.ts';
import type { Type } from '#language/program/types.ts';
import type { Report } from '../reports/reports.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { Surroundings } from './builtins/surroundings.ts';

/** Names and values that an expression may refer to while it is compiled. A rule's variables live in one register file. */
export interface Scope {
    readonly dictionary: Dictionary;
    /** The clause, for the places of reports. */
    readonly place: ClausePlace;
    /** The register of a variable. */
    slot(variable: string): number;
    /** The static type of a variable; `mixed` or `unknown` where analysis could not tell. */
    type(variable: string): Type;
    parameter(name: string): { readonly value: ValueId; readonly type: Type };
    /** Prefixes that `@library` declares. */
    readonly libraryPrefixes?: LibraryPrefixes;
    /** Chance and clock of the run. Without them a call gets its own: where derivations are only looked for again. */
    readonly surroundings?: Surroundings;
    /** The present of a finished run, where there are no surroundings. */
    readonly now?: bigint;
    /** Records a warning; repeated reports of one code and place are counted, not listed. */
    report(report: Report): void;
}

/** The value of an expression under the values of the registers. */
export type Evaluate = (registers: Int32Array) => ValueId;

/** Whether a condition holds; a labelled null counts as false (D-21). */
export type Test = (registers: Int32Array) => boolean;
