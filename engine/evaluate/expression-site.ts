import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Location } from '#language/program/span.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { type ReportArguments, type ReportCode, report } from '../reports/reports.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { termText } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import type { Evaluate, Scope } from './scope.ts';

/** An expression ready to run, with what its parent may use to choose faster code. */
export interface Compiled {
    readonly evaluate: Evaluate;
    readonly type: Type;
    /** The value, when it is the same under all registers. */
    readonly constant?: ValueId;
    /** The register, when the expression is a variable. */
    readonly slot?: number;
}

/** The place of an expression in its program, for reports. */
export function locationOf(expression: Expression, scope: Scope): Location {
    return { place: scope.place, span: expression.span };
}

/** A value as a report shows it. */
export function shown(dictionary: Dictionary, id: ValueId, type: Type = MIXED): string {
    const text = termText(dictionary, id, type, () => say`an unknown value`);
    return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Takes the words of a warning. */
export type Warn<C extends ReportCode> = (words: () => ReportArguments<C>) => void;

/** Reports a warning once it has been taken; the words are not made again for the rows that follow. */
export function warnOnce<C extends ReportCode>(code: C, expression: Expression, scope: Scope): Warn<C> {
    return warnAt(code, locationOf(expression, scope), scope);
}

/** The same for a place outside expressions. */
export function warnAt<C extends ReportCode>(code: C, location: Location, scope: Scope): Warn<C> {
    let done = false;
    return words => {
        if (done) return;
        scope.report(report(code, { location }, ...words()));
        done = true;
    };
}

/** The labelled null that stands for the result of an operator or function without one (3.8). */
export function missingResult(dictionary: Dictionary, name: string, ...args: readonly ValueId[]): ValueId {
    return dictionary.labelledNull(name, args, false);
}
