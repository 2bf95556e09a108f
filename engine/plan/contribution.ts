import { AGGREGATES } from '#language/program/aggregates.ts';
import type { Aggregate, Expression } from '#language/program/program.ts';
import type { PlanContribution } from './plan.ts';
import type { RuleParts } from './rule-parts.ts';

/** Plans the contribution of a match to one aggregate (5.3). Lists of keys in the legacy forms of 5.9 change nothing. */
export function planContribution(aggregate: Aggregate, parts: RuleParts, implicit: 'each match' | 'facts of the match'): PlanContribution {
    const [argument, , legacy] = aggregate.arguments;
    const { domain, contributors: counted, idempotent } = AGGREGATES[aggregate.name];
    const listed = contributorsOf(aggregate, domain === 'rows' ? undefined : legacy);
    const contributors = counted && !idempotent ? (listed ?? implicit) : 'each match';
    if (domain !== 'rows') return { value: contributedValue(argument, parts), counts: 'value', contributors };
    if (argument === undefined || aggregate.arguments.length > 1) return { counts: 'one', contributors };
    return { value: parts.valueOf(argument), counts: 'one', contributors };
}

function contributedValue(argument: Expression | undefined, parts: RuleParts): string {
    if (argument === undefined) throw new Error('An aggregate without a value');
    return parts.valueOf(argument);
}

function contributorsOf(aggregate: Aggregate, legacy: Expression | undefined): readonly string[] | undefined {
    if (aggregate.contributors !== undefined) return aggregate.contributors.map(variable => variable.name);
    if (legacy?.kind !== 'list') return undefined;
    return legacy.items.flatMap(item => (item.kind === 'variable' ? [item.name] : []));
}
