import { INT } from '#language/library/result-types.ts';
import { AGGREGATES, type AggregateFamily } from '#language/program/aggregates.ts';
import type { AnalysedProgram, AnalysedRule, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Aggregate } from '#language/program/program.ts';
import { join, type Type, UNKNOWN } from '#language/program/types.ts';
import { variableNames } from '#language/program/variable-names.ts';
import type { PlanAggregate, PlanRelation } from './plan.ts';
import { dependentVariables, dependsOn, RuleParts } from './rule-parts.ts';

/** How a rule aggregates columns of one of its heads. */
export interface AggregateUse {
    readonly rule: AnalysedRule;
    /**
     * Columns and families, when each aggregated column of the head is a variable that is assigned one aggregate. Rules
     * with one signature share their groups (D-38), but `maxcount` compares the groups of its rule only (5.7).
     */
    readonly signature?: string;
    readonly columns: ReadonlyMap<number, Aggregate>;
    /** The rule needs nothing but its aggregates: no condition on a result, no other head, nothing computed from a result. */
    readonly direct: boolean;
    /** The groups of the rule may have more in their keys than those of the head: what other heads and later items read. */
    readonly finer: boolean;
    readonly largestOnly: boolean;
}

export function familyOf(aggregate: Aggregate): AggregateFamily {
    return AGGREGATES[aggregate.name].family;
}

export function aggregateSignature(rule: AnalysedRule, head: ResolvedAtom): AggregateUse {
    const dependent = dependentVariables(rule);
    const columns = new Map<number, Aggregate>();
    const none = { rule, columns, direct: false, finer: false, largestOnly: false };
    for (const [column, term] of head.atom.arguments.entries()) {
        if (!dependsOn(term, dependent)) continue;
        const value = rule.assignments.find(one => term.kind === 'variable' && one.variable.name === term.name)?.value;
        if (value?.kind !== 'aggregate') return none;
        columns.set(column, value);
    }
    if (columns.size === 0) return none;
    const largestOnly = [...columns.values()].some(aggregate => aggregate.name === 'maxcount');
    const after = rule.assignments.filter(assignment => assignment.afterAggregation);
    const direct =
        rule.heads.length === 1 &&
        after.length === columns.size &&
        new Set(columns.values()).size === columns.size &&
        ![...rule.conditions, ...rule.literals].some(one => one.afterAggregation);
    const families = [...columns].map(([column, aggregate]) => `${column}: ${familyOf(aggregate)}`).join(', ');
    const signature = largestOnly ? `${families} of rule ${rule.index}` : families;
    const finer = !direct && hasFinerGroups(rule, head, dependent);
    return largestOnly && !direct ? { ...none, largestOnly } : { rule, signature, columns, direct, finer, largestOnly };
}

function hasFinerGroups(rule: AnalysedRule, head: ResolvedAtom, dependent: ReadonlySet<string>): boolean {
    const keys = new Set(variableNames(head.atom.arguments));
    const read = [
        ...rule.heads.flatMap(({ atom }) => atom.arguments),
        ...rule.conditions.flatMap(({ expression, afterAggregation }) => (afterAggregation ? [expression] : [])),
        ...rule.literals.flatMap(({ atom, afterAggregation }) => (afterAggregation ? atom.arguments : [])),
        ...rule.assignments.flatMap(({ value, afterAggregation }) => (afterAggregation && value.kind !== 'aggregate' ? [value] : [])),
    ];
    return read.flatMap(variablesOf).some(name => rule.bound.has(name) && !dependent.has(name) && !keys.has(name));
}

/** The relation with groups for the aggregates of these uses, which have one signature. */
export function addAggregates(relation: PlanRelation, uses: readonly AggregateUse[], program: AnalysedProgram): PlanRelation {
    const first = uses[0]!;
    const aggregates = [...first.columns].map(([column, aggregate]): PlanAggregate => {
        const type = uses.map(use => argumentType(use.columns.get(column)!, new RuleParts(program, use.rule.types))).reduce(join, UNKNOWN);
        return planAggregate(first.rule, aggregate, column, type);
    });
    const keys = relation.columns.flatMap((_, column) => (first.columns.has(column) ? [] : [column]));
    return { ...relation, groups: { keys, aggregates, largestOnly: first.largestOnly } };
}

/** An aggregate of values of a type, as a column of groups. */
export function planAggregate({ rule }: AnalysedRule, aggregate: Aggregate, column: number, type: Type): PlanAggregate {
    return {
        column,
        family: familyOf(aggregate),
        name: aggregate.name,
        numbers: numbersOf(type),
        type: AGGREGATES[aggregate.name].result(type),
        place: rule.place,
        span: aggregate.span,
    };
}

/** The type of what is aggregated; of counts, integers. */
export function argumentType(aggregate: Aggregate, parts: RuleParts): Type {
    const [argument] = aggregate.arguments;
    return argument === undefined ? INT : parts.typeOf(argument);
}

export function numbersOf(type: Type): PlanAggregate['numbers'] {
    if (type.kind === 'int' || type.kind === 'long') return 'integer';
    return type.kind === 'double' || type.kind === 'float' ? 'double' : 'any';
}
