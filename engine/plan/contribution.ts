import type { Aggregate, Expression } from '#language/program/program.ts';
import { familyOf } from './aggregate-signature.ts';
import type { PlanContribution } from './plan.ts';
import type { RuleParts } from './rule-parts.ts';

/** What a match contributes to one aggregate (5.3). Lists of keys in the legacy forms of 5.9 change nothing. */
export function planContribution(aggregate: Aggregate, parts: RuleParts, implicit: 'each match' | 'facts of the match'): PlanContribution {
    const [argument, , legacy] = aggregate.arguments;
    switch (familyOf(aggregate)) {
        case 'mcount': {
            const counted = aggregate.arguments.length === 1 ? argument : undefined;
            const contributors = contributorsOf(aggregate, undefined) ?? implicit;
            return counted === undefined ? { counts: 'one', contributors } : { value: parts.valueOf(counted), counts: 'one', contributors };
        }
        case 'maxcount':
            return argument === undefined
                ? { counts: 'one', contributors: 'each match' }
                : { value: parts.valueOf(argument), counts: 'one', contributors: 'each match' };
        case 'msum':
        case 'mprod':
            return {
                value: contributedValue(argument, parts),
                counts: 'value',
                contributors: contributorsOf(aggregate, legacy) ?? implicit,
            };
        case 'mmin':
        case 'mmax':
        case 'mavg':
        case 'mmedian':
        case 'munion':
            return { value: contributedValue(argument, parts), counts: 'value', contributors: 'each match' };
    }
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
