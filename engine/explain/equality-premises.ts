import type { Predicate } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import { type Merge, mergesBetween } from '../contracts/clash.ts';
import type { Database } from '../contracts/database.ts';
import { factText, ruleText, verbalize } from '../values/fact-text.ts';
import { type NullLabel, termText } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import type { DerivationNode, FactNode } from './explanation.ts';
import type { FactRow, ReplacedNull } from './match-rule.ts';
import { originOf } from './origin.ts';

/** The equalities by which nulls were replaced in a run, as parts of explanations. */
export class EqualityPremises {
    readonly #database: Database;
    readonly #label: NullLabel;

    constructor(database: Database, label: NullLabel) {
        this.#database = database;
        this.#label = label;
    }

    /** What gave a row the values that it has now. */
    mergeOf({ predicate, row }: FactRow): Merge | undefined {
        return this.#database.merges?.all[(this.#database.relation(predicate)?.notes?.rewrites?.[row] ?? 0) - 1];
    }

    /** An equality head as a derivation: its facts have the values that it matched. */
    derivationsOf(merge: Merge | undefined): DerivationNode[] {
        if (merge === undefined) return [];
        const { dictionary, program } = this.#database;
        const premises = merge.facts.map(({ predicate: key, values }): FactNode => {
            const predicate = program.predicates.get(key)!;
            const rows = this.#database.relation(key)!;
            const row = rows.find(values.map(value => dictionary.resolve(value)));
            const verbalization = verbalize(dictionary, predicate, values, this.#label);
            const fact = factText(dictionary, predicate, values, this.#label);
            const listed = { kind: 'fact', fact, verbalization, deferred: false, asMatched: true, derivations: [] } as const;
            const origin = row < 0 ? undefined : originOf(predicate, rows, row);
            return { ...listed, ...(origin === undefined ? {} : { origin }), row: { predicate: key, row } };
        });
        return [{ ...ruleText(merge.rule), premises }];
    }

    /** The equalities that gave a fact another value than the null that its rule makes. */
    replacementsOf(fact: FactRow): readonly Merge[] {
        const { dictionary, merges } = this.#database;
        const merge = this.mergeOf(fact);
        if (merge === undefined || merges === undefined) return [];
        const [value] = merge.values;
        return [merge, ...mergesBetween(merges, value, dictionary.resolve(value))];
    }

    /** The equalities that led from nulls to the values that took their places. */
    mergesOf(replaced: readonly ReplacedNull[]): readonly Merge[] {
        const { merges } = this.#database;
        return merges === undefined ? [] : replaced.flatMap(([made, value]) => mergesBetween(merges, made, value));
    }

    /** Whether an equality was found by means of this very fact. */
    restsOn(merge: Merge, { key }: Predicate, values: readonly ValueId[]): boolean {
        return merge.facts.some(fact => fact.predicate === key && fact.values.every((value, column) => value === values[column]));
    }

    /** Equalities as premises of a fact. */
    equations(fact: FactRow, merges: Iterable<Merge>): FactNode[] {
        const { dictionary } = this.#database;
        return [...merges].map(one => {
            const [left, right] = one.values.map(side => termText(dictionary, side, MIXED, this.#label));
            const equation = `${left} = ${right}`;
            const derivations = this.derivationsOf(one);
            return { kind: 'fact', row: fact, fact: equation, verbalization: equation, deferred: false, asMatched: true, derivations };
        });
    }
}
