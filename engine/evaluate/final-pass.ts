import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { PlanLiteral, PlanRule, PlanStratum } from '../plan/plan.ts';
import { planVariant } from '../plan/planner.ts';
import { Relation } from '../relations/relation.ts';
import { report } from '../reports/reports.ts';
import { compileVariant } from './compile-rule.ts';
import { shown } from './expression-site.ts';
import { type Groups, sortByHeight } from './groups.ts';
import { newGroups, plannerInput, planOf, type RunContext, relationOf } from './run-context.ts';

/**
 * Step 4 of 5.5.1: with the aggregated values fixed, derives the other facts of the component again, and compares what
 * the groups would get from them with what they have. Returns the number of rounds.
 */
export function finalPass(
    stratum: PlanStratum,
    initial: ReadonlyMap<PredicateKey, number>,
    context: RunContext,
    run: (rules: readonly PlanRule[]) => number,
): number {
    const isGroups = (key: PredicateKey): boolean => planOf(context, key).groups !== undefined;
    const fixed = stratum.relations.filter(isGroups);
    for (const key of fixed) {
        const relation = relationOf(context, key);
        relation.dropIndexes();
        if (context.options.heights) sortByHeight(relation);
    }
    const settled = (rule: PlanRule, kind: 'emit' | 'contribute'): PlanRule => ({
        ...rule,
        outputs: rule.outputs.filter(output => output.kind === kind),
        literals: rule.literals.map(literal => ({
            ...literal,
            recursive: kind === 'emit' && literal.recursive && !isGroups(literal.relation),
        })),
    });
    const emitting = stratum.rules.map(rule => settled(rule, 'emit')).filter(rule => rule.outputs.length > 0);
    const contributing = stratum.rules.map(rule => settled(rule, 'contribute')).filter(rule => rule.outputs.length > 0);
    let rounds = 0;
    if (emitting.length > 0) {
        for (const key of stratum.relations) if (!isGroups(key)) relationOf(context, key).truncate(initial.get(key) ?? 0);
        rounds = run(emitting);
    }
    compareGroups(fixed, contributing, context);
    return rounds;
}

function compareGroups(keys: readonly PredicateKey[], rules: readonly PlanRule[], context: RunContext): void {
    const again = new Map<PredicateKey, Groups>();
    for (const key of keys) {
        const plan = planOf(context, key);
        again.set(key, newGroups(context, key, new Relation(plan.arity, context.memory, plan.groups!.keys)));
    }
    const read = new Set(rules.flatMap(rule => rule.literals.map((literal: PlanLiteral) => literal.relation)));
    for (const key of read) {
        const relation = relationOf(context, key);
        relation.from = 0;
        relation.to = relation.count;
    }
    const inner: RunContext = { ...context, groups: again };
    for (const [index, rule] of rules.entries()) {
        const start = compileVariant(planVariant(rule, undefined, plannerInput(context)), String(index), false, inner);
        for (const relation of [...read].map(key => relationOf(context, key))) relation.extendIndexes(relation.count);
        start();
    }
    for (const [key, groups] of again) {
        groups.endRound(undefined);
        groups.finish();
        const row = firstDifference(relationOf(context, key), groups.relation);
        if (row !== undefined) reportNotMonotone(key, row, context);
        groups.relation.dispose();
    }
}

/** The key of a group whose values differ. */
function firstDifference(values: Relation, again: Relation): number[] | undefined {
    const differs = (one: Relation, other: Relation): number[] | undefined => {
        const row: number[] = [];
        for (let i = 0; i < one.count; i++) {
            for (let column = 0; column < one.arity; column++) row[column] = one.columns[column]![i]!;
            if (other.find(row) < 0) return one.keys.map(column => row[column]!);
        }
        return undefined;
    };
    return differs(values, again) ?? differs(again, values);
}

function reportNotMonotone(key: PredicateKey, group: readonly number[], context: RunContext): void {
    const { groups, predicate, columns } = planOf(context, key);
    const [aggregate] = groups!.aggregates;
    const values = group.map((value, i) => shown(context.dictionary, value, columns[groups!.keys[i]!]!.type));
    const location = { place: aggregate!.place, span: aggregate!.span };
    context.report(report('RT050', { location }, predicate.name, `(${values.join(', ')})`));
}
