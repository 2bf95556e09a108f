import type { Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import type { Database } from '../contracts/database.ts';
import { factText } from '../values/fact-text.ts';
import { type NullLabel, termText } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import type { NearFact, OpenNames } from './cause.ts';
import type { Origin } from './explanation.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import { originOf } from './origin.ts';

/** Facts, patterns of facts and values of one database as text. */
export class FactWords {
    readonly #database: Database;
    readonly #label: NullLabel;

    constructor(database: Database, label: NullLabel) {
        this.#database = database;
        this.#label = label;
    }

    term(value: ValueId): string {
        return termText(this.#database.dictionary, value, MIXED, this.#label);
    }

    /** A value as the column of a predicate shows it. */
    valueAt(key: PredicateKey, column: number, value: ValueId): string {
        return termText(this.#database.dictionary, value, this.#predicate(key)?.columns[column]?.type ?? MIXED, this.#label);
    }

    row({ predicate: key, row }: FactRow): string {
        const predicate = this.#predicate(key)!;
        const values = this.#database.relation(key)!.columns.map(column => column[row]!);
        return factText(this.#database.dictionary, predicate, values, this.#label);
    }

    /** `control("ada",_)`: open columns are blanks, but for those that have to agree. */
    pattern(predicate: Predicate, pattern: HeadPattern, names: OpenNames = []): string {
        const terms = predicate.columns.map(({ type }, column) => {
            const value = pattern[column];
            return value === undefined ? (names[column] ?? '_') : termText(this.#database.dictionary, value, type, this.#label);
        });
        return `${predicate.name}(${terms.join(',')})`;
    }

    /** Where a fact was given; undefined for one that rules derive. */
    origin({ predicate: key, row }: FactRow): Origin | undefined {
        const predicate = this.#predicate(key);
        const rows = this.#database.relation(key);
        return predicate === undefined || rows === undefined ? undefined : originOf(predicate, rows, row);
    }

    near(fact: FactRow, column: number, difference: NearFact['difference']): NearFact {
        const origin = this.origin(fact);
        return { fact: this.row(fact), column, difference, ...(origin === undefined ? {} : { origin }) };
    }

    #predicate(key: PredicateKey): Predicate | undefined {
        return this.#database.program.predicates.get(key);
    }
}
