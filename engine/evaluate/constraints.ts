import { printRuleText } from '#language/program/print.ts';
import { MIXED } from '#language/program/types.ts';
import { variableNames } from '#language/program/variable-names.ts';
import type { PlanRule } from '../plan/plan.ts';
import { planVariant } from '../plan/planner.ts';
import { type Report, report } from '../reports/reports.ts';
import { nullLabels } from '../results/listing.ts';
import { factText } from '../values/fact-text.ts';
import { compareValues } from '../values/order.ts';
import { termText } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { compileVariant } from './compile-rule.ts';
import { plannerInput, planOf, type RunContext, relationOf } from './run-context.ts';

/** Matches that a report lists at most (D-30). */
const WITNESSES = 20;

interface Witness {
    /** Of the variables of the constraint. */
    readonly values: readonly ValueId[];
    /** Of the positive literals. */
    readonly rows: readonly number[];
}

/** One report for each constraint that a match violates, in text order (D-30). The strata are complete. */
export function violatedConstraints(context: RunContext): Report[] {
    return context.plan.constraints.flatMap(rule => {
        const witnesses = smallestMatches(rule, context);
        if (witnesses.length === 0) return [];
        const { place, span } = rule;
        const label = nullLabels(context.dictionary);
        const listed = witnesses.slice(0, WITNESSES);
        const details = listed.map(witness => witnessText(rule, witness, context, label));
        const more = witnesses.length > listed.length;
        return [report('RT041', { location: { place, span }, details }, printRuleText(rule.source!.rule), listed.length, more)];
    });
}

/** The matches with the smallest values, one more than are listed. */
function smallestMatches(rule: PlanRule, context: RunContext): readonly Witness[] {
    const { dictionary } = context;
    const smallest: Witness[] = [];
    const compare = (left: ArrayLike<ValueId>, right: ArrayLike<ValueId>): number => {
        for (let i = 0; i < left.length; i++) {
            const order = compareValues(dictionary, left[i]!, right[i]!);
            if (order !== 0) return order;
        }
        return 0;
    };
    const { relation } = rule.outputs[0]!;
    context.matches.set(relation, (values, rows) => {
        let at = smallest.length;
        while (at > 0) {
            const order = compare(values, smallest[at - 1]!.values);
            if (order === 0) return;
            if (order > 0) break;
            at--;
        }
        if (at > WITNESSES) return;
        smallest.splice(at, 0, { values: [...values], rows: [...rows] });
        smallest.length = Math.min(smallest.length, WITNESSES + 1);
    });
    const read = new Set(rule.literals.map(literal => literal.relation));
    for (const key of read) {
        const rows = relationOf(context, key);
        rows.from = 0;
        rows.to = rows.count;
    }
    const run = compileVariant(planVariant(rule, undefined, plannerInput(context)), relation, false, context);
    for (const key of read) relationOf(context, key).extendIndexes(relationOf(context, key).count);
    run();
    return smallest;
}

/** The facts of a match; the values of the variables where the facts do not tell them all. */
function witnessText(rule: PlanRule, { values, rows }: Witness, context: RunContext, label: (id: ValueId) => string): string {
    const { dictionary } = context;
    const positive = rule.literals.filter(literal => !literal.negated);
    const isInternal = positive.some(({ relation }) => planOf(context, relation).internal);
    const { terms } = rule.outputs[0] as { readonly terms: readonly string[] };
    const inFacts = new Set(positive.flatMap(literal => variableNames(literal.terms)));
    const facts = isInternal
        ? []
        : positive.map(({ relation }, i) => {
              const { columns } = relationOf(context, relation);
              const row = columns.map(column => column[rows[i]!]!);
              return factText(dictionary, planOf(context, relation).predicate, row, label);
          });
    const told = terms.flatMap((name, i) => {
        if (!isInternal && inFacts.has(name)) return [];
        return [`${name}=${termText(dictionary, values[i]!, rule.types.get(name) ?? MIXED, label)}`];
    });
    return [...facts, ...told].join(', ');
}
