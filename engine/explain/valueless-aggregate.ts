import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { Span } from '#language/program/span.ts';
import type { Database } from '../contracts/database.ts';
import type { Cause } from './cause.ts';
import { type GroupMatch, keptValues } from './group-values.ts';
import type { PartialMatcher } from './partial-match.ts';

/** An aggregate without a value, and where it is written. */
export interface ValuelessAggregate {
    readonly cause: Extract<Cause, { readonly kind: 'valueless' }>;
    readonly span: Span;
}

/** The first aggregate of a rule to which none of some matches contributes, since what it is made of is unknown in all of them (5.2). */
export function valuelessAggregate(
    database: Database,
    rule: AnalysedRule,
    { scope }: PartialMatcher,
    matches: readonly GroupMatch[],
): ValuelessAggregate | undefined {
    for (const aggregate of rule.assignments.flatMap(({ aggregates }) => aggregates)) {
        const [argument] = aggregate.arguments;
        if (argument === undefined || keptValues(database, rule, scope, aggregate, matches).length > 0) continue;
        const [words, value] = [printExpression(aggregate), printExpression(argument)];
        return { cause: { kind: 'valueless', aggregate: words, argument: value, contributions: matches.length }, span: aggregate.span };
    }
    return undefined;
}
