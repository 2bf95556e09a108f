import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { type Clash, EqualityClash, type MatchedFact, type Merge, type MergeIndex, mergesBetween } from '../contracts/clash.ts';
import type { PlanRule } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import type { ValueId } from '../values/value-id.ts';
import { planOf, type RunContext, relationOf } from './run-context.ts';

/** Values that equality heads have made equal, with the reasons if the run keeps heights. */
export class Merges implements MergeIndex {
    /** Kept with heights only. */
    readonly all: Merge[] = [];
    readonly of = new Map<ValueId, number[]>();
    readonly #context: RunContext;
    /** Pairs of sets or maps that may become equal. */
    readonly #open: Merge[] = [];
    #last: { readonly rule: AnalysedRule; readonly facts: readonly MatchedFact[] } | undefined;

    constructor(context: RunContext) {
        this.#context = context;
    }

    /** Makes the two values of a match of an equality head equal, or ends the run. */
    merge(rule: PlanRule, values: Int32Array, rows: Int32Array): void {
        const { dictionary, options } = this.#context;
        const [left, right] = [values[0]!, values[1]!];
        const equated = dictionary.equalities.equate(left, right);
        if (equated === 'equal') return;
        const source = rule.source!;
        if (equated === 'open') this.#open.push({ rule: source, facts: this.#facts(rule, rows), values: [left, right] });
        if (equated === 'different') {
            const sides = [dictionary.resolve(left), dictionary.resolve(right)] as const;
            throw new EqualityClash(this.#clashOf(source, this.#facts(rule, rows), [left, right], sides));
        }
        if (!options.heights) {
            this.#last ??= { rule: source, facts: [] };
            return;
        }
        const merge = { rule: source, facts: this.#facts(rule, rows), values: [left, right] } as const;
        this.#last = merge;
        const index = this.all.push(merge) - 1;
        for (const value of merge.values) {
            const known = this.of.get(value);
            if (known === undefined) this.of.set(value, [index]);
            else known.push(index);
        }
    }

    /** Ends the run: what was made equal makes two different constants equal. */
    clash(sides: readonly [ValueId, ValueId]): never {
        const is = (value: ValueId, side: ValueId): boolean => this.#context.dictionary.resolve(value) === side;
        const open = this.#open.find(({ values }) => is(values[0], sides[0]) && is(values[1], sides[1]));
        const { rule, facts } = open ?? this.#last!;
        throw new EqualityClash(this.#clashOf(rule, facts, sides, sides));
    }

    /** One plus the index of a merge that replaced a value of this row. */
    causeOf(relation: Relation, row: number): number {
        for (const column of relation.columns) {
            const merge = this.of.get(column[row]!)?.[0];
            if (merge !== undefined) return merge + 1;
        }
        return this.all.length;
    }

    #clashOf(
        rule: AnalysedRule,
        facts: readonly MatchedFact[],
        values: readonly [ValueId, ValueId],
        sides: readonly [ValueId, ValueId],
    ): Clash {
        return { rule, facts, values, sides, earlier: [0, 1].flatMap(side => mergesBetween(this, values[side]!, sides[side]!)) };
    }

    #facts(rule: PlanRule, rows: Int32Array): MatchedFact[] {
        const positive = rule.literals.filter(literal => !literal.negated);
        return positive.flatMap(({ relation: key }, i) => {
            if (planOf(this.#context, key).internal) return [];
            const { columns } = relationOf(this.#context, key);
            return [{ predicate: key, values: columns.map(column => column[rows[i]!]!) }];
        });
    }
}
