import { askedValues } from '#engine/explain/find-facts.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Fact } from '#language/program/program.ts';

/** Whether a fact is one that a pattern describes, in which variables and `_` stand for any value. */
export function fits(fact: Fact, pattern: Fact): boolean {
    const [terms, wanted] = [fact.atom.arguments, pattern.atom.arguments];
    if (fact.atom.predicate !== pattern.atom.predicate || terms.length !== wanted.length) return false;
    const values = { dictionary: new Dictionary(), parameters: new Map<string, ValueId>() };
    const own = askedValues(values, fact.atom, fact.place);
    return askedValues(values, pattern.atom, pattern.place).every((value, column) => value === undefined || value === own[column]);
}
