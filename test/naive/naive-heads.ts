import type { Evaluate } from '#engine/evaluate/scope.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Aggregate } from '#language/program/program.ts';
import type { AggregateSite } from './combine.ts';
import { tupleKey } from './naive-relation.ts';
import type { Match, NaiveRule } from './naive-rule.ts';

/** The columns of a head that are variables assigned exactly one aggregate; none where another term depends on one. */
export function aggregatedColumns(rule: NaiveRule, head: ResolvedAtom): ReadonlyMap<number, Aggregate> {
    const columns = new Map<number, Aggregate>();
    for (const [column, term] of head.atom.arguments.entries()) {
        if (!rule.dependsOnAggregate(term)) continue;
        const value = rule.rule.assignments.find(one => term.kind === 'variable' && one.variable.name === term.name)?.value;
        if (value?.kind !== 'aggregate') return new Map();
        columns.set(column, value);
    }
    return columns;
}

/** Two rules with the same signature contribute to one common state (D-38). */
export function signatureOf(columns: ReadonlyMap<number, Aggregate>): string {
    return [...columns].map(([column, aggregate]) => `${column}:${AGGREGATES[aggregate.name].family}`).join(' ');
}

/** True when the rule is not to be split in two (5.2, normal form): its aggregates are columns of its only head and nothing else. */
export function isDirect(rule: NaiveRule): boolean {
    const { heads, assignments, conditions, literals } = rule.rule;
    const [head] = heads;
    const after = assignments.filter(one => one.afterAggregation);
    return (
        head !== undefined &&
        heads.length === 1 &&
        after.length > 0 &&
        aggregatedColumns(rule, head).size === after.length &&
        after.every(one => head.atom.arguments.filter(term => variablesOf(term).includes(one.variable.name)).length === 1) &&
        ![...conditions, ...literals].some(one => one.afterAggregation)
    );
}

export function siteOf(rule: NaiveRule, aggregate: Aggregate): AggregateSite {
    const [argument] = aggregate.arguments;
    return {
        name: aggregate.name,
        type: argument === undefined || isCount(aggregate) ? { kind: 'int' } : rule.typeOf(argument),
        context: { location: { place: rule.rule.rule.place, span: aggregate.span } },
    };
}

function isCount(aggregate: Aggregate): boolean {
    const { family } = AGGREGATES[aggregate.name];
    return family === 'mcount' || family === 'maxcount';
}

/** What a match contributes to an aggregate, and as whom. */
export interface NaiveContribution {
    readonly value: (match: Match) => ValueId;
    readonly contributor: (match: Match) => string;
}

/**
 * `identity` names the match where the aggregate lists no contributors: by its facts, without the values that the
 * recursion still changes (5.3, 5.5.2).
 */
export function contributionOf(rule: NaiveRule, aggregate: Aggregate, identity: (match: Match) => string): NaiveContribution {
    const { dictionary } = rule.scope;
    const [argument] = aggregate.arguments;
    const one = dictionary.number(1);
    const evaluate: Evaluate | undefined = argument && rule.compile(argument);
    const slots = AGGREGATES[aggregate.name].contributors ? aggregate.contributors?.map(({ name }) => rule.slot(name)) : undefined;
    return {
        value: ({ registers }) => {
            if (evaluate === undefined) return one;
            const value = evaluate(registers);
            return isCount(aggregate) && !dictionary.isNull(value) ? one : value;
        },
        contributor: match =>
            `${rule.rule.index}/${slots === undefined ? identity(match) : tupleKey(slots.map(slot => match.registers[slot]!))}`,
    };
}
