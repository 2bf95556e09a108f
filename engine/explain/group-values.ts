import { typeOfExpression } from '#language/library/expression-type.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { AnalysedRule } from '#language/program/analysed-program.ts';
import type { Aggregate } from '#language/program/program.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import type { Database } from '../contracts/database.ts';
import { needsNumbers, requireNumber } from '../evaluate/aggregate-numbers.ts';
import { betterFor } from '../evaluate/compile-contribution.ts';
import { createState } from '../evaluate/create-state.ts';
import type { Scope } from '../evaluate/scope.ts';
import { planAggregate } from '../plan/aggregate-signature.ts';
import type { PlanAggregate } from '../plan/plan.ts';
import { withoutAggregates } from '../plan/rule-parts.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { unlimitedMemory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';
import { compileLeniently } from './lenient-expression.ts';
import type { PartialMatch } from './partial-match.ts';
import { UNBOUND } from './rule-scope.ts';

/** One match of a rule that contributes to a group; `facts` tells the facts of one match from those of another (5.3). */
export interface GroupMatch {
    readonly registers: Int32Array;
    readonly facts: string;
}

/** A match of a rule's body as one that contributes. */
export function groupMatch({ registers, facts }: PartialMatch): GroupMatch {
    const rows = [...facts.values()].map(({ predicate, row }) => `${predicate}:${row}`);
    return { registers, facts: rows.sort().join() };
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
    const site = siteOf(rule, aggregate);
    const counts = AGGREGATES[aggregate.name].domain === 'rows';
    const value = argument === undefined ? undefined : compileLeniently(argument, scope);
    const contributors = aggregate.contributors?.map(({ name }) => scope.slot(name));
    const better = betterFor(site, dictionary);
    const kept = new Map<string, KeptValue<T>>();
    for (const match of matches) {
        const { registers, facts } = match;
        const given = value?.(registers);
        if (given === UNBOUND || (given !== undefined && dictionary.isNull(given))) continue;
        const contributor = contributors?.map(slot => registers[slot]!).join() ?? facts;
        const contributed = counts ? dictionary.number(1) : given!;
        const before = kept.get(contributor)?.value;
        const isUnited = AGGREGATES[site.family].direction === 'widening' && before !== undefined;
        const offered = isUnited ? combine(dictionary, site, [before, contributed]) : contributed;
        if (before === undefined || (isUnited ? offered !== before : better(offered, before)))
            kept.set(contributor, { match, value: offered });
    }
    return [...kept.values()];
}

/** An aggregate of one rule, with the type of what is aggregated. */
interface AggregateSite extends PlanAggregate {
    readonly argument: Type;
}

export function siteOf(rule: AnalysedRule, aggregate: Aggregate): AggregateSite {
    const [value] = aggregate.arguments;
    const variable = (name: string): Type => rule.types.get(name) ?? MIXED;
    const argument = value === undefined ? MIXED : typeOfExpression(value, { variable, parameter: () => MIXED });
    return { ...planAggregate(rule, aggregate, 0, argument), argument };
}

/** What a run makes of the values that the contributors of a group keep, which are not null. */
export function combine(dictionary: Dictionary, aggregate: PlanAggregate, values: readonly ValueId[]): ValueId {
    const state = createState(aggregate, { dictionary, memory: unlimitedMemory() });
    state.ensure(1);
    for (const value of values) {
        if (needsNumbers(aggregate)) requireNumber(aggregate, dictionary, value);
        state.add(0, value);
    }
    return state.result(0);
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
