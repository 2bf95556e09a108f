import { typeOfExpression } from '#language/library/expression-type.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { AnalysedRule } from '#language/program/analysed-program.ts';
import type { Aggregate } from '#language/program/program.ts';
import { MIXED } from '#language/program/types.ts';
import type { Database } from '../database.ts';
import type { Scope } from '../evaluate/scope.ts';
import { withoutAggregates } from '../plan/rule-parts.ts';
import type { ValueId } from '../values/value-id.ts';
import { type AggregateSite, combine, contribute } from './combine.ts';
import { compileLeniently } from './lenient-expression.ts';
import { UNBOUND } from './rule-scope.ts';

/** One match of a rule that contributes to a group; `facts` tells the facts of one match from those of another (5.3). */
export interface GroupMatch {
    readonly registers: Int32Array;
    readonly facts: string;
}

/**
 * Computes the variables of a rule that depend on aggregates from the matches of one group, into a copy of the registers
 * of one of them. Undefined for what is not computed again: `maxcount`, and values that have no number.
 */
export function groupRegisters(
    database: Database,
    rule: AnalysedRule,
    scope: Scope,
    matches: readonly GroupMatch[],
): Int32Array | undefined {
    const names = new Map<Aggregate, string>();
    const after = rule.assignments.filter(assignment => assignment.afterAggregation);
    for (const { aggregates } of after) for (const aggregate of aggregates) names.set(aggregate, `$aggregate${names.size}`);
    const slots = [...names].map(([aggregate, name]) => ({ aggregate, slot: scope.slot(name) }));
    const assignments = after.map(({ variable, value }) => ({
        slot: scope.slot(variable.name),
        value: compileLeniently(
            withoutAggregates(value, aggregate => names.get(aggregate)!),
            scope,
        ),
    }));
    const size = Math.max(...[...slots, ...assignments].map(({ slot }) => slot + 1), matches[0]?.registers.length ?? 0);
    const registers = new Int32Array(size).fill(UNBOUND);
    registers.set(matches[0]?.registers ?? []);
    for (const { aggregate, slot } of slots) {
        const value = aggregated(database, rule, scope, aggregate, matches);
        if (value === undefined) return undefined;
        registers[slot] = value;
    }
    for (const { slot, value } of assignments) registers[slot] = value(registers);
    return registers;
}

/** What a contributor gives to an aggregate (5.3), and the match that it comes from. */
export interface KeptValue<T> {
    readonly match: T;
    readonly value: ValueId;
}

/** What each contributor keeps, in the order of the matches; unknown values are left out (5.1). */
export function keptValues<T extends GroupMatch>(
    { dictionary }: Database,
    rule: AnalysedRule,
    scope: Scope,
    aggregate: Aggregate,
    matches: readonly T[],
): KeptValue<T>[] {
    const [argument] = aggregate.arguments;
    const { domain } = AGGREGATES[aggregate.name];
    const counts = domain === 'rows';
    const site = siteOf(rule, aggregate);
    const value = argument === undefined ? undefined : compileLeniently(argument, scope);
    const contributors = aggregate.contributors?.map(({ name }) => scope.slot(name));
    const kept = new Map<string, ValueId>();
    const from = new Map<string, T>();
    for (const match of matches) {
        const { registers, facts } = match;
        const given = value?.(registers);
        if (given === UNBOUND || (given !== undefined && dictionary.isNull(given))) continue;
        const contributor = contributors?.map(slot => registers[slot]!).join() ?? facts;
        const before = kept.get(contributor);
        contribute(dictionary, site, kept, contributor, counts ? dictionary.number(1) : given!);
        if (kept.get(contributor) !== before) from.set(contributor, match);
    }
    return [...kept].map(([contributor, value]) => ({ match: from.get(contributor)!, value }));
}

export function siteOf(rule: AnalysedRule, aggregate: Aggregate): AggregateSite {
    const [argument] = aggregate.arguments;
    const type =
        argument === undefined
            ? MIXED
            : typeOfExpression(argument, { variable: name => rule.types.get(name) ?? MIXED, parameter: () => MIXED });
    return { name: aggregate.name, type, context: { location: { place: rule.rule.place, span: aggregate.span } } };
}

function aggregated(
    database: Database,
    rule: AnalysedRule,
    scope: Scope,
    aggregate: Aggregate,
    matches: readonly GroupMatch[],
): ValueId | undefined {
    if (AGGREGATES[aggregate.name].family === 'maxcount') return undefined;
    const kept = keptValues(database, rule, scope, aggregate, matches).map(({ value }) => value);
    return kept.length === 0 ? undefined : combine(database.dictionary, siteOf(rule, aggregate), kept);
}
