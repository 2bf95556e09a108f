import type { Database } from '#engine/contracts/database.ts';
import { askedValues } from '#engine/explain/find-facts.ts';
import type { FactRow, HeadPattern } from '#engine/explain/match-rule.ts';
import { listPredicate } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Expectation } from '#language/analysis/test-cases.ts';
import { type Predicate, predicateKey } from '#language/program/analysed-program.ts';
import { printAtomText } from '#language/program/print.ts';
import type { Fact } from '#language/program/program.ts';

/** Differences between the expected and the actual facts of a predicate. */
export interface ComparedFacts {
    /** Printed as those that there are. */
    readonly expected: readonly string[];
    readonly actual: readonly string[];
    readonly missing: readonly MissingFact[];
    readonly unexpected: readonly UnexpectedFact[];
}

export interface MissingFact {
    readonly text: string;
    readonly fact: Fact;
    readonly values: HeadPattern;
}

export interface UnexpectedFact {
    readonly text: string;
    readonly row: FactRow;
}

/** The predicates that an expectation is about: the one with as many columns as its facts, else all of its name. */
export function expectedPredicates({ program }: Pick<Database, 'program'>, { predicate, facts }: Expectation): readonly Predicate[] {
    const arities = new Set(facts.map(fact => fact.atom.arguments.length));
    const named = program.predicatesNamed(predicate);
    return arities.size === 0 ? named : named.filter(({ arity }) => arities.has(arity));
}

/** Facts are the same up to their unknown values: a null that is expected stands for any one. */
export function compareFacts(database: Database, expectation: Expectation): ComparedFacts {
    const { dictionary } = database;
    const identity = (values: readonly ValueId[]): string => values.map(id => (dictionary.isNull(id) ? 'null' : id)).join(' ');
    const waiting = new Map<string, MissingFact[]>();
    const expected: string[] = [];
    for (const fact of expectation.facts) {
        const text = printAtomText(fact.atom);
        const values = askedValues(database, fact.atom, fact.place);
        const filled = values.map(value => value ?? dictionary.freshNull('open'));
        const key = `${values.length}: ${identity(filled)}`;
        const same = waiting.get(key) ?? [];
        // A fact without unknown values holds once, however often it is written.
        if (same.length === 0 || key.includes('null')) same.push({ text, fact, values });
        waiting.set(key, same);
        const predicate = database.program.predicates.get(predicateKey(fact.atom.predicate, values.length));
        expected.push(predicate === undefined ? text : factText(dictionary, predicate, filled, () => 'null'));
    }
    const actual: string[] = [];
    const unexpected: UnexpectedFact[] = [];
    for (const predicate of expectedPredicates(database, expectation)) {
        const { count, rows, at } = listPredicate(database, predicateKey(predicate.name, predicate.arity));
        for (let row = 0; row < count; row++) {
            const values = predicate.columns.map((_, column) => at(row, column));
            const text = factText(dictionary, predicate, values, () => 'null');
            actual.push(text);
            const found = waiting.get(`${values.length}: ${identity(values)}`)?.shift();
            if (found === undefined) unexpected.push({ text, row: { predicate: predicate.key, row: rows[row] ?? 0 } });
        }
    }
    return { expected, actual, missing: [...waiting.values()].flat(), unexpected };
}
