import type { AnalysedRule, Literal, Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Aggregate, Expression } from '#language/program/program.ts';
import { UNKNOWN } from '#language/program/types.ts';
import { argumentType, familyOf, numbersOf } from './aggregate-signature.ts';
import type { PlanDefinition, PlanRelation } from './plan.ts';
import { dependentVariables, dependsOn, type RuleParts, withoutAggregates } from './rule-parts.ts';

/** The groups of a rule with aggregates, and what reads their results (5.2). */
interface RuleGroups {
    /** The variables whose values make a group. */
    readonly keys: readonly string[];
    /** The keys that stand for terms of the head which are computed. */
    readonly keyVariables: ReadonlyMap<Expression, string>;
    readonly aggregates: readonly Aggregate[];
    /** The variables of their results, in the same order. */
    readonly results: readonly string[];
    /** Computed from results. */
    readonly values: readonly PlanDefinition[];
    readonly conditions: readonly Expression[];
    readonly negations: readonly Literal[];
}

/** Splits a rule into what fills its groups, to which key terms are added, and what its reader does with them. */
export function groupsOfRule(rule: AnalysedRule, parts: RuleParts, reader: RuleParts): RuleGroups {
    const dependent = dependentVariables(rule);
    const keys: string[] = [];
    const keyVariables = new Map<Expression, string>();
    const addKey = (variable: string): void => {
        if (!keys.includes(variable)) keys.push(variable);
    };
    for (const term of headTerms(rule)) {
        const isComputedLater = dependsOn(term, dependent) || !variablesOf(term).every(name => rule.bound.has(name));
        if (isComputedLater) {
            for (const name of variablesOf(term)) if (rule.bound.has(name) && !dependent.has(name)) addKey(name);
        } else if (term.kind === 'variable') {
            addKey(term.name);
        } else if (variablesOf(term).length > 0) {
            const value = parts.valueOf(term);
            keyVariables.set(term, value);
            addKey(value);
        }
    }
    const after = rule.assignments.filter(assignment => assignment.afterAggregation);
    const conditions = rule.conditions.filter(condition => condition.afterAggregation).map(({ expression }) => expression);
    const negations = rule.literals.filter(literal => literal.afterAggregation);
    const aggregates: Aggregate[] = after.flatMap(assignment => [...assignment.aggregates]);
    const results = aggregates.map(aggregate => reader.fresh(parts.typeOf(aggregate)));
    const resultOf = (aggregate: Aggregate): string => results[aggregates.indexOf(aggregate)]!;
    const values = after.map(({ variable, value }) => parts.definition(variable.name, withoutAggregates(value, resultOf)));
    for (const expression of [...values.map(({ value }) => value), ...conditions]) {
        for (const name of variablesOf(expression)) {
            if (!dependent.has(name) && !results.includes(name)) addKey(name);
        }
    }
    for (const name of negations.flatMap(({ atom }) => atom.arguments.flatMap(variablesOf))) {
        if (!dependent.has(name) && rule.bound.has(name)) addKey(name);
    }
    return { keys, keyVariables, aggregates, results, values, conditions, negations };
}

function headTerms({ rule, heads }: AnalysedRule): readonly Expression[] {
    return rule.head.kind === 'equality' ? [rule.head.left, rule.head.right] : heads.flatMap(head => head.atom.arguments);
}

/** The internal relation that has these groups for its rows: the keys, then the results. */
export function groupsRelation(
    key: PredicateKey,
    predicate: Predicate,
    rule: AnalysedRule,
    { keys, aggregates, results }: RuleGroups,
    parts: RuleParts,
    reader: RuleParts,
): PlanRelation {
    for (const name of keys) reader.types.set(name, parts.types.get(name) ?? UNKNOWN);
    const types = [...keys, ...results].map(name => reader.types.get(name) ?? UNKNOWN);
    return {
        key,
        arity: types.length,
        columns: types.map((type, column) => ({ name: `c_${column}`, type, cast: false })),
        predicate,
        internal: true,
        level: 'groups of a rule',
        groups: {
            keys: keys.map((_, column) => column),
            aggregates: aggregates.map((aggregate, i) => ({
                column: keys.length + i,
                family: familyOf(aggregate),
                name: aggregate.name,
                numbers: numbersOf(argumentType(aggregate, parts)),
                type: types[keys.length + i]!,
                place: rule.rule.place,
                span: aggregate.span,
            })),
            largestOnly: aggregates.some(aggregate => aggregate.name === 'maxcount'),
        },
    };
}
